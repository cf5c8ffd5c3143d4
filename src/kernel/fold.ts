/** Views are folds of events: the same code in server, command line and browser. */
import type { StoredEvent } from './events.ts'

export interface Fold<State> {
  initial(): State
  /** Returns the state after one more event. May modify `state` in place: a fold owns its state. */
  evolve(state: State, event: StoredEvent): State
}

export function foldEvents<State>(fold: Fold<State>, events: Iterable<StoredEvent>, from = fold.initial()): State {
  let state = from
  for (const event of events) state = fold.evolve(state, event)
  return state
}
