/** Says early which siblings at work would conflict (RB3). */
import type { StepContext } from '../../kernel/engine.ts'
import type { TreeChange } from '../../workspace/git/repository.ts'
import { conflictForecast } from '../events.ts'
import { type Node, placeOf, subjectOf } from '../node.ts'

interface SoFar {
  commit: string
  /** Since the commit of the parent's branch that it stands on. */
  changes: TreeChange[]
}

/** What each node has so far, by the branch it will be merged into. Only for forecasts: it is gone with the process. */
const heads = new Map<string, Map<string, SoFar>>()

const keyOf = ({ input }: Node) => `${input.build} ${input.into}`

export async function forecastConflicts(
  node: Node,
  step: StepContext,
  commit: string,
  base = node.state.base,
): Promise<void> {
  if (!node.input.parent) return
  const { repository } = node.workspace
  const own = { commit, changes: await repository.changes(base, commit) }
  const siblings = heads.get(keyOf(node)) ?? new Map<string, SoFar>()
  heads.set(keyOf(node), siblings)
  const id = node.input.spec.id
  siblings.set(id, own)
  const others = [...siblings]
    .filter(([name, other]) => name !== id && mayConflict(own.changes, other.changes))
    .map(([name, { commit }]) => ({ name, commit }))
  for (const { name, files } of await repository.forecast(commit, others))
    step.emit(conflictForecast.create(placeOf(node), { ...subjectOf(node), with: name, files }))
}

/** It is merged, or given up: nobody conflicts with it any more. */
export function leaveForecast(node: Node): void {
  const siblings = heads.get(keyOf(node))
  siblings?.delete(node.input.spec.id)
  if (siblings?.size === 0) heads.delete(keyOf(node))
}

/** Among many siblings a merge of each two is dear; where they touch nothing in common there is nothing to find. */
function mayConflict(ones: readonly TreeChange[], others: readonly TreeChange[]): boolean {
  // What is gone from one place may have been moved, and the other side's work with it.
  if ([...ones, ...others].some(({ status }) => status === 'deleted')) return true
  const touched = new Set(others.map(({ path }) => path))
  const folders = new Set(others.flatMap(({ path }) => foldersOf(path)))
  return ones.some(
    ({ path }) => touched.has(path) || folders.has(path) || foldersOf(path).some((folder) => touched.has(folder)),
  )
}

function foldersOf(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}
