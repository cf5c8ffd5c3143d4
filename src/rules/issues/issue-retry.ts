/** Decides what follows a failed attempt, and whether an issue's claim has lapsed. SPEC.md § IS. */
import { type IssueState, stateAfter } from './issue-states.ts'

export const defaultRetryLimits = { retries: 3 }
export type RetryLimits = typeof defaultRetryLimits

export type RetryDecision =
  | { kind: 'retry'; attempt: number; retry: number; last: boolean }
  | { kind: 'blocked'; reason: string }

/** [IS1] `attempt` is the failed attempt, from 1: a first attempt and three retries, then BLOCKED. */
export function retryDecision(attempt: number, limits: RetryLimits = defaultRetryLimits): RetryDecision {
  const retry = Math.max(1, attempt)
  if (retry <= limits.retries) return { kind: 'retry', attempt: retry + 1, retry, last: retry === limits.retries }
  const times = limits.retries === 1 ? '1 retry' : `${limits.retries} retries`
  return { kind: 'blocked', reason: `failed on the first attempt and after ${times}` }
}

/** [IS3] An issue's claim lapses this long after its last heartbeat. */
export const defaultLockLimits = { stale_minutes: 30 }

/** What is known about an issue's claim. */
export interface IssueClaim {
  /** False once the claim was released, or was not renewed for `stale_minutes`. */
  isHeld: boolean
  /** False if the process that worked on the issue is provably gone. */
  ownerAlive: boolean
}

/** [IS3] A claim ends with its lease or with the process that took it. */
export function isClaimStale({ isHeld, ownerAlive }: IssueClaim): boolean {
  return !isHeld || !ownerAlive
}

/** [IS3] The state of an issue whose claim has lapsed; states without work in progress stay. */
export function stateAfterStaleClaim(state: IssueState): IssueState {
  return stateAfter(state, 'interrupted') ?? state
}
