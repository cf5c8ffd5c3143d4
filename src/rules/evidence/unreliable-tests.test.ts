import { describe, expect, it } from 'vitest'
import type { TestFacts } from '../build/test-facts.ts'
import { noSightings, sightedAgain } from './unreliable-tests.ts'

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
