/** What happens after a failed try, and after a worker fell silent. Times come in as data. SPEC.md § IS. */
import { type IssueState, stateAfter } from './issue-states.ts'

export const defaultRetryLimits = { retries: 3 }
export type RetryLimits = typeof defaultRetryLimits

export type RetryDecision =
  | { kind: 'retry'; attempt: number; retry: number; last: boolean }
  | { kind: 'blocked'; reason: string }

/** [IS1] `attempt` is the try that failed, counted from 1: the first try and three retries, then BLOCKED. */
export function retryDecision(attempt: number, limits: RetryLimits = defaultRetryLimits): RetryDecision {
  const retry = Math.max(1, attempt)
  if (retry <= limits.retries) return { kind: 'retry', attempt: retry + 1, retry, last: retry === limits.retries }
  const times = limits.retries === 1 ? '1 retry' : `${limits.retries} retries`
  return { kind: 'blocked', reason: `failed on the first try and after ${times}` }
}

/** [IS3] An issue's lock lapses this long after its last heartbeat. */
export const defaultLockLimits = { stale_minutes: 30 }

/** [IS3] The state of an issue whose stale lock is released; what was not being worked on stays as it is. */
export function stateAfterStaleLock(state: IssueState): IssueState {
  return stateAfter(state, 'interrupted') ?? state
}
