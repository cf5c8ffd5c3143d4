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

/** Attempts are counted anew after a person's answer; in the history they count on. */
export function withEarlier(earlier: readonly PastAttempt[], past: readonly PastAttempt[]): PastAttempt[] {
  const last = earlier.at(-1)?.attempt ?? 0
  const offset = (past[0]?.attempt ?? 0) > last ? 0 : last
  return [...earlier, ...past.map((one) => ({ ...one, attempt: one.attempt + offset }))]
}

/** Two lines for each attempt, oldest first. */
export function attemptHistory(attempts: readonly PastAttempt[]): string {
  return attempts
    .map(
      ({ attempt, strategy, outcome }) => `Attempt ${attempt}: ${oneLine(strategy, 200)}\n  → ${oneLine(outcome, 300)}`,
    )
    .join('\n')
}

/** A person's answer to a question about work that could not go on, for the agent that is asked again. */
export function personsAnswer(question: string, { choice, text }: { choice?: string; text?: string }): string {
  return `A person was asked: "${oneLine(question, 300)}" The answer: "${(text ?? choice ?? '').trim()}"`
}
