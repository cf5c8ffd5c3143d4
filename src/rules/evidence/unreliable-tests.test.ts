import { describe, expect, it } from 'vitest'
import type { TestFacts } from '../build/test-facts.ts'
import { noSightings, sightedAgain, stillUnreliable } from './unreliable-tests.ts'

const test = (name: string, outcome: TestFacts['outcome'], file = 'a.js'): TestFacts => ({ name, file, outcome })

describe('tests that pass and fail on the same code', () => {
  it('[VF4] are unreliable once both were seen, whichever came first', () => {
    const seen = noSightings()
    expect(sightedAgain(seen, [test('one', 'passed'), test('two', 'assertion')])).toEqual([])
    expect(sightedAgain(seen, [test('one', 'passed'), test('two', 'assertion')])).toEqual([])
    expect(sightedAgain(seen, [test('one', 'error'), test('two', 'passed')]).map(({ name }) => name)).toEqual([
      'one',
      'two',
    ])
  })

  it('[VF4] are told apart by file, and a skipped one shows nothing', () => {
    const seen = noSightings()
    sightedAgain(seen, [test('one', 'passed'), test('two', 'passed')])
    expect(sightedAgain(seen, [test('one', 'assertion', 'b.js'), test('two', 'skipped')])).toEqual([])
  })

  it('[VF4] two tests of one name in one file fail if either does', () => {
    const seen = noSightings()
    const twins = [test('twin', 'passed'), test('twin', 'assertion')]
    expect(sightedAgain(seen, twins)).toEqual([])
    expect(sightedAgain(seen, twins)).toEqual([])
  })
})

it('[VF4] later builds know unreliable tests for a month, and at most five hundred', () => {
  const day = 24 * 60 * 60 * 1000
  expect(stillUnreliable({ old: 9 * day, new: 11 * day }, 40 * day)).toEqual({ new: 11 * day })
  const many = Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`t${at}`, at]))
  expect(Object.keys(stillUnreliable(many, 501))).toEqual(Object.keys(many).slice(1))
})
