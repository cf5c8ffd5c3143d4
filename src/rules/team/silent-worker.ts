/** TM1: when a process that shares the runs counts as dead. */

/** Longer than any pause of a healthy process, and short enough for a takeover within five seconds. */
export const silenceMs = 3500

/**
 * Only one that could itself reach the database for as long may judge: after an outage everyone was silent, and nobody
 * died of it.
 */
export function isTakenForDead({ silentMs, watchedMs }: { silentMs: number; watchedMs: number }): boolean {
  return silentMs > silenceMs && watchedMs > silenceMs
}
