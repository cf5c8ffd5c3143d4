import { expect, it } from 'vitest'
import { attemptHistory, continuesThread, personsAnswer, withEarlier } from './attempt-history.ts'

it('[VF8] a refused agent continues its conversation until it is too long', () => {
  expect(continuesThread(60_000)).toBe(true)
  expect(continuesThread(60_001)).toBe(false)
  expect(continuesThread(11, { tokens: 10 })).toBe(false)
})

it('[VF8] a fresh conversation gets two lines for each earlier attempt', () => {
  const text = attemptHistory([
    { attempt: 1, strategy: 'recursion\nfirst', outcome: 'too deep' },
    { attempt: 2, strategy: 'a loop', outcome: 'one test fails' },
  ])
  expect(text.split('\n')).toEqual([
    'Attempt 1: recursion first',
    '  → too deep',
    'Attempt 2: a loop',
    '  → one test fails',
  ])
})

it("[VF8] attempts count on after a person's answer, where they are counted anew", () => {
  const past = (...numbers: number[]) => numbers.map((attempt) => ({ attempt, strategy: 's', outcome: 'o' }))
  const numbers = (earlier: number[], since: number[]) =>
    withEarlier(past(...earlier), past(...since)).map(({ attempt }) => attempt)
  expect(numbers([], [1, 2])).toEqual([1, 2])
  expect(numbers([1], [1, 2])).toEqual([1, 2, 3])
  // For an issue they are counted over the whole build.
  expect(numbers([1, 2], [3])).toEqual([1, 2, 3])
})

it("[VF8] a person's answer is told with its question", () => {
  expect(personsAnswer('inc cannot continue: no idea', { choice: 'retry' })).toBe(
    'A person was asked: "inc cannot continue: no idea" The answer: "retry"',
  )
  expect(personsAnswer('Which?', { text: ' Half up.\nAlways. ' })).toContain('The answer: "Half up.\nAlways."')
})
