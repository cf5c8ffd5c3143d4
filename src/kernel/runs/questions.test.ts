import { expect, it } from 'vitest'
import { checkedAnswer, questionNamed } from './questions.ts'

const choices = ['throw', 'return false']

it('takes a choice by its words or its number in the list, and other text as it is', () => {
  expect(checkedAnswer({ choices }, { text: ' Throw ' })).toEqual({ choice: 'throw' })
  expect(checkedAnswer({ choices }, { text: '2' })).toEqual({ choice: 'return false' })
  expect(checkedAnswer({ choices }, { text: '3' })).toEqual({ text: '3' })
  expect(checkedAnswer({ choices, numbers: [1, 2, 3] }, { text: '2' })).toEqual({ text: '2' })
  expect(() => checkedAnswer({ choices, only_choices: true }, { text: '3' })).toThrow(/not one of the choices/)
})

it('finds an open question by its id or by a beginning that only one has', () => {
  const ids = ['f4d05651-6c4d', 'f4d0aaaa-1111', '1dbeb6c8-f01b']
  const open = new Map(ids.map((id) => [id, { id, run: 'plan-1', text: '?', context: {} }]))
  expect(questionNamed('1dbe', open)?.id).toBe(ids[2])
  expect(questionNamed('F4D05', open)?.id).toBe(ids[0])
  expect(questionNamed(ids[1]!, open)?.id).toBe(ids[1])
  expect(() => questionNamed('f4d0', open)).toThrow(/2 open questions begin with 'f4d0'/)
  expect(questionNamed('1d', open)).toBeUndefined()
  expect(questionNamed('nope', open)).toBeUndefined()
})
