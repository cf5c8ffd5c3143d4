/** Takes what a person committed to repair the project while the build was parked after an ask: the agent is not asked again. VF4. */
import type { StepContext } from '../../kernel/engine.ts'
import { runParked } from '../../kernel/run-events.ts'
import { configurationFault } from '../../rules/build/configuration-fault.ts'
import { warningGiven } from '../events.ts'
import { eventHeader, type Node } from '../node.ts'
import { keepFiles } from './keep-files.ts'

export interface Repaired {
  /** The commit that the work stands on from now on. */
  base: string
  /** The work on it. */
  tree: string
}

/**
 * Only for one agent alone, whose work is nothing but its tree, on the user's own branch. Null if nothing was parked, nothing was
 * committed, or the work conflicts with it.
 */
export async function repairFor(
  node: Node,
  step: StepContext,
  { tree, from }: { tree: string; from: string },
): Promise<Repaired | null> {
  const { workspace, state, input, deps } = node
  const { repository } = workspace
  if (input.issue || input.parent || state.head !== state.base) return null
  const parked = await deps.store.read({ run: input.build, types: [runParked.type] })
  if (!parked.some((event) => runParked.is(event) && event.data.code === configurationFault)) return null
  const base = await repository.head()
  if (base === state.base || !(await repository.isAncestor(state.base, base))) return null
  const joined = await repository.merge(base, await keepFiles(node, tree, from))
  if (joined.conflicts.length > 0) return null
  const text = `the work goes on from ${base.slice(0, 10)}: the branch moved while the build was parked`
  step.emit(warningGiven.create(eventHeader(node), { text }))
  return { base, tree: joined.tree }
}
