/** Whether a refused agent continues its conversation, and what a fresh one says about earlier attempts. SPEC.md § VF8. */
import { oneLine } from '../text/one-line.ts'

export interface PastAttempt {
  attempt: number
  /** What the agent did: its own words, or the exit and the files it changed. */
  strategy: string
  /** Why it did not count. */
  outcome: string
}

export const defaultThreadLimits = { tokens: 60_000 }

/** A refused agent continues its conversation unless it has become too long. */
export function continuesThread(tokens: number, limits = defaultThreadLimits): boolean {
  return tokens <= limits.tokens
}

/** Two lines for each attempt, oldest first. */
export function attemptHistory(attempts: readonly PastAttempt[]): string {
  return attempts
    .map(
      ({ attempt, strategy, outcome }) => `Attempt ${attempt}: ${oneLine(strategy, 200)}\n  → ${oneLine(outcome, 300)}`,
    )
    .join('\n')
}
