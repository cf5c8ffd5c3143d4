/** Fetches from a provider at the pace it can take: an answer that says "slow down" is waited out and the request made again. */
import type { CallOptions } from '../../kernel/agent.ts'
import { isOutOfCredit } from './failure.ts'
import type { Pace } from './pace.ts'
import { retryAfterMs } from './retry-after.ts'

/** 529 is Anthropic's word for it. */
const slowDown = new Set([429, 529])
const signOfLifeMs = 500

export function pacedFetch(
  fetch: typeof globalThis.fetch,
  pace: Pace,
  { patient = false, onActivity }: Pick<CallOptions, 'patient' | 'onActivity'>,
): typeof globalThis.fetch {
  return async (input, init) => {
    for (;;) {
      const turn = await whileAlive(pace.enter({ patient, signal: init?.signal ?? undefined }), onActivity)
      if (turn === null) return tooMany()
      let ended: Parameters<Pace['leave']>[1] = { kind: 'otherwise' }
      try {
        const response = await fetch(input, init)
        if (response.ok) ended = { kind: 'well' }
        if (!slowDown.has(response.status)) return response
        const { status, headers } = response
        const body = await response.text()
        const asItCame = () => new Response(body, { status, headers })
        if (isOutOfCredit(body)) return asItCame()
        ended = { kind: 'told-to-wait', retryAfterMs: retryAfterMs(Object.fromEntries(headers), body, Date.now()) }
        if (!patient) return asItCame()
      } finally {
        pace.leave(turn, ended)
      }
    }
  }
}

/** Who waits for a provider has not fallen silent. */
async function whileAlive<Value>(wait: Promise<Value>, onActivity: (() => void) | undefined): Promise<Value> {
  const beat = setInterval(() => onActivity?.(), signOfLifeMs)
  try {
    return await wait
  } finally {
    clearInterval(beat)
  }
}

function tooMany(): Response {
  const message = 'it still answers that there are too many requests'
  const body = JSON.stringify({ error: { message, type: 'rate_limit_error' } })
  return new Response(body, { status: 429, headers: { 'content-type': 'application/json' } })
}
