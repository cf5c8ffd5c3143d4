/** Whether a coding agent is asked over the agent client protocol or in its own headless mode. SPEC.md § AG6. */

export interface WaysOfAsking {
  /** `headless: true` in the configuration. */
  wantsHeadless: boolean
  /** The program that speaks the protocol is on this machine, or the configuration names one. */
  hasAdapter: boolean
  /** The agent's own program is on this machine, and its headless mode is known. */
  hasHeadless: boolean
}

export type WayOfAsking = 'acp' | 'headless' | 'missing'

export function wayOfAsking({ wantsHeadless, hasAdapter, hasHeadless }: WaysOfAsking): WayOfAsking {
  if (wantsHeadless) return hasHeadless ? 'headless' : 'missing'
  if (hasAdapter) return 'acp'
  return hasHeadless ? 'headless' : 'missing'
}

/** In its headless mode an agent cannot ask a person while it works: what would need that is refused before. */
export function mayWorkHeadless(policy: string, mayWrite: boolean): boolean {
  return !mayWrite || policy !== 'ask'
}
