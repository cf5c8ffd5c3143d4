import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../../kernel/events.ts'
import { costLine, Spending } from './spending.ts'

const about = { ask: 'a', kind: 'answer', agent: 'gpt', attempt: 1 }
const event = (seq: number, type: string, data: object) =>
  ({ seq, type, version: 1, stream: 's', id: `${seq}`, ts: '', data: { ...about, ...data } }) as unknown as StoredEvent
const started = (seq: number) => event(seq, 'ask.started', { reserved: { tokens: 1, usd: null } })
const finished = (seq: number, usd: number | null) =>
  event(seq, 'ask.finished', { usage: { inputTokens: 1000, outputTokens: 234, usd }, tries: 1, milliseconds: 1 })

describe('what a command spent', () => {
  it('counts the asks of this command', () => {
    const spending = new Spending(2)
    for (const one of [started(1), finished(2, 5), started(3), finished(4, 0.5)]) spending.see(one)
    expect(spending.cost).toEqual({ calls: 1, tokens: 1234, usd: 0.5 })
    expect(costLine(spending.cost!)).toBe('1 call, 1,234 tokens, $0.50')
  })

  it('[BU1] says that a price is unknown, and nothing where nothing was asked', () => {
    const spending = new Spending()
    expect(spending.cost).toBeUndefined()
    for (const one of [started(1), finished(2, 0.001), started(3), finished(4, null)]) spending.see(one)
    expect(costLine(spending.cost!)).toBe('2 calls, 2,468 tokens, cost unknown')
    expect(costLine({ calls: 1, tokens: 1, usd: 0.0012 })).toBe('1 call, 1 tokens, $0.0012')
  })
})
