import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RunOverview } from '../../../../src/runs/overview.ts'
import type { RunSpan } from '../../../../src/runs/overview-lanes.ts'
import { barsOf, isOpenAtFirst, rowsOf, tracksOf } from './timeline-rows.ts'

const span = (from: number, to: number | null, more: Partial<RunSpan> = {}): RunSpan => ({
  seq: from,
  words: 'implement',
  from,
  to,
  tone: 'ok',
  ...more,
})

const line = (id: string, parent?: string) => ({
  id,
  ...(parent ? { parent } : {}),
  kind: 'build',
  title: id,
  status: 'done',
  from: 0,
  to: 100,
  spent: { asks: 0, calls: 0, tokens: 0, usd: 0, milliseconds: 0, failed: 0 },
})

const view = {
  run: 'b',
  runs: [line('b'), line('b/x', 'b'), line('b/y', 'b')],
  lanes: [
    { run: 'b', kind: 'command', spans: [span(50, 60)] },
    { run: 'b', kind: 'ask', agent: 'ada', spans: [span(0, 10), span(5, 20)] },
    { run: 'b/x', kind: 'ask', agent: 'bob', spans: [span(30, 40), span(12, 14)] },
  ],
} as unknown as RunOverview

describe('rows of a time line', () => {
  it('have each run before those below it, agents before commands, and parallel work below each other', () => {
    const rows = rowsOf(view, () => true, 0)
    expect(rows.map(({ key, depth }) => [key, depth])).toEqual([
      ['b', 0],
      ['b ask ada', 0],
      ['b command ', 0],
      ['b/x', 1],
      ['b/x ask bob', 1],
      ['b/y', 1],
    ])
    expect(rows[1]!.height).toBeGreaterThan(rows[2]!.height)
    expect(rows[5]).toMatchObject({ folds: false })
  })

  it('show all that goes on in a closed run in its own row, in order', () => {
    const [closed, ...rest] = rowsOf(view, () => false, 0)
    expect(rest).toEqual([])
    expect(closed).toMatchObject({ kind: 'run', open: false, folds: true })
    const froms = closed!.kind === 'run' ? closed!.within.map(({ from }) => from) : []
    expect(froms).toEqual([0, 5, 12, 30, 50])
  })

  it('begin closed below the first two levels where there are many', () => {
    const many = { ...view, lanes: Array.from({ length: 80 }, () => view.lanes[0]!) }
    expect(isOpenAtFirst(view)('b/x')).toBe(true)
    expect([isOpenAtFirst(many)('b'), isOpenAtFirst(many)('b/x')]).toEqual([true, true])
    const deep = { ...many, runs: [...view.runs, line('b/x/z', 'b/x')] }
    expect(isOpenAtFirst(deep)('b/x/z')).toBe(false)
  })
})

describe('tracks', () => {
  it('never hold two at one time while there is room for another track', () => {
    const spans = fc.array(
      fc.tuple(fc.nat(200), fc.nat(50)).map(([from, length]) => span(from, from + length)),
      { maxLength: 5 },
    )
    fc.assert(
      fc.property(spans, (given) => {
        const tracks = tracksOf(given, 0)
        expect(tracks.flat()).toHaveLength(given.length)
        for (const track of tracks)
          for (const [index, each] of track.entries())
            if (index > 0) expect(each.from).toBeGreaterThanOrEqual(track[index - 1]!.to!)
      }),
    )
  })

  it('count what goes on as lasting until now', () => {
    expect(tracksOf([span(0, null), span(50, 60)], 40)).toHaveLength(1)
    expect(tracksOf([span(0, null), span(50, 60)], 70)).toHaveLength(2)
  })
})

describe('bars', () => {
  const window = { from: 0, to: 1000 }

  it('lie where their time is, and are never too narrow to be hit', () => {
    const [bar] = barsOf([span(500, 501)], window, 1000, 0)
    expect(bar).toMatchObject({ left: 500, width: 4, count: 1, divides: false })
  })

  it('become one where they would lie on the same spot, with the worst of their outcomes', () => {
    const bars = barsOf(
      [span(500, 501), span(502, 503, { tone: 'bad', words: 'scaffold' }), span(700, 800)],
      window,
      1000,
      0,
    )
    expect(bars).toMatchObject([
      { count: 2, tone: 'bad', words: '', divides: true, time: { from: 500, to: 503 } },
      { left: 700, width: 100 },
    ])
  })

  it('of a closed run show when anything went on in it', () => {
    const busy = [span(0, 400), span(100, 200, { tone: 'bad' }), span(350, 600), span(800, 900)]
    expect(barsOf(busy, window, 1000, 0)).toHaveLength(4)
    expect(barsOf(busy, window, 1000, 0, true)).toMatchObject([
      { left: 0, width: 600, count: 3 },
      { left: 800, width: 100, count: 1 },
    ])
  })

  it('come apart when one looks closer', () => {
    expect(barsOf([span(500, 501), span(502, 503)], { from: 490, to: 510 }, 1000, 0)).toHaveLength(2)
  })

  it('leave out what is not in sight, lose nothing that is, and are few however many there are', () => {
    const spans = fc.array(
      fc.tuple(fc.nat(2000), fc.nat(300)).map(([from, length]) => span(from, from + length)),
      { maxLength: 300 },
    )
    fc.assert(
      fc.property(spans, fc.integer({ min: 60, max: 900 }), (given, width) => {
        const sorted = given.toSorted((one, other) => one.from - other.from)
        const bars = barsOf(sorted, window, width, 0)
        const inSight = sorted.filter(({ from }) => from <= 1000).length
        expect(bars.reduce((sum, { count }) => sum + count, 0)).toBe(inSight)
        const narrow = bars.filter((bar) => bar.width < 9)
        expect(narrow.length).toBeLessThanOrEqual(width / 4 + 2)
      }),
    )
  })

  it('go on until now while what they stand for goes on', () => {
    expect(barsOf([span(100, null)], window, 1000, 400)[0]).toMatchObject({ left: 100, width: 300, goesOn: true })
  })
})
