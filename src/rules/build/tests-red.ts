/** Checks that new tests are red on the scaffold, each for a reason that an implementation can take away. SPEC.md § VF2. */

import type { Problem } from '../schema/problem.ts'
import type { PlannedTest } from './exits.ts'
import { isWithin } from './path-confinement.ts'
import type { SyntaxFacts } from './syntax-facts.ts'
import { findTests, type TestFacts } from './test-facts.ts'

export interface RedTests {
  planned: readonly Pick<PlannedTest, 'criterionId' | 'plannedTestName'>[]
  /** What ran on the scaffold with the new tests in it. */
  ran: readonly TestFacts[]
  /** What the implementer has yet to write: a test may fail for want of these. */
  toBeWritten: readonly string[]
  /** Facts of those files among them that are there already, as far as a test misses something in them. */
  there?: readonly SyntaxFacts[]
  /** Interfaces: nobody may add to what they export (VF3). */
  fixed?: readonly string[]
}

export interface RedVerdict {
  problems: Problem[]
  /** Tests that are red for a reason the runner does not tell: let through, and named. */
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
      return what === undefined ? undefined : `fails by an import of its own${what}`
    }
    case 'passed':
      return 'passes before anything is implemented'
    case 'skipped':
      return 'is skipped'
    case 'error':
      return 'fails by an error of its own, not by an assertion'
    default:
      return test.outcome satisfies never
  }
}

/** Nothing where an implementer can bring what is missing: a file that is not there yet, or a name that may still join it. */
function brokenImport({ missing, missingName }: TestFacts, facts: RedTests): string | undefined {
  const { toBeWritten, there = [], fixed = [] } = facts
  if (missing === undefined) return ''
  if (!toBeWritten.some((path) => isWithin(missing, path))) return `: ${missing}`
  const file = there.find((one) => one.file === missing)
  if (!file?.parsed) return undefined
  if (missingName === undefined) return `: ${missing} is there, but not where the test looks for it`
  if (!fixed.includes(missing)) return undefined
  const exported = file.symbols.filter((symbol) => symbol.exported)
  const mayHave = exported.some(
    ({ name, kind }) => name.startsWith('* from ') || (name === missingName && kind !== 'type'),
  )
  if (mayHave) return undefined
  const names = [...new Set(exported.map(({ name }) => name).filter((name) => !name.includes('.')))]
  const told = names.length === 0 ? 'nothing' : names.join(', ')
  return `: ${missing} does not export ${missingName}, and as an interface it keeps to what it exports: ${told}`
}

function problem(message: string): Problem {
  return { rule: 'VF2', message }
}
