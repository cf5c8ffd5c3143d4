import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answerKey, answerValue, sameAnswer, statedValue } from './answer-value.ts'

const same = (one: string, other: string) => sameAnswer(answerValue(one), answerValue(other))

describe('answers', () => {
  it.each([
    ['PostgreSQL', 'postgresql.'],
    ['Use Redis', 'redis'],
    ['The monorepo', 'a monorepo'],
    ['52 WPM', '52'],
    ['52 WPM', '52 words per minute'],
    ['$1,000', '1000'],
    ['about 1k', 'One thousand'],
    ['7 days', 'one week'],
    ['\\frac{1}{2}', '0.5'],
    ['50%', '50 percent'],
    ['(B)', 'B'],
    ['B) Insulin', 'option B'],
    ['b.', 'B'],
    ['Yes!', 'yes'],
    ['“Keep it”', 'keep it'],
    ['Postgres 16', 'postgres 16'],
    ['👍', '👍'],
    ['決定', '決定。'],
  ])('[CV5] %s means the same as %s', (one, other) => {
    expect(same(one, other)).toBe(true)
    expect(same(other, one)).toBe(true)
  })

  it.each([
    ['PostgreSQL', 'MongoDB'],
    ['Postgres 16', 'MySQL 16'],
    ['7 days', '7 weeks'],
    ['2 services', '2 databases'],
    ['2 services with one shared cache', '2 services without any shared cache'],
    ['C++', 'C#'],
    ['C++', 'C'],
    ['A queue', 'A table'],
    ['not Redis', 'Redis'],
    ['-5', '5'],
    ['A', 'B'],
    ['👍', '👎'],
    ['42', 'forty-three'],
    ['', ''],
  ])('[CV5] %s does not mean the same as %s', (one, other) => {
    expect(same(one, other)).toBe(false)
  })

  it('[CV5] finds the number in a sentence that states it, and the result of an equation', () => {
    expect(statedValue('She had $90 after a year.')).toMatchObject({ kind: 'number', quantity: { value: 90 } })
    expect(statedValue('30 * 3 = 90')).toMatchObject({ kind: 'number', quantity: { value: 90 } })
    expect(statedValue('\\text{Monday}')).toEqual({ kind: 'words', words: 'monday' })
  })

  it('[CV5] is at one with itself whatever the text, and equal keys mean equal answers', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (one, other) => {
        const [mine, theirs] = [answerValue(one), answerValue(other)]
        expect(sameAnswer(mine, theirs)).toBe(sameAnswer(theirs, mine))
        if (one.trim() !== '' && answerKey(mine) === answerKey(theirs)) expect(sameAnswer(mine, theirs)).toBe(true)
      }),
    )
  })
})
