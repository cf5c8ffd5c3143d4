import { describe, expect, it } from 'vitest'
import { repeatedDecisions } from './repeated-answers.ts'

const decision = (id: string, words: string, more: object = {}) => {
  return { id, decision: words, confidence: 'HIGH' as const, ...more }
}
const said = decision('P2-1', 'isSubpath(a, a) is true', { question: 'Is a path in itself?', answer: 'yes' })

describe('a decision that repeats an answer of the person', () => {
  it('[PH6] adds no word to it', () => {
    expect([...repeatedDecisions([decision('D2-2', 'isSubpath(a, a) is true.'), said])]).toEqual([['D2-2', 'P2-1']])
  })

  it('[PH6] is not one that says more, says the opposite, or has other numbers', () => {
    for (const words of [
      'isSubpath(a, a) is not true',
      'isSubpath(a, a) is true for drives',
      'isSubpath(a, 2) is true',
    ])
      expect(repeatedDecisions([decision('D2-2', words), said]).size).toBe(0)
  })

  it('[PH6] is not one that takes an option of the question which was not chosen', () => {
    const question = 'Does an empty list give undefined or throw?'
    const chosen = decision('P3-1', 'Does an empty list give undefined or throw: throw', { question, answer: 'throw' })
    expect(repeatedDecisions([chosen, decision('D4-1', 'An empty list give undefined')]).size).toBe(0)
  })

  it('[PH6] is one that another says with more, and never the answer itself; not one that this limits or denies', () => {
    const chosen = decision('P4-1', 'Which values: repeated values make an array', {
      question: 'Which values?',
      answer: 'repeated values make an array',
    })
    const more = decision('D6b-2', 'Repeated values make an array in every format')
    const parts = decision('D4-3', 'Values make an array')
    expect([...repeatedDecisions([parts, chosen, more])]).toEqual([['D4-3', 'P4-1']])
    expect([...repeatedDecisions([parts, more])]).toEqual([['D4-3', 'D6b-2']])
    const limited = decision('D6b-2', 'Repeated values make an array only where the format has none')
    expect(repeatedDecisions([parts, limited]).size).toBe(0)
    const same = [decision('D2-1', 'Rows are kept'), decision('D4-1', 'rows are kept')]
    expect([...repeatedDecisions(same)]).toEqual([['D4-1', 'D2-1']])
  })
})
