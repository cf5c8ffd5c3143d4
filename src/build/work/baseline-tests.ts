/** What the tests were like before a node's work: what was green then must be green still. VF4, MG2. */
import type { StepContext } from '../../kernel/engine.ts'
import type { TestFacts } from '../../rules/build/test-facts.ts'
import { turnedRed } from '../../rules/build/verification.ts'
import type { Problem } from '../../rules/schema/problem.ts'
import type { Node } from '../node.ts'
import { runTests, type Verified } from '../verify.ts'
import { isOfDropped } from './tested-criteria.ts'

/** VF4: its own tests pass, and yet others that were green before are red by it, also when they run once more. */
export async function brokenTests(
  node: Node,
  step: StepContext,
  commit: string,
  { tests, parsed }: Verified,
): Promise<Problem[]> {
  if (!parsed || !tests.some(isRed)) return []
  const before = await testsAtBase(node, step)
  const broken = (after: TestFacts[]) =>
    turnedRed(
      before,
      after.filter((test) => !isOfDropped(node, test)),
    )
  return broken(tests).length === 0 ? [] : broken(await testsAt(node, step, commit, 'claim'))
}

export function isRed({ outcome }: TestFacts): boolean {
  return outcome !== 'passed' && outcome !== 'skipped'
}

/** What was seen of the commit that a branch is at. Gone with the process: then the tests run again. */
const seenTests = new Map<string, { commit: string; tests: TestFacts[] }>()

const branchKey = ({ input }: Node, branch: string) => `${input.build} ${branch}`

export function rememberTests(node: Node, commit: string, tests: TestFacts[]): void {
  const { input, branch } = node
  // Nothing more is merged into its own branch, and nothing after the root into the result's.
  seenTests.delete(branchKey(node, branch))
  if (!input.parent) seenTests.delete(branchKey(node, input.into))
  else if (tests.length > 0) seenTests.set(branchKey(node, input.into), { commit, tests })
}

export async function testsAtBase(node: Node, step: StepContext): Promise<TestFacts[]> {
  const { input, base } = node
  const last = seenTests.get(branchKey(node, input.into))
  if (last?.commit === base) return last.tests
  const tests = await testsAt(node, step, base, 'before')
  seenTests.set(branchKey(node, input.into), { commit: base, tests })
  return tests
}

async function testsAt(node: Node, step: StepContext, commit: string, purpose: string): Promise<TestFacts[]> {
  const { workspace, input } = node
  const slot = await workspace.worktrees.acquire(input.build, commit)
  try {
    const tree = await workspace.repository.treeOf(commit)
    return (await runTests(node, step, slot, { commit, tree, purpose })).tests
  } finally {
    workspace.worktrees.release(slot)
  }
}
