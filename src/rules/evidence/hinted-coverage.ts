/** Which tests cover a criterion whose planned test is known by a hint only. SPEC.md § VF2, VF5. */
import type { PlannedTest } from '../build/exits.ts'
import { isWithin } from '../build/path-confinement.ts'
import { findTests, type TestFacts, testKey } from '../build/test-facts.ts'

export interface HintedTests {
  plan: readonly Pick<PlannedTest, 'criterionId' | 'plannedTestName'>[]
  /** Names that were read from the source of a file that could not run. */
  hinted: readonly string[]
  /** The node's test files. */
  testFiles: readonly string[]
  /** The tests of the run that was verified. */
  ran: readonly TestFacts[]
}

/**
 * A name that was only a hint refuses nothing: any test of the node's files counts for the criterion. A name that the runner
 * knows by now is no hint any more: a skipped test covers nothing.
 */
export function hintedCoverage({ plan, hinted, testFiles, ran }: HintedTests) {
  const own = ran.filter(({ file }) => file === undefined || testFiles.some((path) => isWithin(file, path)))
  return plan
    .filter(({ plannedTestName }) => hinted.includes(plannedTestName) && findTests(own, plannedTestName).length === 0)
    .flatMap(({ criterionId }) => own.map((test) => ({ criterionId, testName: testKey(test) })))
}
