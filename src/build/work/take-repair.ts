/** Takes what a person committed to repair the project while the build was parked after an ask: the agent is not asked again. VF4. */

import { askFinished } from '../../kernel/ask/ask-events.ts'
import type { StepContext } from '../../kernel/engine.ts'
import { runParked } from '../../kernel/run-events.ts'
import { configurationFault } from '../../rules/build/configuration-fault.ts'
import { buildMoved, warningGiven } from '../events.ts'
import { eventHeader, type Node } from '../node.ts'
import { keepFiles } from './keep-files.ts'

export interface Repaired {
  /** The commit that the work stands on from now on. */
  base: string
  /** The work on it. */
  tree: string
}

/**
 * Only for one agent alone, whose work is nothing but its tree, and on the branch that the build started from, whatever is checked
 * out now. Null if the build was not parked since the last ask, nothing was committed, or the work conflicts with it.
 */
export async function repairFor(
  node: Node,
  step: StepContext,
  { tree, from }: { tree: string; from: string },
): Promise<Repaired | null> {
  const { workspace, state, input, deps } = node
  const { repository } = workspace
  if (input.issue || input.parent || input.target === undefined || state.head !== state.base) return null
  const events = await deps.store.read({ run: input.build, types: [runParked.type, askFinished.type] })
  const isRepairAwaited = events
    .slice(events.findLastIndex((event) => askFinished.is(event)) + 1)
    .some((event) => runParked.is(event) && event.data.code === configurationFault)
  if (!isRepairAwaited) return null
  const base = await repository.resolve(`refs/heads/${input.target}`)
  if (base === null || base === state.base || !(await repository.isAncestor(state.base, base))) return null
  const joined = await repository.merge(base, await keepFiles(node, tree, from))
  if (joined.conflicts.length > 0) return null
  const text = `Work moved onto ${base.slice(0, 10)}: your branch changed while the build was parked`
  step.emit(warningGiven.create(eventHeader(node), { text }))
  step.emit(buildMoved.create(eventHeader(node), { base }))
  return { base, tree: joined.tree }
}
