import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { areaUnderCurve, type Scored } from './auc.ts'

const scored = (positives: number[], negatives: number[]): Scored[] => [
  ...positives.map((score) => ({ score, positive: true })),
  ...negatives.map((score) => ({ score, positive: false })),
]

describe('area under the curve', () => {
  it('[CV5] is 1 where every positive case scores higher, 0 where every one scores lower', () => {
    expect(areaUnderCurve(scored([0.8, 0.9], [0.1, 0.2]))).toBe(1)
    expect(areaUnderCurve(scored([0.1, 0.2], [0.8, 0.9]))).toBe(0)
  })

  it('[CV5] counts equal scores half', () => {
    expect(areaUnderCurve(scored([0.5, 0.5], [0.5]))).toBe(0.5)
    expect(areaUnderCurve(scored([0.9, 0.5], [0.5, 0.1]))).toBe(3.5 / 4)
  })

  it('[CV5] is nothing where one class is missing', () => {
    expect(areaUnderCurve(scored([0.5], []))).toBeUndefined()
    expect(areaUnderCurve([])).toBeUndefined()
  })

  it('[CV5] equals the share of pairs that are in the right order', () => {
    const scores = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1 })
    fc.assert(
      fc.property(scores, scores, (positives, negatives) => {
        const pairs = positives.flatMap((one) => negatives.map((other) => (one > other ? 1 : one === other ? 0.5 : 0)))
        const share = pairs.reduce<number>((sum, won) => sum + won, 0) / pairs.length
        expect(areaUnderCurve(scored(positives, negatives))).toBeCloseTo(share, 10)
      }),
    )
  })
})
