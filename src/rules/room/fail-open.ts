/** Picks the one agent that answers when coordination fails. SPEC.md § RD8. */
import { byCodeUnit } from '../text/by-code-unit.ts'

export interface FailOpenState {
  /** The round's winner, if it was decided before the failure. */
  winner?: string
  /** Agents that can be reached. */
  live: readonly string[]
  /** Agents that have already failed to answer this message. */
  failed?: readonly string[]
}

/** The winner if it can still answer, else the first other agent by name; undefined if none is left. */
export function failOpen({ winner, live, failed = [] }: FailOpenState): string | undefined {
  const able = live.filter((name) => !failed.includes(name)).sort(byCodeUnit)
  return winner !== undefined && able.includes(winner) ? winner : able[0]
}
