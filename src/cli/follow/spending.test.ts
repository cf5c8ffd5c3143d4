import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../../kernel/events.ts'
import type { Output } from '../display/output.ts'
import { Spending } from './spending.ts'

const about = { ask: 'a', kind: 'answer', agent: 'gpt', attempt: 1 }
const event = (seq: number, type: string, data: object) =>
  ({ seq, type, version: 1, stream: 's', id: `${seq}`, ts: '', data: { ...about, ...data } }) as unknown as StoredEvent
const started = (seq: number) => event(seq, 'ask.started', { reserved: { tokens: 1, usd: null } })
const finished = (seq: number, usd: number | null, more = {}) =>
  event(seq, 'ask.finished', {
    usage: { inputTokens: 1000, outputTokens: 234, usd, ...more },
    tries: 1,
    milliseconds: 1,
  })

describe('what a command spent', () => {
  it('counts the asks of this command', () => {
    const spending = new Spending(2)
    for (const one of [started(1), finished(2, 5), started(3), finished(4, 0.5)]) spending.see(one)
    expect(spending.cost).toEqual({ asks: 1, calls: 1, tokens: 1234, usd: 0.5 })
  })

  it('says so where it counts a resumed run from its start, and how long the command took', () => {
    let now = 1000
    const spending = new Spending(0, () => now)
    for (const one of [started(1), finished(2, 0.5, { requests: 4 })]) spending.see(one)
    now += 471_000
    const lines: string[] = []
    const output = { note: (line: string) => lines.push(line), style: (_: string, text: string) => text }
    spending.print(output as unknown as Output)
    spending.print(output as unknown as Output, { isResumed: true })
    expect(lines).toEqual([
      'spent: 1 ask with 4 requests, 1,234 tokens, $0.50, 7 min 51 s',
      'spent since the run began: 1 ask with 4 requests, 1,234 tokens, $0.50, 7 min 51 s for this command',
    ])
  })

  it('says nothing where nothing was asked', () => {
    const lines: string[] = []
    new Spending().print({ note: (line: string) => lines.push(line) } as unknown as Output)
    expect(lines).toEqual([])
  })
})
