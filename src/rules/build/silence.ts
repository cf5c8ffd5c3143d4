/** Tells an agent at work from one that has gone quiet. Time comes in as data. SPEC.md § GR5. */

export interface Activity {
  startedAt: number
  lastTokenAt?: number
  lastToolAt?: number
  /** A tool call is open: the agent waits for it, and the command has a time limit of its own. */
  toolRunning?: boolean
  nudgedAt?: number
  now: number
}

export type SilenceVerdict =
  /** Look again after `forMs`. */
  { action: 'nothing'; forMs: number } | { action: 'nudge' } | { action: 'failed' }

export const defaultSilenceLimits = { silenceMs: 60_000 }

/** One nudge an attempt; a second silence fails it. A nudge that was answered does not buy another. */
export function silence(activity: Activity, limits = defaultSilenceLimits): SilenceVerdict {
  if (activity.toolRunning) return { action: 'nothing', forMs: limits.silenceMs }
  const { startedAt, lastTokenAt = startedAt, lastToolAt = startedAt, nudgedAt = startedAt, now } = activity
  const quietSince = Math.max(startedAt, lastTokenAt, lastToolAt, nudgedAt)
  const left = quietSince + limits.silenceMs - now
  if (left > 0) return { action: 'nothing', forMs: left }
  return { action: activity.nudgedAt === undefined ? 'nudge' : 'failed' }
}
