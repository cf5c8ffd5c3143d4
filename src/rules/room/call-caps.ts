/**
 * Limits a room's model calls per minute. That each agent proposes and answers at most once per message follows from
 * how a round works. SPEC.md § RD12.
 */

/** `retries`: further attempts of a failed call, counted apart from the first. */
export const defaultCallCaps = { retries: 2, calls_per_minute: 1200 }

const minute = 60_000

/** Milliseconds until `count` more calls fit; 0 is now. `times` are the times of earlier calls, in order. */
export function waitForCalls(times: readonly number[], count: number, now: number, perMinute: number): number {
  const first = times.findIndex((at) => at > now - minute)
  const recent = first < 0 ? 0 : times.length - first
  const over = recent + Math.min(count, perMinute) - perMinute
  return over > 0 ? times[first + over - 1]! + minute - now : 0
}
