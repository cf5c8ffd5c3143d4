/** Joins a node's tests with its merged parts: tests are written on a separate commit while the parts are built. GR2. */

import { bothSides } from '../../rules/merge/both-sides.ts'
import type { Node } from '../node.ts'
import { commitOfStep, messageOf, stepMark } from '../work/commit-work.ts'

/** Tests that were committed apart while children are merged into the node's branch. */
export interface TestsAside {
  commit: string
  from: string
}

/** Call it when the tests are ready and every child is settled. */
export async function joinTests(node: Node, aside: TestsAside | undefined): Promise<void> {
  const { workspace, run } = node
  const joined = await run.step('join tests and parts', async (step) => {
    const merged = (await workspace.repository.resolve(node.branch)) ?? node.state.head
    if (!aside || aside.commit === aside.from || merged === aside.commit) return merged
    const earlier = await commitOfStep(node, aside.from, merged, step.key)
    if (earlier) return earlier.hash
    if (merged === aside.from) {
      await workspace.repository.setRef(node.branch, aside.commit)
      return aside.commit
    }
    const tree = await joinedTree(node, merged, aside.commit)
    const message = messageOf(node, `Tests of ${node.input.spec.id} join its parts`, [], [stepMark(step)])
    const commit = await workspace.repository.commit({
      tree,
      parents: [merged, aside.commit],
      message,
      at: node.deps.clock.now(),
    })
    await workspace.repository.setRef(node.branch, commit)
    return commit
  })
  node.state.joinedWithChildren(joined)
}

/** A part may have added tests to the same file. */
async function joinedTree({ workspace: { repository } }: Node, merged: string, tests: string): Promise<string> {
  const { tree, conflicts } = await repository.merge(merged, tests)
  const texts = await repository.readFiles(tree, conflicts)
  return repository.treeWith(
    tree,
    [...texts].map(([path, text]) => ({ path, content: bothSides(text.toString('utf8')) })),
  )
}

/** Parts may have been merged since the last scaffold; the next scaffold must start from them. */
export async function standOnParts(node: Node): Promise<void> {
  const head = await node.run.step('stand on parts', () => node.workspace.repository.resolve(node.branch))
  node.state.advancedTo(head ?? node.state.head)
}
