/** Says early which siblings at work would conflict (RB3). */
import type { StepContext } from '../kernel/engine.ts'
import { conflictForecast } from './events.ts'
import { type Node, placeOf, whose } from './node.ts'

/** What each node has so far, by the branch it will be merged into. Only for forecasts: it is gone with the process. */
const heads = new Map<string, Map<string, string>>()

const keyOf = ({ input }: Node) => `${input.build} ${input.into}`

export async function forecastConflicts(node: Node, step: StepContext, commit: string): Promise<void> {
  const siblings = heads.get(keyOf(node)) ?? new Map<string, string>()
  heads.set(keyOf(node), siblings)
  const id = node.input.spec.id
  siblings.set(id, commit)
  const others = [...siblings].filter(([name]) => name !== id).map(([name, commit]) => ({ name, commit }))
  if (others.length === 0) return
  for (const { name, files } of await node.shop.repository.forecast(commit, others)) {
    if (files.length === 0) continue
    step.emit(conflictForecast.create(placeOf(node), { ...whose(node), with: name, files }))
  }
}

/** It is merged, or given up: nobody conflicts with it any more. */
export function leaveForecast(node: Node): void {
  const siblings = heads.get(keyOf(node))
  siblings?.delete(node.input.spec.id)
  if (siblings?.size === 0) heads.delete(keyOf(node))
}
