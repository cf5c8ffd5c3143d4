import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../events.ts'
import { costOf, requestWords } from './cost.ts'

const about = { ask: 'a', kind: 'implement', agent: 'gpt', attempt: 1 }
const event = (type: string, data: object) =>
  ({ seq: 1, type, version: 1, stream: 's', id: '1', ts: '', data: { ...about, ...data } }) as unknown as StoredEvent
const started = event('ask.started', { reserved: { tokens: 1, usd: null } })
const finished = (usage: object) => event('ask.finished', { usage: { usd: 0.5, ...usage }, tries: 1, milliseconds: 1 })

describe('what asks cost', () => {
  it('counts requests to a model as calls, and asks as asks', () => {
    const worked = finished({ inputTokens: 100, outputTokens: 20, requests: 4 })
    const answered = finished({ inputTokens: 10, outputTokens: 2 })
    const unreachable = finished({ inputTokens: 0, outputTokens: 0, usd: 0 })
    const events = [started, worked, started, answered, started, unreachable, event('reply.posted', {})]
    expect(costOf(events)).toEqual({ asks: 3, calls: 5, tokens: 132, usd: 1 })
    expect(costOf([started, finished({ inputTokens: 1, outputTokens: 1, usd: null })]).usd).toBeNull()
  })

  it('always names both', () => {
    expect(requestWords({ asks: 1, calls: 1 })).toBe('1 ask with 1 request')
    expect(requestWords({ asks: 3, calls: 5 })).toBe('3 asks with 5 requests')
  })
})
