import { describe, expect, it } from 'vitest'
import { finalAnswer, likelyAnswer } from './final-answer.ts'

describe('stated answers', () => {
  it.each([
    ['First \\boxed{10}, then \\boxed{30} in all.', '30'],
    ['Twice: \\boxed{20 + 10 = \\boxed{30}}', '30'],
    ['\\boxed{\\frac{3}{4}}', '\\frac{3}{4}'],
    ['So the answer is 42.', '42'],
    ['**Final answer:** B', 'B'],
    ['5 and 7 make twelve\n#### 12', '12'],
    ['(C) because of the tides', 'C'],
    ['It cannot be (A), so it is (D).', 'D'],
    ['I would go with option B because it is cheaper.', 'B'],
    ['D', 'D'],
  ])('[CV5] %j states %s', (output, written) => {
    expect(finalAnswer(output)?.written).toBe(written)
  })

  it('[CV5] takes prose for prose, even if it speaks of an answer', () => {
    expect(finalAnswer('The answer is to move the queue into the database.')).toBeUndefined()
    expect(finalAnswer('We keep 3 replicas and 2 regions.')).toBeUndefined()
  })

  it('[CV5] does not take a placeholder letter for an option', () => {
    expect(finalAnswer('(B) the buyer.\n\n(X) The buyer.')?.written).toBe('B')
  })

  it('[CV5] is less certain where two answers are named', () => {
    const plain = finalAnswer('\\boxed{C}')
    const mixed = finalAnswer('(A) and (D) are wrong. \\boxed{C}')
    expect(mixed?.value).toEqual(plain?.value)
    expect(mixed!.certainty).toBeLessThan(plain!.certainty)
  })

  it('[CV5] guesses the last number where nothing is stated', () => {
    expect(likelyAnswer('3 boxes of 6 are 18 eggs')).toMatchObject({ written: '18', certainty: 0.5 })
    expect(likelyAnswer('no number at all')).toBeUndefined()
  })

  it('[CV5] reads a box that is never closed', () => {
    expect(finalAnswer('\\boxed{12')?.value).toMatchObject({ kind: 'number', quantity: { value: 12 } })
  })
})
