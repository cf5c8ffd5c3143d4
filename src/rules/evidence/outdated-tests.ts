/** Tests that were there before, and that contradict what a new criterion demands. SPEC.md § VF3. */
import { findTests, type TestFacts, testKey } from '../build/test-facts.ts'
import type { Problem } from '../schema/problem.ts'

export interface OutdatedTest {
  criterionId: string
  test: string
  reason: string
}

export interface OutdatedVerdict {
  /** Why work does not hold whose old tests fail: it names neither the test nor the new criterion that demands the change. */
  problems: Problem[]
  /** Each failing test under the name it ran under, for the reviewer: what the work calls it may fit several. */
  outdated: OutdatedTest[]
}

export function outdatedTests(
  failing: readonly TestFacts[],
  named: readonly OutdatedTest[],
  /** The criteria that do not hold yet. */
  criteria: readonly string[],
  /** Titles of existing tests that say less than before. */
  weakened: readonly { path: string; title: string }[] = [],
): OutdatedVerdict {
  const problems: Problem[] = []
  const strange = named.filter(({ criterionId }) => !criteria.includes(criterionId))
  const fitting = named.filter(({ criterionId }) => criteria.includes(criterionId))
  const outdated: OutdatedTest[] = []
  for (const test of failing) {
    const one = fitting.find(({ test: name }) => isMeant(test, name))
    const wrong = strange.find(({ test: name }) => isMeant(test, name))
    if (one) {
      outdated.push({ ...one, test: testKey(test) })
      continue
    }
    if (wrong) problems.push(strangeCriterion(wrong))
    problems.push(
      problem(
        `the test "${testKey(test)}" was there before, and its old version fails now\nIf a new criterion demands that, list it in TestsPassed: "outdated": [{"criterionId", "test": its name, "reason"}]; the reviewer decides`,
      ),
    )
  }
  for (const { path, title } of weakened) {
    if (findTests(failing, title).length > 0) continue
    const one = fitting.find(({ test }) => test === title || test.endsWith(title))
    if (one) outdated.push({ ...one, test: title })
    else problems.push({ ...weakenedProblem(title, path), message: `${weakenedProblem(title).message}${orOutdated}` })
  }
  return { problems, outdated }
}

const orOutdated =
  ', or if a new criterion demands the change, list it in TestsPassed: "outdated": [{"criterionId", "test": its name, "reason"}]'

/** Nothing demands it: the test as it was passes too. */
export function weakenedProblem(title: string, path?: string): Problem {
  const message = `the test "${title}" was there before and says less now, though it would pass as it was: put back what it said (it may say more)`
  return { ...problem(message), ...(path === undefined ? {} : { path }) }
}

function strangeCriterion({ test, criterionId }: OutdatedTest): Problem {
  return problem(`"${test}" is called outdated for ${criterionId}, which is not a new criterion of this work`)
}

/** By its own title, alone or with some of its groups. */
export function isMeant(test: TestFacts, name: string): boolean {
  return findTests([test], name).length > 0 || (name.endsWith(test.name) && testKey(test).endsWith(name))
}

function problem(message: string): Problem {
  return { rule: 'VF3', message }
}
