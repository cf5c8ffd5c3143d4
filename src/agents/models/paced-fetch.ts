/** Wraps fetch with a provider's pace: waits after a rate-limit response, then repeats the request. */
import type { CallOptions } from '../../kernel/agent.ts'
import { isOutOfCredit } from '../../rules/build/configuration-fault.ts'
import type { Pace } from './pace.ts'
import { retryAfterMs } from './retry-after.ts'

/** 529 is Anthropic's "overloaded". */
const rateLimitStatuses = new Set([429, 529])
const heartbeatMs = 500

export function pacedFetch(
  fetch: typeof globalThis.fetch,
  pace: Pace,
  { patient = false, onActivity }: Pick<CallOptions, 'patient' | 'onActivity'>,
): typeof globalThis.fetch {
  return async (input, init) => {
    for (;;) {
      const permit = await reportingActivity(pace.enter({ patient, signal: init?.signal ?? undefined }), onActivity)
      if (permit === null) return tooMany()
      let outcome: Parameters<Pace['leave']>[1] = { kind: 'failed' }
      try {
        const response = await fetch(input, init)
        if (response.ok) outcome = { kind: 'succeeded' }
        if (!rateLimitStatuses.has(response.status)) return response
        const { status, headers } = response
        const body = await response.text()
        const sameResponse = () => new Response(body, { status, headers })
        if (isOutOfCredit(body)) return sameResponse()
        outcome = { kind: 'rate-limited', retryAfterMs: retryAfterMs(Object.fromEntries(headers), body, Date.now()) }
        if (!patient) return sameResponse()
      } finally {
        pace.leave(permit, outcome)
      }
    }
  }
}

/** Reports activity while waiting, so that the call does not time out as silent. */
async function reportingActivity<Value>(wait: Promise<Value>, onActivity: (() => void) | undefined): Promise<Value> {
  const beat = setInterval(() => onActivity?.(), heartbeatMs)
  try {
    return await wait
  } finally {
    clearInterval(beat)
  }
}

function tooMany(): Response {
  const message = 'still rate-limited after the longest wait'
  const body = JSON.stringify({ error: { message, type: 'rate_limit_error' } })
  return new Response(body, { status: 429, headers: { 'content-type': 'application/json' } })
}
