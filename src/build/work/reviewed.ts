/** Criteria that the reviewer checks and no test does. VF14. */
import type { Exit } from '../../rules/build/exits.ts'
import { isWithin } from '../../rules/build/path-confinement.ts'
import { changedBehaviour, uncheckedCriteria, untestedBehaviour } from '../../rules/build/reviewed-criteria.ts'
import { looksLikeTest } from '../../rules/build/test-paths.ts'
import type { Problem } from '../../rules/schema/problem.ts'
import type { TreeChange } from '../../workspace/git/repository.ts'
import { type Node, testsOf } from '../node.ts'
import { factsAt, inProject } from '../workspace.ts'
import { isExit } from './ask-until-verified.ts'

/** The files, without tests, that do something else after `changes`, which lead from the node's base to `at`. */
export async function behaviourChangedBy(node: Node, changes: readonly TreeChange[], at: string): Promise<string[]> {
  const { workspace, state } = node
  const tests = testsOf(node)
  const files = changes
    .flatMap(({ path }) => inProject(workspace, path) ?? [])
    .filter((path) => !looksLikeTest(path) && !tests.some((test) => isWithin(path, test)))
  const [before, after] = await Promise.all([factsAt(workspace, state.base, files), factsAt(workspace, at, files)])
  return changedBehaviour(before, after)
}

/** Why work without any test does not hold; nothing if it changes only documents or types, or was tested by its parts. */
export async function untestedWork(node: Node, changes: readonly TreeChange[], at: string): Promise<Problem[]> {
  if (node.state.children.length > 0) return []
  return untestedBehaviour(node.state.ownCriteria(), await behaviourChangedBy(node, changes, at))
}

export async function unchecked(node: Node, exit: Exit, commit: string): Promise<Problem[]> {
  const reviewed = node.state.reviewed()
  if (!isExit(exit, 'Approved') || reviewed.length === 0) return []
  const { repository } = node.workspace
  const [files, changes] = await Promise.all([
    repository.listFiles(commit),
    repository.changes(node.state.base, commit),
  ])
  const work = { files, changed: changes.map(({ path }) => path) }
  return uncheckedCriteria(reviewed, exit.payload.checked ?? [], work)
}
