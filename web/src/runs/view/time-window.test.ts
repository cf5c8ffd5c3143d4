import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ticksIn } from './clock.ts'
import { around, isWhole, moved, within, zoomed } from './time-window.ts'

const all = { from: 1000, to: 61_000 }

describe('the part of time that is looked at', () => {
  it('is never outside of all there is, and never empty', () => {
    const number = fc.integer({ min: -100_000, max: 200_000 })
    fc.assert(
      fc.property(number, number, (from, to) => {
        const window = within({ from, to }, all)
        expect(window.from).toBeGreaterThanOrEqual(all.from)
        expect(window.to).toBeLessThanOrEqual(all.to)
        expect(window.to - window.from).toBeGreaterThanOrEqual(8)
      }),
    )
  })

  it('keeps the place one points at when one looks closer', () => {
    const window = zoomed(all, 0.5, 21_000, all)
    expect(window).toEqual({ from: 11_000, to: 41_000 })
    expect(isWhole(zoomed(window, 10, 21_000, all), all)).toBe(true)
  })

  it('stops at the ends when it is moved', () => {
    expect(moved({ from: 1000, to: 11_000 }, -5000, all)).toEqual({ from: 1000, to: 11_000 })
    expect(moved({ from: 1000, to: 11_000 }, 90_000, all)).toEqual({ from: 51_000, to: 61_000 })
  })

  it('has room around what it is moved to', () => {
    const { from, to } = around({ from: 20_000, to: 30_000 }, all)
    expect(from < 20_000 && to > 30_000).toBe(true)
  })

  it('is something also where a run took no time', () => {
    expect(within({ from: 5, to: 5 }, { from: 5, to: 5 })).toEqual({ from: 5, to: 13 })
  })
})

describe('ticks', () => {
  it('are round, few, and count from the beginning', () => {
    expect(ticksIn(all, 1000, 6).map(({ label }) => label)).toEqual([
      '0',
      '10 s',
      '20 s',
      '30 s',
      '40 s',
      '50 s',
      '1:00',
    ])
    expect(ticksIn({ from: 0, to: 3 * 3_600_000 }, 0, 4).map(({ label }) => label)).toEqual(['0', '1 h', '2 h', '3 h'])
    expect(ticksIn({ from: 100, to: 300 }, 100, 5).map(({ label }) => label)[1]).toBe('0.05 s')
  })

  it('are never too many, however long or short the time is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e11 }), fc.integer({ min: 1, max: 20 }), (width, most) => {
        const ticks = ticksIn({ from: 7, to: 7 + width }, 7, most)
        expect(ticks.length).toBeLessThanOrEqual(most + 2)
      }),
    )
  })
})
