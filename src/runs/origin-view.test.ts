import { describe, expect, it } from 'vitest'
import type { Origin } from './origin.ts'
import { chainOf } from './origin-view.ts'

const event = (seq: number, type: string, summary = '', actor?: string) => ({
  seq,
  ts: '2026-03-01T10:00:00.000Z',
  type,
  summary,
  ...(actor ? { actor } : {}),
})

const origin: Origin = {
  commit: '0123456789abcdef',
  subject: 'feat(export): Implement issue #3',
  author: 'Ada',
  issue: { feature: 'export', number: 3 },
  criteria: ['csv'],
  words: { title: 'Export', criteria: [{ id: 'csv', text: 'It is CSV' }], decisions: [], checks: [] },
  run: 'ship-1/run/issue-3/build',
  events: [
    event(1, 'message.posted', 'Let people export'),
    event(2, 'exit.routed', 'TestsReady'),
    event(3, 'ask.finished', 'implement TestsPassed', 'coder'),
    event(4, 'tool.used', 'read'),
  ],
  cost: { asks: 1, calls: 1, tokens: 5, usd: 0 },
} as Origin

describe('chainOf', () => {
  it('goes from the line to the commit, issue, criterion, decision, turn and message', () => {
    const chain = chainOf('src/export.ts:12', origin)
    expect(chain.map(({ what }) => what)).toEqual([
      'asked',
      'commit',
      'issue',
      'criteria',
      'decisions',
      'turns',
      'message',
      'run',
    ])
    expect(chain[0]).toMatchObject({ title: 'Line 12', lines: [{ text: 'src/export.ts' }] })
    expect(chain[2]!.lines).toEqual([{ text: 'Export' }])
    expect(chain[3]!.lines).toEqual([{ text: 'It is CSV' }])
    expect(chain[5]!.lines).toEqual([
      expect.objectContaining({ seq: 3, actor: 'coder', text: 'implement TestsPassed' }),
    ])
  })

  it('leaves out unknown links, and shows only the end of a long list', () => {
    const many = Array.from({ length: 30 }, (_, index) => event(index + 1, 'exit.routed', `exit ${index + 1}`))
    const words = { criteria: [], decisions: [], checks: [] }
    const chain = chainOf('30', { commit: null, issue: null, criteria: [], words, run: null, events: many } as Origin)
    expect(chain.map(({ what }) => what)).toEqual(['asked', 'decisions'])
    expect(chain[1]!.more).toBe(22)
    expect(chain[1]!.lines.at(-1)!.seq).toBe(30)
  })
})
