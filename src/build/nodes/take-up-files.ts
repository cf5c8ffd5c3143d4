/** Puts the unfinished files of an implementer onto work that has moved on since, such as a new scaffold and its tests. VF8. */
import { interfacesOf, type Node } from '../node.ts'
import { inspectWorktree } from '../work/inspect-worktree.ts'
import { keepFiles } from '../work/keep-files.ts'
import { inProject, inRepository } from '../workspace.ts'

/** What the implementer is told about its earlier files; nothing if there are none, or if they lie where it left them. */
export async function takeUpFiles(node: Node): Promise<string> {
  const behind = node.state.leftBehind()
  if (behind === null) return ''
  const { on, commit } = behind
  const { head } = node.state
  const { from, again, left } = await node.run.step('take up files', async () => {
    const { workspace } = node
    const { repository } = workspace
    const own = (await repository.changes(on, commit)).map(({ path }) => path)
    const moved = (await repository.changes(on, head)).map(({ path }) => path)
    const interfaces = interfacesOf(node).map((path) => inRepository(workspace, path))
    const { tree, conflicts } = await repository.merge(head, commit)
    const { putBack } = await inspectWorktree(node, 'impl', head, tree)
    const differing = new Set((await repository.changes(head, commit)).map(({ path }) => path))
    const unwanted = [...conflicts, ...putBack.paths, ...moved.filter((path) => interfaces.includes(path))]
    const kept = unwanted.filter((path) => differing.has(path))
    const paths = own.map((path) => ({ path, isLeft: kept.includes(path) }))
    const named = (isLeft: boolean) =>
      paths.flatMap((one) => (one.isLeft === isLeft ? (inProject(workspace, one.path) ?? one.path) : []))
    const from = await keepFiles(node, tree, head, { paths: [...new Set(kept)], from: head })
    return { from, again: named(false), left: named(true) }
  })
  node.state.leftUnfinished('impl', from)
  return [
    ...(again.length > 0 ? [`Your earlier work is in your folder again: ${again.join(', ')}.`] : []),
    ...(left.length > 0
      ? [
          `What you wrote in ${left.join(', ')} is not there: scaffold or tests changed since. Your version is in commit ${commit.slice(0, 10)}; write again what is still wanted.`,
        ]
      : []),
  ].join('\n')
}
