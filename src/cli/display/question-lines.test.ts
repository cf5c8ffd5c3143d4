import { describe, expect, it } from 'vitest'
import type { Output } from './output.ts'
import { answerHint, questionText } from './question-lines.ts'

const output = { style: (_style: string, text: string) => text } as unknown as Output
const question = {
  id: 'c30235ed-2f7e-810e-adea-fc90565a7103',
  text: 'The agents disagree on: Shared?',
  choices: ["remove it, as '' does", 'keep it', 'let the coordinator decide'],
  context: {
    background: 'reviewer: It was taken out on purpose',
    detail: 'not shown twice',
    stands: [
      { choice: "remove it, as '' does", agents: ['ada', 'bob'], follows: 'one more change' },
      { choice: 'keep it', agents: ['cyd'] },
    ],
  },
}

describe('a question in the terminal', () => {
  it('[PH3] has its options on lines of their own, numbered, with who holds each and what follows', () => {
    expect(questionText(question, output)).toEqual([
      'The agents disagree on: Shared?',
      '  reviewer: It was taken out on purpose',
      "  1  remove it, as '' does",
      '     ada, bob: one more change',
      '  2  keep it',
      '     cyd',
      '  3  let the coordinator decide',
    ])
    expect(answerHint(question)).toBe('convene answer c30235ed <1 to 3>   (or your own words in quotes)')
  })

  it('[PH3] without options asks for words; issue numbers are answers themselves', () => {
    const { id, text } = question
    expect(answerHint({ id })).toBe('convene answer c30235ed "…"')
    const numbered = { id, text, choices: ['all', 'none'], numbers: [3, 5], context: { detail: 'Which ones?' } }
    expect(questionText(numbered, output)).toEqual([text, '  Which ones?', '  -  all', '  -  none'])
    expect(answerHint(numbered)).toBe('convene answer c30235ed 3,5   (or one of the words above)')
  })
})
