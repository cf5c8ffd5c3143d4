import { describe, expect, it } from 'vitest'
import { curvesOf, soFar } from './curves.ts'
import type { Origin } from './run-calls.ts'
import { chainOf } from './why-chain.ts'

const told = (seq: number, type: string, summary = '', actor?: string) => ({
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
  run: 'ship-1/run/issue-3/build',
  events: [
    told(1, 'message.posted', 'Let people export'),
    told(2, 'exit.routed', 'TestsReady'),
    told(3, 'ask.finished', 'implement TestsPassed', 'coder'),
    told(4, 'tool.used', 'read'),
  ],
  cost: { calls: 1, tokens: 5, usd: 0 },
} as Origin

describe('why', () => {
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
    expect(chain[5]!.lines).toEqual([
      expect.objectContaining({ seq: 3, actor: 'coder', text: 'implement TestsPassed' }),
    ])
  })

  it('leaves out what is not known, and of a long story keeps the end', () => {
    const many = Array.from({ length: 30 }, (_, index) => told(index + 1, 'exit.routed', `exit ${index + 1}`))
    const chain = chainOf('30', { commit: null, issue: null, criteria: [], run: null, events: many } as Origin)
    expect(chain.map(({ what }) => what)).toEqual(['asked', 'decisions'])
    expect(chain[1]!.more).toBe(22)
    expect(chain[1]!.lines.at(-1)!.seq).toBe(30)
  })
})

describe('curves', () => {
  it('add up what was spent, from nought', () => {
    const slice = (usd: number) => ({ events: 1, calls: 1, tokens: 1, usd, merges: 0 })
    const points = soFar({ from: 100, width: 10, list: [slice(1), slice(0), slice(2)] }, ({ usd }) => usd ?? 0)
    expect(points).toEqual([
      { x: 100, y: 0 },
      { x: 110, y: 1 },
      { x: 120, y: 1 },
      { x: 130, y: 3 },
    ])
  })

  it('follow agreement over rounds, phase by phase; a phase that is done again counts on', () => {
    const measured = (phase: string, round: number, score: number | null, positions: number | null) => ({
      seq: 1,
      run: 'p',
      phase,
      round,
      score,
      positions,
      verdict: 'low',
    })
    const curves = curvesOf([
      measured('4', 1, 0.2, null),
      measured('6', 1, 0.9, 1),
      measured('4', 2, 0.4, 0.5),
      measured('4', 1, 0.6, 0.8),
    ])
    expect(curves.map(({ phase }) => phase)).toEqual(['4', '6'])
    expect(curves[0]!.words.map(({ x }) => x)).toEqual([1, 2, 3])
    expect(curves[0]!.conclusions).toEqual([
      { x: 2, y: 0.5 },
      { x: 3, y: 0.8 },
    ])
  })
})
