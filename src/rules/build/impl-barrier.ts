/** Says when a node's implementer may start: tests ready, and no child still open. SPEC.md § GR2. */

/**
 * `judging`: merged, and the parent's review is still looking at it. `dropped` and `taken-over` are settled by the parent
 * after a failure; a `failed` child that nobody has dealt with keeps the implementer waiting.
 */
export type ChildState = 'working' | 'judging' | 'merged' | 'failed' | 'dropped' | 'taken-over'

export interface Barrier {
  testsReady: boolean
  children: readonly { id: string; state: ChildState }[]
}

export function canStartImpl(barrier: Barrier): boolean {
  return implWaitsFor(barrier).length === 0
}

/** What is still missing, for a person: `tests`, and the ids of the children. */
export function implWaitsFor({ testsReady, children }: Barrier): string[] {
  const open = children.filter((child) => !isSettled(child.state)).map((child) => child.id)
  return testsReady ? open : ['tests', ...open]
}

export function isSettled(state: ChildState): boolean {
  return state === 'merged' || state === 'dropped' || state === 'taken-over'
}
