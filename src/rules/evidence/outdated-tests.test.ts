import { expect, it } from 'vitest'
import type { TestFacts } from '../build/test-facts.ts'
import { outdatedTests } from './outdated-tests.ts'

const failing: TestFacts[] = [
  { name: 'draws lines', fullName: 'confirm › draws lines', outcome: 'assertion' },
  { name: 'test_day[today]', outcome: 'assertion' },
]
const about = (test: string, criterionId = 'colour') => ({ criterionId, test, reason: 'the guide has another colour' })
const told = (...named: ReturnType<typeof about>[]) =>
  outdatedTests(failing, named, ['colour']).problems.map(({ message }) => message.split('\n')[0])

it('[VF3] old tests that fail are refused unless the work names each, and the new criterion that demands it', () => {
  expect(told()).toEqual([
    'the test "confirm › draws lines" was there before, and its old version fails now',
    'the test "test_day[today]" was there before, and its old version fails now',
  ])
  expect(told(about('confirm › draws lines'), about('test_day'))).toEqual([])
  expect(told(about('draws lines'), about('test_day[today]'))).toEqual([])
  expect(told(about('another test'))).toHaveLength(2)
  // A few letters that the names happen to end with name no test.
  expect(told(about('lines'), about('y]'))).toHaveLength(2)
})

it('[VF3] the reviewer is shown each test that fails, not the words of the author for all of them', () => {
  const { outdated } = outdatedTests(failing, [about('test_%s'), about('draws lines')], ['colour'])
  expect(outdated.map(({ test }) => test)).toEqual(['confirm › draws lines', 'test_day[today]'])
})

it('[VF3] a criterion that holds already, or is of other work, demands nothing', () => {
  expect(told(about('draws lines', 'old'), about('test_day'))).toEqual([
    '"draws lines" is called outdated for old, which is not a new criterion of this work',
    'the test "confirm › draws lines" was there before, and its old version fails now',
  ])
})
