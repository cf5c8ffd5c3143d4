import { describe, expect, it } from 'vitest'
import type { TestFacts, TestOutcome } from '../build/test-facts.ts'
import type { TestSource } from './new-tests.ts'
import { removedTests } from './removed-tests.ts'

const path = 'tests/test_size.py'
const ran = (outcome: TestOutcome, ...names: string[]): TestFacts[] =>
  names.map((name) => ({ name, fullName: `${path}::${name}`, file: path, outcome }))
const before = ran('passed', 'test_size[args0-1]', 'test_size[args1-2]', 'test_size[args2-3]', 'test_one')
const titles = ['test_size', 'test_one']
const removed = (ran: TestFacts[], source: Partial<TestSource> = {}) =>
  removedTests({ sources: [{ path, titles, before: titles, ...source }], before, ran }).map(({ message }) => message)
const says = (what: string) => [`tests that were there before may not be removed: ${what}`]

describe('a test author', () => {
  it('[VF3] may add cases, which may number the old ones anew, and tests', () => {
    const fresh = ran('not-implemented', 'test_size[args0-0]', 'test_more')
    const old = ran('passed', 'test_size[args1-1]', 'test_size[args2-2]', 'test_size[args3-3]', 'test_one')
    expect(removed([...fresh, ...old])).toEqual([])
  })

  it('[VF3] may remove no case, nor skip one under another id', () => {
    const fewer = ran('passed', 'test_size[args0-2]', 'test_size[args1-3]', 'test_one')
    const fresh = ran('assertion', 'test_more[1]', 'test_more[2]')
    expect(removed([...fewer, ...fresh])).toEqual(says('test_size (1 of 3 cases)'))
    expect(removed([...fewer, ...fresh, ...ran('skipped', 'test_size[args2-1]')])).toEqual(
      says('test_size (1 of 3 cases)'),
    )
  })

  it('[VF3] may remove no test, also where its file cannot be loaded yet', () => {
    const left = { titles: ['test_size', 'test_more'] }
    expect(removed([...before.slice(0, 3), ...ran('assertion', 'test_more')], left)).toEqual(says('test_one'))
    const unloaded = ran('import-error', 'test_size', 'test_more').map((test) => ({ ...test, hinted: true as const }))
    expect(removed(unloaded, left)).toEqual(says('test_one'))
    expect(removed(unloaded, { titles: [...titles, 'test_more'] })).toEqual([])
  })

  it('[VF3] may have tests behind the first red one, where the runner stops', () => {
    const [one, ...others] = ran('passed', 'test_size[args0-1]', 'test_size[args1-2]')
    expect(removed([one!, ...ran('assertion', 'test_size[args1-0]')])).toEqual([])
    expect(removed([one!, ...others, ...ran('assertion', 'test_more')])).toEqual(says('test_size (1 of 3 cases)'))
  })

  it('[VF3] may remove no case of a title with placeholders', () => {
    const file = 'size.test.js'
    const js = (...names: string[]): TestFacts[] => names.map((name) => ({ name, file, outcome: 'passed' }))
    const facts = {
      sources: [{ path: file, titles: ['adds %i'], before: ['adds %i'] }],
      before: js('adds 1', 'adds 2'),
    }
    expect(removedTests({ ...facts, ran: js('adds 1') })).toMatchObject([
      { path: file, message: says('adds %i (1 of 2 cases)')[0] },
    ])
    expect(removedTests({ ...facts, ran: js('adds 1', 'adds 2', 'adds 3') })).toEqual([])
  })
})
