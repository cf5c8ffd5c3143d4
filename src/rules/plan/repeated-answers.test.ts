import { describe, expect, it } from 'vitest'
import { repeatedAnswers } from './repeated-answers.ts'

const decision = (id: string, words: string, more: object = {}) => {
  return { id, decision: words, confidence: 'HIGH' as const, ...more }
}
const said = decision('P2-1', 'isSubpath(a, a) is true', { question: 'Is a path in itself?', answer: 'yes' })

describe('a decision that repeats an answer of the person', () => {
  it('[PH6] adds no word to it', () => {
    expect([...repeatedAnswers([decision('D2-2', 'isSubpath(a, a) is true.'), said])]).toEqual([['D2-2', 'P2-1']])
  })

  it('[PH6] is not one that says more, says the opposite, or has other numbers', () => {
    for (const words of [
      'isSubpath(a, a) is not true',
      'isSubpath(a, a) is true for drives',
      'isSubpath(a, 2) is true',
    ])
      expect(repeatedAnswers([decision('D2-2', words), said]).size).toBe(0)
  })

  it('[PH6] is not one that takes an option of the question which was not chosen', () => {
    const question = 'Does an empty list give undefined or throw?'
    const chosen = decision('P3-1', 'Does an empty list give undefined or throw: throw', { question, answer: 'throw' })
    expect(repeatedAnswers([chosen, decision('D4-1', 'An empty list give undefined')]).size).toBe(0)
  })
})
