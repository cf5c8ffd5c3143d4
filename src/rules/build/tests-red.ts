/** Checks that new tests are red on the scaffold for a reason that an implementation can fix. SPEC.md § VF2. */

import type { Problem } from '../schema/problem.ts'
import type { PlannedTest } from './exits.ts'
import { isWithin } from './path-confinement.ts'
import type { SyntaxFacts } from './syntax-facts.ts'
import { findTests, type TestFacts } from './test-facts.ts'

export interface RedTests {
  planned: readonly Pick<PlannedTest, 'criterionId' | 'plannedTestName'>[]
  /** The test run on the scaffold with the new tests. */
  ran: readonly TestFacts[]
  /** Files that the implementer has yet to write: a test may fail because they are missing. */
  toBeWritten: readonly string[]
  /** Facts of those files that already exist, if a test misses an export in them. */
  there?: readonly SyntaxFacts[]
  /** Interface files, whose exports may not change (VF3). */
  fixed?: readonly string[]
}

export interface RedVerdict {
  problems: Problem[]
  /** Tests that are red for an unknown reason: accepted, and named. */
  unexplained: string[]
}

export function testsRed(facts: RedTests): RedVerdict {
  const problems: Problem[] = []
  const unexplained = new Set<string>()
  for (const { criterionId, plannedTestName } of facts.planned) {
    const tests = findTests(facts.ran, plannedTestName)
    const about = `${plannedTestName} (for ${criterionId})`
    if (tests.length === 0) problems.push(problem(`${about} did not run`))
    const reasons = tests.flatMap((test) => {
      const why = notRed(test, facts)
      const isOneOfMany = tests.length > 1 && test.name !== plannedTestName
      return why === undefined ? [] : [isOneOfMany ? `${why}: ${test.name}` : why]
    })
    problems.push(...[...new Set(reasons)].map((why) => problem(`${about} ${why}`)))
    if (tests.some(({ outcome }) => outcome === 'failed')) unexplained.add(plannedTestName)
  }
  return { problems, unexplained: [...unexplained] }
}

function notRed(test: TestFacts, facts: RedTests): string | undefined {
  switch (test.outcome) {
    case 'assertion':
    case 'not-implemented':
    case 'failed':
      return undefined
    case 'import-error': {
      const what = brokenImport(test, facts)
      return what === undefined ? undefined : `fails because of its own import${what}`
    }
    case 'passed':
      return 'passes before anything is implemented'
    case 'skipped':
      return 'is skipped'
    case 'error':
      return 'fails because of its own error, not an assertion'
    default:
      return test.outcome satisfies never
  }
}

/** Undefined if the implementer can add what is missing: a file that does not exist yet, or an export of it. */
function brokenImport({ missing, missingName }: TestFacts, facts: RedTests): string | undefined {
  const { toBeWritten, there = [], fixed = [] } = facts
  if (missing === undefined) return ''
  if (!toBeWritten.some((path) => isWithin(missing, path))) return `: ${missing}`
  const file = there.find((one) => one.file === missing)
  if (!file?.parsed) return undefined
  if (missingName === undefined) return `: ${missing} exists, but not where the test looks for it`
  if (!fixed.includes(missing)) return undefined
  const exported = file.symbols.filter((symbol) => symbol.exported)
  const mayHave = exported.some(
    ({ name, kind }) => name.startsWith('* from ') || (name === missingName && kind !== 'type'),
  )
  if (mayHave) return undefined
  const names = [...new Set(exported.map(({ name }) => name).filter((name) => !name.includes('.')))]
  const told = names.length === 0 ? 'nothing' : names.join(', ')
  return `: ${missing} does not export ${missingName}, and as an interface it may export only: ${told}`
}

function problem(message: string): Problem {
  return { rule: 'VF2', message }
}
