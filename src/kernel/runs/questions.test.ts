import { expect, it } from 'vitest'
import { checkedAnswer } from './questions.ts'

const choices = ['throw', 'return false']

it('takes a choice by its words or its number in the list, and other text as it is', () => {
  expect(checkedAnswer({ choices }, { text: ' Throw ' })).toEqual({ choice: 'throw' })
  expect(checkedAnswer({ choices }, { text: '2' })).toEqual({ choice: 'return false' })
  expect(checkedAnswer({ choices }, { text: '3' })).toEqual({ text: '3' })
  expect(checkedAnswer({ choices }, { text: '2 for a file' })).toEqual({ text: 'return false for a file' })
  expect(checkedAnswer({ choices, numbers: [1, 2, 3] }, { text: '2' })).toEqual({ text: '2' })
  expect(() => checkedAnswer({ choices, only_choices: true }, { text: '3' })).toThrow(/not one of the choices/)
})
