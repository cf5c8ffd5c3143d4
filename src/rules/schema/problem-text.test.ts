import { expect, it } from 'vitest'
import { problemText } from './problem-text.ts'

it('[VF8] a problem in words names its file once', () => {
  const message = 'a test, which implementers may not touch'
  expect(problemText({ path: 'test/a.js', message })).toBe(`test/a.js: ${message}`)
  expect(problemText({ path: 'test/a.js', message: 'test/a.js is gone' })).toBe('test/a.js is gone')
  expect(problemText({ message })).toBe(message)
})
