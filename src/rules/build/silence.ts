/** Decides when an agent counts as silent, and what follows. SPEC.md § GR5. */

/** No token and no tool activity for this long counts as silence. */
export const defaultSilenceSeconds = 60

/** Milliseconds until the agent counts as silent; 0 once it does. An open tool call keeps reporting activity. */
export function msUntilSilent(lastActivityAt: number, now: number, silenceMs: number): number {
  return Math.max(0, lastActivityAt + silenceMs - now)
}

/** One reminder per attempt; a second silence fails it, even if the agent reacted to the reminder. */
export function afterSilence(reminded: boolean): 'remind' | 'fail' {
  return reminded ? 'fail' : 'remind'
}
