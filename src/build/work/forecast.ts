/** Warns early which working siblings would conflict (RB3). */
import type { StepContext } from '../../kernel/engine.ts'
import type { TreeChange } from '../../workspace/git/repository.ts'
import { conflictForecast } from '../events.ts'
import { eventHeader, type Node, subjectOf } from '../node.ts'

interface SoFar {
  commit: string
  /** Changes since its base. */
  changes: TreeChange[]
}

/** The head of each working node, by target branch. In memory: used for forecasts only. */
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
    step.emit(conflictForecast.create(eventHeader(node), { ...subjectOf(node), with: name, files }))
}

/** Call it when a node is merged or given up. */
export function leaveForecast(node: Node): void {
  const siblings = heads.get(keyOf(node))
  siblings?.delete(node.input.spec.id)
  if (siblings?.size === 0) heads.delete(keyOf(node))
}

/** Skips the costly trial merge for two siblings that touch nothing in common. */
function mayConflict(ones: readonly TreeChange[], others: readonly TreeChange[]): boolean {
  // A deleted file may have been moved, with the other side's changes in it.
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
