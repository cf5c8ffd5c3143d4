import { describe, expect, it } from 'vitest'
import { curvesOf, soFar } from './curves.ts'

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
