import { describe, expect, it } from 'vitest'
import { permitCall, type RoomCall } from './call-caps.ts'

const ask = (more: Partial<RoomCall> = {}): RoomCall => ({
  kind: 'answer',
  message: 'm1',
  agent: 'gpt',
  at: 0,
  ...more,
})

describe('call caps', () => {
  it('[RD12] one proposal and one answer for each agent and message', () => {
    expect(permitCall(ask(), [])).toEqual({ ok: true })
    expect(permitCall(ask(), [ask()])).toEqual({ ok: false, cap: 'answers' })
    expect(permitCall(ask({ kind: 'micro-proposal' }), [ask()])).toEqual({ ok: true })
    expect(permitCall(ask({ kind: 'micro-proposal' }), [ask({ kind: 'micro-proposal' })])).toEqual({
      ok: false,
      cap: 'proposals',
    })
    expect(permitCall(ask({ agent: 'claude' }), [ask()])).toEqual({ ok: true })
    expect(permitCall(ask({ message: 'm2' }), [ask()])).toEqual({ ok: true })
  })

  it('[RD12] tries of a failed call are counted apart', () => {
    const retry = ask({ retry: true })
    expect(permitCall(retry, [ask()])).toEqual({ ok: true })
    expect(permitCall(retry, [ask(), retry])).toEqual({ ok: true })
    expect(permitCall(retry, [ask(), retry, retry])).toEqual({ ok: false, cap: 'retries' })
    expect(permitCall(ask(), [retry])).toEqual({ ok: true })
  })

  it('[RD12] a room has so many calls a minute, and says when the next is free', () => {
    const caps = { proposals: 1, answers: 1, retries: 2, calls_per_minute: 2 }
    const past = [ask({ message: 'b', at: 20_000 }), ask({ message: 'a', at: 10_000 }), ask({ message: 'old', at: 0 })]
    expect(permitCall(ask({ at: 60_000 }), past, caps)).toEqual({ ok: false, cap: 'calls_per_minute', retryAt: 70_000 })
    expect(permitCall(ask({ at: 70_000 }), past, caps)).toEqual({ ok: true })
  })
})
