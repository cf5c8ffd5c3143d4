/** Compares tests with those before a node's work: what was green must stay green. VF3. */
import type { StepContext } from '../../kernel/engine.ts'
import { isSameTest, type TestFacts } from '../../rules/build/test-facts.ts'
import { describeTestRun, testsAt } from '../clean-checkout.ts'
import { probeBase } from '../judge-tests.ts'
import type { TestRequest } from '../kept-test-results.ts'
import type { Node } from '../node.ts'

export interface Lost {
  tests: TestFacts[]
  /** The test run that shows it. */
  seen?: string
}

/**
 * Tests of the base that do not pass on a commit any more. What seems broken runs a second time, then on the base again: a
 * test that fails there too is unreliable and not the agent's fault. Where all of it is `expected`, nobody is refused for it.
 */
export async function noLongerGreen(
  node: Node,
  step: StepContext,
  {
    commit,
    purpose,
    expected,
    ...request
  }: { commit: string; purpose: string; expected: (test: TestFacts) => boolean } & TestRequest,
): Promise<Lost> {
  const { workspace, input, state } = node
  const isGreen = ({ outcome }: TestFacts) => outcome === 'passed'
  const isReliable = (test: TestFacts) => !workspace.seenTests.isUnreliable(input.build, test)
  const base = { commit: state.base, purpose: 'before', isBuilt: true, isUntouched: true }
  const work = { commit, purpose, isBuilt: true }
  const before = (await testsAt(node, step, base, request)).tests.filter(isGreen)
  const lost = (after: readonly TestFacts[]) =>
    before.filter((test) => isReliable(test) && !after.some((other) => isGreen(other) && isSameTest(other, test)))
  const first = lost((await testsAt(node, step, work, request)).tests)
  if (first.every(expected)) return { tests: first }
  const after = await testsAt(node, step, work, request, { isFresh: true })
  const suspects = lost(after.tests)
  if (suspects.length > 0) await probeBase(node, step, state.base, suspects)
  const tests = lost(after.tests)
  return tests.length === 0 ? { tests } : { tests, seen: describeTestRun(after) }
}
