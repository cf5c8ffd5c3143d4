/** Joins a node's tests with its merged parts: tests are written on a separate commit while the parts are built. GR2. */

import type { Node } from '../node.ts'
import { commitOfStep, messageOf, stepMark } from '../work/commit-work.ts'
import { mergeKeepingBoth } from './merge-keeping-both.ts'

/** Tests that were committed apart while children are merged into the node's branch. */
export interface TestsAside {
  commit: string
  from: string
}

interface Joined {
  commit: string
  /** Files of the parts in which the node's own tests have no place by themselves. */
  clashes: string[]
}

/** Call it when the tests are ready and every child is settled. Returns the files into which its tests go once more. */
export async function joinTests(node: Node, aside: TestsAside | undefined): Promise<string[]> {
  const { workspace, run } = node
  const { commit, clashes } = await run.step('join tests and parts', async (step): Promise<Joined> => {
    const merged = (await workspace.repository.resolve(node.branch)) ?? node.state.head
    if (!aside || aside.commit === aside.from || merged === aside.commit) return { commit: merged, clashes: [] }
    const earlier = await commitOfStep(node, aside.from, merged, step.key)
    if (earlier)
      return { commit: earlier.hash, clashes: (await joinedTree(node, earlier.parent, aside.commit)).clashes }
    if (merged === aside.from) {
      await workspace.repository.setRef(node.branch, aside.commit)
      return { commit: aside.commit, clashes: [] }
    }
    const { tree, clashes } = await joinedTree(node, merged, aside.commit)
    const message = messageOf(node, `Tests of ${node.input.spec.id} join its parts`, [], [stepMark(step)])
    const commit = await workspace.repository.commit({
      tree,
      parents: [merged, aside.commit],
      message,
      at: node.deps.clock.now(),
    })
    await workspace.repository.setRef(node.branch, commit)
    return { commit, clashes }
  })
  node.state.joinedWithChildren(commit)
  return clashes
}

/** A part may have added tests to the same file. Where both have no place in it, it stays as the parts left it. */
async function joinedTree(node: Node, merged: string, tests: string): Promise<{ tree: string; clashes: string[] }> {
  const { repository } = node.workspace
  const { tree, clashes } = await mergeKeepingBoth(node, merged, tests)
  if (clashes.length === 0) return { tree, clashes }
  const parts = await repository.listFiles(merged, clashes)
  const kept = parts.map((path) => ({ path, from: merged }))
  return { tree: await repository.treeWith(tree, kept), clashes: parts }
}

/** Parts may have been merged since the last scaffold; the next scaffold must start from them. */
export async function standOnParts(node: Node): Promise<void> {
  const head = await node.run.step('stand on parts', () => node.workspace.repository.resolve(node.branch))
  node.state.advancedTo(head ?? node.state.head)
}
