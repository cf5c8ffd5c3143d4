/** Compares tests with those before a node's work: what was green must stay green. VF3, VF4, MG2. */
import type { StepContext } from '../../kernel/engine.ts'
import type { TestFacts } from '../../rules/build/test-facts.ts'
import { turnedRed } from '../../rules/build/verification.ts'
import type { Problem } from '../../rules/schema/problem.ts'
import { describeTestRun, testsAt } from '../clean-checkout.ts'
import { warningGiven } from '../events.ts'
import type { TestRequest } from '../kept-test-results.ts'
import { eventHeader, type Node } from '../node.ts'
import type { Verified } from '../verify.ts'
import { isOfDropped } from './tested-criteria.ts'

/** What is wrong, and the test run that shows it. */
export interface Broken {
  problems: Problem[]
  seen?: string
}

/** VF4: tests that were green before and fail now, although the node's own tests pass. */
export async function brokenTests(
  node: Node,
  step: StepContext,
  commit: string,
  { tests, names }: Verified,
): Promise<Broken> {
  if (names !== 'reported' || !tests.some(isRed)) return { problems: [] }
  return brokenBy(node, step, { commit, purpose: 'claim' }, (before, after) =>
    turnedRed(
      before,
      after.filter((test) => !isOfDropped(node, test)),
    ),
  )
}

/**
 * Compares a commit's tests with the base's. What seems broken runs a second time, then on the base once more: a test
 * that fails there too is unreliable, which is worth a warning and not the agent's fault.
 */
export async function brokenBy(
  node: Node,
  step: StepContext,
  { commit, purpose, ...request }: { commit: string; purpose: string } & TestRequest,
  compare: (before: TestFacts[], after: TestFacts[]) => Problem[],
): Promise<Broken> {
  const { workspace, input, state } = node
  const run = (at: string, why: string) => testsAt(node, step, { commit: at, purpose: why, isBuilt: true }, request)
  const runAgain = async (at: string, why: string) => {
    workspace.testResults.forget(input.build, await workspace.repository.treeOf(at))
    return run(at, why)
  }
  const before = await run(state.base, 'before')
  if (compare(before.tests, (await run(commit, purpose)).tests).length === 0) return { problems: [] }
  const after = await runAgain(commit, purpose)
  const again = compare(before.tests, after.tests)
  if (again.length === 0) return { problems: [] }
  const problems = compare((await runAgain(state.base, 'before')).tests, after.tests)
  for (const { message } of again.filter((one) => !problems.some((other) => other.message === one.message))) {
    const text = `unreliable test: ${message}; without this work it failed in a second run too`
    step.emit(warningGiven.create(eventHeader(node), { text }))
  }
  return problems.length === 0 ? { problems } : { problems, seen: describeTestRun(after) }
}

export function isRed({ outcome }: TestFacts): boolean {
  return outcome !== 'passed' && outcome !== 'skipped'
}

/** Built like the work it is compared with, so that kept results of this tree can be reused. */
export async function testsAtBase(node: Node, step: StepContext): Promise<TestFacts[]> {
  return (await testsAt(node, step, { commit: node.state.base, purpose: 'before', isBuilt: true })).tests
}
