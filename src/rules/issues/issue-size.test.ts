import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dependOnLastPart, firstPartNumber, partsOf, sizeGate, splitByRule } from './issue-size.ts'

describe('the size gate', () => {
  it('[IS5] up to 5 criteria pass, above 12 are split', () => {
    for (const coordinator of [true, false]) {
      expect(sizeGate(0, coordinator)).toBe('pass')
      expect(sizeGate(5, coordinator)).toBe('pass')
      expect(sizeGate(13, coordinator)).toBe('split')
    }
  })

  it('[IS5] between them the coordinator is asked, and without one the rule splits', () => {
    for (const criteria of [6, 12]) {
      expect(sizeGate(criteria, true)).toBe('ask')
      expect(sizeGate(criteria, false)).toBe('split')
    }
  })

  it('[IS5] limits can be changed', () => {
    expect(sizeGate(8, true, { pass_up_to: 8, split_above: 20 })).toBe('pass')
  })

  it('[IS5] a split is a partition into the fewest groups that pass, as even as can be', () => {
    expect(splitByRule([...'abcdefghijklm']).map((group) => group.join(''))).toEqual(['abcde', 'fghi', 'jklm'])
    fc.assert(
      fc.property(fc.array(fc.integer(), { maxLength: 60 }), fc.integer({ min: 1, max: 9 }), (criteria, most) => {
        const groups = splitByRule(criteria, { pass_up_to: most, split_above: 12 })
        expect(groups.flat()).toEqual(criteria)
        expect(groups).toHaveLength(Math.ceil(criteria.length / most))
        const sizes = groups.map((group) => group.length)
        for (const size of sizes) expect(size).toBeLessThanOrEqual(most)
        if (sizes.length > 0) expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
      }),
    )
  })

  it('[IS5] parts are numbered after their issue, and move on where a number is taken', () => {
    expect(firstPartNumber(7, 3, new Set([7, 7004]))).toBe(7001)
    expect(firstPartNumber(7, 3, new Set([7003]))).toBe(1_007_001)
    expect(firstPartNumber(7, 3, new Set([7003, 1_007_001]))).toBe(2_007_001)
  })

  it('[IS5] the parts form a chain that begins with the dependencies of the whole', () => {
    const whole = { number: 4, depends_on: [2], acceptance_criteria: ['a', 'b', 'c'] }
    expect(partsOf(whole, [['a'], ['b'], ['c']], 10)).toEqual([
      { number: 10, depends_on: [2], acceptance_criteria: ['a'] },
      { number: 11, depends_on: [10], acceptance_criteria: ['b'] },
      { number: 12, depends_on: [11], acceptance_criteria: ['c'] },
    ])
    expect(dependOnLastPart([1, 4, 12], 4, 12)).toEqual([1, 12])
    expect(dependOnLastPart([1], 4, 12)).toEqual([1])
  })
})
