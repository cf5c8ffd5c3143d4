/** How long the second agent of a synthesis waits for the first. Times are data, in milliseconds. SPEC.md § RD7. */

export interface WaitLimits {
  /** Without a token or a heartbeat for this long, the first agent is given up. */
  silence_ms: number
  /** However lively it is, nobody waits longer than this. */
  total_ms: number
}

export const defaultWaitLimits: WaitLimits = { silence_ms: 15_000, total_ms: 120_000 }

export type Waiting = { kind: 'wait'; until: number } | { kind: 'give_up'; because: 'silence' | 'total' }

/** `until` is the moment to ask again if no sign of life comes before. */
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
