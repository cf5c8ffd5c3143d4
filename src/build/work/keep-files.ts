/** Keeps the files of a refused reply for the next attempt; only paths that the agent may not touch are put back. VF8. */
import type { FileChange } from '../../workspace/git/tree-with.ts'
import type { Node } from '../node.ts'

/** Paths that the agent may not touch, relative to the repository, and the commit that has them as they were. */
export interface PutBack {
  paths: readonly string[]
  from: string
  /** Files that are put back in part. */
  changes?: readonly FileChange[]
  /** Those of the paths that a person may allow, relative to the project. */
  mayAllow?: readonly string[]
}

/** The commit of what the agent left, without what is put back. Call it inside a step. */
export async function keepFiles(
  { workspace: { repository }, deps }: Node,
  left: string,
  parent: string,
  putBack?: PutBack,
): Promise<string> {
  const whole = (putBack?.paths ?? []).map((path) => ({ path, from: putBack!.from }))
  const changes = [...whole, ...(putBack?.changes ?? [])]
  const tree = changes.length === 0 ? left : await repository.treeWith(left, changes)
  if (tree === (await repository.treeOf(parent))) return parent
  return repository.commit({ tree, parents: [parent], message: 'work that was sent back\n', at: deps.clock.now() })
}

/** The same as a step of its own, for a reply that failed before it could be checked. */
export function keepFilesOf(node: Node, left: string, parent: string, putBack?: PutBack): Promise<string> {
  return node.run.step('keep files', () => keepFiles(node, left, parent, putBack))
}
