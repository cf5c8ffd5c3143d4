/** Whether a room may make one more model call. Pure: the calls so far and the time come in as data. SPEC.md § RD12. */

export interface RoomCall {
  kind: 'micro-proposal' | 'answer'
  message: string
  agent: string
  /** When it was started, in milliseconds. */
  at: number
  /** Another try of a call that failed. */
  retry?: boolean
}

export interface CallCaps {
  proposals: number
  answers: number
  /** Further tries of a failed call, counted apart from the first. */
  retries: number
  calls_per_minute: number
}

export const defaultCallCaps: CallCaps = { proposals: 1, answers: 1, retries: 2, calls_per_minute: 1200 }

export type CallPermit =
  | { ok: true }
  | { ok: false; cap: 'proposals' | 'answers' | 'retries' }
  | { ok: false; cap: 'calls_per_minute'; retryAt: number }

/** `past` are the room's calls, in any order; only this message's and the last minute's matter. */
export function permitCall(call: RoomCall, past: readonly RoomCall[], caps: CallCaps = defaultCallCaps): CallPermit {
  const same = past.filter(({ kind, message, agent }) => {
    return kind === call.kind && message === call.message && agent === call.agent
  })
  const retry = call.retry === true
  const cap = retry ? 'retries' : call.kind === 'answer' ? 'answers' : 'proposals'
  if (same.filter((one) => (one.retry === true) === retry).length >= caps[cap]) return { ok: false, cap }

  const times = past.map(({ at }) => at).sort((a, b) => a - b)
  const wait = waitForCalls(times, 1, call.at, caps.calls_per_minute)
  return wait === 0 ? { ok: true } : { ok: false, cap: 'calls_per_minute', retryAt: call.at + wait }
}

const minute = 60_000

/** How long until `count` more calls are within the minute's; 0: now. `times` are those of the calls made, in order. */
export function waitForCalls(times: readonly number[], count: number, now: number, perMinute: number): number {
  const first = times.findIndex((at) => at > now - minute)
  const recent = first < 0 ? 0 : times.length - first
  const over = recent + Math.min(count, perMinute) - perMinute
  return over > 0 ? times[first + over - 1]! + minute - now : 0
}
