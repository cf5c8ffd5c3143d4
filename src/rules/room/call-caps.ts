/**
 * How many model calls a room makes. Pure: the calls so far and the time come in as data. That each agent proposes and
 * answers a message at most once lies in the shape of a round; what is left to decide is its pace. SPEC.md § RD12.
 */

/** `retries`: further attempts of a failed call, counted apart from the first. */
export const defaultCallCaps = { retries: 2, calls_per_minute: 1200 }

const minute = 60_000

/** How long until `count` more calls are within the minute's; 0: now. `times` are those of the calls made, in order. */
export function waitForCalls(times: readonly number[], count: number, now: number, perMinute: number): number {
  const first = times.findIndex((at) => at > now - minute)
  const recent = first < 0 ? 0 : times.length - first
  const over = recent + Math.min(count, perMinute) - perMinute
  return over > 0 ? times[first + over - 1]! + minute - now : 0
}
