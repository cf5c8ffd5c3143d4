/** Puts files of one commit onto another, such as new tests onto code that lacks what they are for. VF2. */
import type { Node } from '../node.ts'
import { inRepository } from '../workspace.ts'

/** `paths` are relative to the project. Call it inside a step. */
export async function withFilesOf(
  { workspace, deps }: Node,
  onto: string,
  from: string,
  paths: readonly string[],
): Promise<string> {
  if (paths.length === 0) return onto
  const { repository } = workspace
  const tree = await repository.treeWith(
    await repository.treeOf(onto),
    [...new Set(paths)].map((path) => ({ path: inRepository(workspace, path), from })),
  )
  return repository.commit({ tree, parents: [onto], message: 'files of another commit\n', at: deps.clock.now() })
}
