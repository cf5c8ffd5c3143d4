import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dollars, microDollarLimit, microDollars } from './micro-dollars.ts'

describe('money', () => {
  it('[BU1] is exact to a millionth', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000_000), (micro) => {
        expect(microDollars(dollars(micro))).toBe(micro)
        expect(microDollarLimit(dollars(micro))).toBe(micro)
      }),
    )
    expect(2.007 * 1_000_000).toBeGreaterThan(2_007_000)
    expect(microDollars(2.007)).toBe(2_007_000)
    expect(0.000249 * 1_000_000).toBeLessThan(249)
    expect(microDollarLimit(0.000249)).toBe(249)
  })

  it('[BU1] costs are rounded up, limits down', () => {
    expect(microDollars(0.0000004)).toBe(1)
    expect(microDollarLimit(0.0000019)).toBe(1)
  })

  it('[BU1] nonsense is nothing, and the endless has an end', () => {
    for (const usd of [Number.NaN, -1, 0]) expect(microDollars(usd)).toBe(0)
    expect(Number.isSafeInteger(microDollars(Number.POSITIVE_INFINITY))).toBe(true)
  })
})
