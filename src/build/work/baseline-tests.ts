/** Compares tests with those before a node's work: what was green must stay green. VF4, MG2. */
import type { StepContext } from '../../kernel/engine.ts'
import type { TestFacts } from '../../rules/build/test-facts.ts'
import { turnedRed } from '../../rules/build/verification.ts'
import type { Problem } from '../../rules/schema/problem.ts'
import { testsAt } from '../clean-checkout.ts'
import type { Node } from '../node.ts'
import type { Verified } from '../verify.ts'
import { isOfDropped } from './tested-criteria.ts'

/** VF4: tests that were green before and fail now, also in a second run, although the node's own tests pass. */
export async function brokenTests(
  node: Node,
  step: StepContext,
  commit: string,
  { tree, tests, names }: Verified,
): Promise<Problem[]> {
  if (names !== 'reported' || !tests.some(isRed)) return []
  const before = await testsAtBase(node, step)
  const broken = (after: TestFacts[]) =>
    turnedRed(
      before,
      after.filter((test) => !isOfDropped(node, test)),
    )
  if (broken(tests).length === 0) return []
  node.workspace.testResults.forget(node.input.build, tree)
  return broken((await testsAt(node, step, { commit, purpose: 'claim', isBuilt: true })).tests)
}

export function isRed({ outcome }: TestFacts): boolean {
  return outcome !== 'passed' && outcome !== 'skipped'
}

/** Built like the work it is compared with, so that kept results of this tree can be reused. */
export async function testsAtBase(node: Node, step: StepContext): Promise<TestFacts[]> {
  return (await testsAt(node, step, { commit: node.state.base, purpose: 'before', isBuilt: true })).tests
}
