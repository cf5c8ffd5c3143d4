/** Checks that new tests are red on the scaffold, each for a reason that an implementation can take away. SPEC.md § VF2. */
import type { PlannedTest } from './exits.ts'
import { isWithin } from './path-confinement.ts'
import type { Problem } from './problem.ts'
import { findTests, type TestFacts } from './test-facts.ts'

export interface RedTests {
  planned: readonly Pick<PlannedTest, 'criterionId' | 'plannedTestName'>[]
  /** What ran on the scaffold with the new tests in it. */
  ran: readonly TestFacts[]
  /** What the implementer has yet to write: a test may fail for want of these. */
  toBeWritten: readonly string[]
}

export interface RedVerdict {
  problems: Problem[]
  /** Tests that are red for a reason the runner does not tell: let through, and named. */
  unexplained: string[]
}

export function testsRed({ planned, ran, toBeWritten }: RedTests): RedVerdict {
  const problems: Problem[] = []
  const unexplained: string[] = []
  for (const { criterionId, plannedTestName } of planned) {
    const tests = findTests(ran, plannedTestName)
    if (tests.length === 0) problems.push(problem(`${plannedTestName} (for ${criterionId}) did not run`))
    for (const test of tests) {
      const why = notRed(test, toBeWritten)
      if (why) problems.push(problem(`${plannedTestName} (for ${criterionId}) ${why}`))
      if (test.outcome === 'failed') unexplained.push(plannedTestName)
    }
  }
  return { problems, unexplained }
}

function notRed(test: TestFacts, toBeWritten: readonly string[]): string | undefined {
  switch (test.outcome) {
    case 'assertion':
    case 'not-implemented':
    case 'failed':
      return undefined
    case 'import-error': {
      const { missing } = test
      if (missing !== undefined && toBeWritten.some((path) => isWithin(missing, path))) return undefined
      return missing === undefined ? 'fails by an import of its own' : `fails by an import of its own: ${missing}`
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

function problem(message: string): Problem {
  return { rule: 'VF2', message }
}
