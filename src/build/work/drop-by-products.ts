/** Drops by-products of tools from an agent's work: a coding agent that runs the tests leaves caches. TR11. */
import { byProducts, cacheFolders } from '../../rules/trust/work-size.ts'
import type { Repository } from '../../workspace/git/repository.ts'

/** The tree without them; `from` is the commit that the agent started from. */
export async function dropByProducts(repository: Repository, from: string, tree: string): Promise<string> {
  const changes = await repository.changes(from, tree)
  const added = changes.flatMap(({ path, status }) => (status === 'added' ? [path] : []))
  const known = new Set<string>()
  for (const folder of cacheFolders(added))
    if ((await repository.listFiles(from, [folder])).length > 0) known.add(folder)
  const dropped = byProducts(added, (path) => known.has(path))
  return dropped.length === 0
    ? tree
    : repository.treeWith(
        tree,
        dropped.map((path) => ({ path, from })),
      )
}
