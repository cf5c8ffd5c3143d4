import { expect, it } from 'vitest'
import { questionNamed } from './question-named.ts'

it('finds an open question by its id or by a beginning that only one has', () => {
  const ids = ['f4d05651-6c4d', 'f4d0aaaa-1111', '1dbeb6c8-f01b']
  const open = ids.map((id) => ({ id }))
  expect(questionNamed('1dbe', open)).toBe(ids[2])
  expect(questionNamed('F4D05', open)).toBe(ids[0])
  expect(questionNamed(ids[1]!, open)).toBe(ids[1])
  expect(() => questionNamed('f4d0', open)).toThrow(/2 open questions begin with 'f4d0'/)
  expect(questionNamed('1d', open)).toBe('1d')
  expect(questionNamed('nope', open)).toBe('nope')
})
