/** Decides how long the second agent of a synthesis waits for the first. Times in milliseconds. SPEC.md § RD7. */

export interface WaitLimits {
  /** Stop waiting after this long without a token or heartbeat. */
  silence_ms: number
  /** Stop waiting after this long in any case. */
  total_ms: number
}

export const defaultWaitLimits: WaitLimits = { silence_ms: 15_000, total_ms: 120_000 }

export type Waiting = { kind: 'wait'; until: number } | { kind: 'give_up'; because: 'silence' | 'total' }

/** `until` is when to check again if the first agent stays quiet. */
export function synthesisWait(
  times: { started: number; lastSign?: number; now: number },
  limits: WaitLimits = defaultWaitLimits,
): Waiting {
  const silentSince = Math.max(times.started, times.lastSign ?? times.started)
  const patience = silentSince + limits.silence_ms
  const end = times.started + limits.total_ms
  if (times.now >= end) return { kind: 'give_up', because: 'total' }
  if (times.now >= patience) return { kind: 'give_up', because: 'silence' }
  return { kind: 'wait', until: Math.min(patience, end) }
}
