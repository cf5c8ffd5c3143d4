/** Which children of a node may start, and which its implementer still waits for. SPEC.md § GR2. */

/**
 * `held-back`: waits for siblings it depends on. `merged`: in the parent's branch, and accepted by the parent's review.
 * `dropped` and `taken-over`: how the parent dealt with a failure; until it does, a child stays `failed`.
 */
export type ChildState = 'held-back' | 'working' | 'merged' | 'failed' | 'dropped' | 'taken-over'

export interface ChildProgress {
  id: string
  state: ChildState
  /** Ids of siblings. */
  dependsOn?: readonly string[] | null
}

/** Children that keep the implementer waiting. A failed child does so until its parent has dealt with it. */
export function openChildren(children: readonly ChildProgress[]): string[] {
  return children.filter(({ state }) => !isSettled(state)).map(({ id }) => id)
}

/** Children that have not started and whose dependencies are all settled. */
export function startableChildren(children: readonly ChildProgress[]): string[] {
  const settled = new Set(children.filter(({ state }) => isSettled(state)).map(({ id }) => id))
  return children
    .filter(({ state, dependsOn }) => state === 'held-back' && (dependsOn ?? []).every((id) => settled.has(id)))
    .map(({ id }) => id)
}

function isSettled(state: ChildState): boolean {
  return state === 'merged' || state === 'dropped' || state === 'taken-over'
}
