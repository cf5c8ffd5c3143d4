/** Who answers when coordination breaks: one agent, never nobody while one can be reached. SPEC.md § RD8. */
import { byCodeUnit } from '../text/by-code-unit.ts'

export interface FailOpenState {
  /** The round's winner, if it was decided before things broke. */
  winner?: string
  /** Agents that can be reached. */
  live: readonly string[]
  /** Agents whose answer to this message has already failed for good. */
  failed?: readonly string[]
}

/** The winner if it can still answer, else the first other agent by name; nothing only when nobody is left. */
export function failOpen({ winner, live, failed = [] }: FailOpenState): string | undefined {
  const able = live.filter((name) => !failed.includes(name)).sort(byCodeUnit)
  return winner !== undefined && able.includes(winner) ? winner : able[0]
}
