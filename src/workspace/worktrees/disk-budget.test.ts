import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toGiveUp } from './disk-budget.ts'

describe('choosing what to remove for a disk budget', () => {
  it('removes nothing if the new entry fits', () => {
    expect(toGiveUp([{ bytes: 10, usedAt: 1 }], 10, 5, 15)).toEqual([])
  })

  it('removes the oldest first, and only as many as needed', () => {
    const items = [3, 1, 2].map((usedAt) => ({ bytes: 10, usedAt }))
    expect(toGiveUp(items, 30, 5, 20).map(({ usedAt }) => usedAt)).toEqual([1, 2])
  })

  it('frees enough whenever removing everything would', () => {
    const item = fc.record({ bytes: fc.nat(100), usedAt: fc.nat(10) })
    fc.assert(
      fc.property(fc.array(item), fc.nat(50), fc.nat(500), (items, needed, budget) => {
        const used = items.reduce((sum, { bytes }) => sum + bytes, 0)
        const gone = toGiveUp(items, used, needed, budget)
        const left = used - gone.reduce((sum, { bytes }) => sum + bytes, 0)
        expect(left + needed <= budget || gone.length === items.length).toBe(true)
      }),
    )
  })
})
