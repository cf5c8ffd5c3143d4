import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { axisSteps, nearest, share, spanOf, thin } from './scale.ts'

describe('the steps of an axis', () => {
  it('are round, begin at nought and reach the highest value', () => {
    expect(axisSteps(20, 2)).toEqual([0, 10, 20])
    expect(axisSteps(7, 2)).toEqual([0, 5, 10])
    expect(axisSteps(0.013, 2)).toEqual([0, 0.01, 0.02])
    expect(axisSteps(3, 3, true)).toEqual([0, 1, 2, 3])
  })

  it('are there also where there is nothing to measure', () => {
    expect(axisSteps(0)).toEqual([0, 1])
    expect(axisSteps(Number.NaN)).toEqual([0, 1])
    expect(axisSteps(Number.POSITIVE_INFINITY)).toEqual([0, 1])
  })

  it('never end below a value', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e9, noNaN: true }), fc.integer({ min: 1, max: 6 }), (highest, about) => {
        const steps = axisSteps(highest, about)
        expect(steps.at(-1)!).toBeGreaterThanOrEqual(highest * (1 - 1e-6))
        expect(steps.length).toBeLessThanOrEqual(about + 2)
      }),
    )
  })
})

describe('fewer points', () => {
  it('keep ends, highs and lows, and stay in order', () => {
    const points = Array.from({ length: 10_000 }, (_, x) => ({ x, y: x === 4321 ? 99 : x === 7777 ? -99 : x % 7 }))
    const kept = thin(points, 200)
    expect(kept.length).toBeLessThanOrEqual(200)
    expect(kept[0]).toEqual(points[0])
    expect(kept.at(-1)).toEqual(points.at(-1))
    expect(kept.map(({ y }) => y)).toEqual(expect.arrayContaining([99, -99]))
    expect(kept.every((point, index) => index === 0 || kept[index - 1]!.x < point.x)).toBe(true)
  })

  it('are all of them where there are few', () => {
    const points = [{ x: 1, y: 1 }]
    expect(thin(points, 10)).toBe(points)
  })
})

describe('places', () => {
  it('lie between 0 and 1, and in the middle of a span without width', () => {
    expect(share(5, { from: 0, to: 10 })).toBe(0.5)
    expect(share(3, { from: 3, to: 3 })).toBe(0.5)
    expect(spanOf([3, 1, 2])).toEqual({ from: 1, to: 3 })
    expect(spanOf([])).toEqual({ from: 0, to: 0 })
  })

  it('find the nearest point', () => {
    const points = [0, 10, 20].map((x) => ({ x, y: x }))
    expect(nearest(points, 4)?.x).toBe(0)
    expect(nearest(points, 6)?.x).toBe(10)
    expect(nearest(points, 99)?.x).toBe(20)
    expect(nearest(points, -5)?.x).toBe(0)
    expect(nearest([], 1)).toBeUndefined()
  })
})
