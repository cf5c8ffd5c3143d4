import { describe, expect, it } from 'vitest'
import type { TestFacts } from '../build/test-facts.ts'
import { type ClaimedTests, claimedTests } from './claimed-tests.ts'

const test = (name: string, outcome: TestFacts['outcome'], file?: string): TestFacts => ({
  name,
  outcome,
  ...(file === undefined ? {} : { file }),
})

function judge(facts: Partial<ClaimedTests> & Pick<ClaimedTests, 'after'>) {
  const verdict = claimedTests({
    before: [],
    isOwn: ({ name }) => name === 'own',
    changeOf: (file) => (file === 'mine.js' ? 'changed' : file === 'added.js' ? 'added' : undefined),
    isUnreliable: () => false,
    ...facts,
  })
  const names = (tests: readonly TestFacts[]) => tests.map(({ name, file }) => (file ? `${file}: ${name}` : name))
  return {
    failing: names(verdict.failing),
    broken: names(verdict.broken),
    excused: verdict.excused.map(({ test: { name }, why }) => `${name}: ${why}`),
    unknown: names(verdict.unknown),
  }
}

const nothing = { failing: [], broken: [], excused: [], unknown: [] }

describe('the tests of a claim', () => {
  it('[VF4] must pass where they prove the work, whatever the base says', () => {
    expect(judge({ after: [test('own', 'assertion')], before: [test('own', 'assertion')] })).toEqual({
      ...nothing,
      failing: ['own'],
    })
  })

  it('[VF4] excuse an old test that fails without the work too, in the same file as the new ones', () => {
    const after = [test('own', 'passed', 'mine.js'), test('old', 'assertion', 'mine.js')]
    expect(judge({ after, before: [test('old', 'error', 'mine.js')] })).toEqual({
      ...nothing,
      excused: ['old: failed before'],
    })
  })

  it('[VF4] refuse a test that was green before, by name and file', () => {
    const before = [test('same', 'passed', 'a.js'), test('same', 'assertion', 'b.js')]
    const after = [test('same', 'assertion', 'a.js'), test('same', 'assertion', 'b.js')]
    expect(judge({ after, before })).toEqual({ ...nothing, broken: ['a.js: same'], excused: ['same: failed before'] })
    expect(judge({ after: [test('same', 'skipped', 'a.js')], before })).toEqual(nothing)
  })

  it('[VF4] count how many of one name are red where files are unknown', () => {
    const twins = [test('twin', 'passed'), test('twin', 'assertion')]
    expect(judge({ after: twins, before: twins }).broken).toEqual([])
    expect(judge({ after: [test('twin', 'assertion'), test('twin', 'error')], before: twins }).broken).toHaveLength(2)
  })

  it('[VF4] refuse a red test that the work brings', () => {
    expect(judge({ after: [test('new', 'assertion', 'mine.js'), test('new', 'assertion')] }).failing).toHaveLength(2)
    expect(judge({ after: [test('case 3', 'assertion', 'a.js')], before: [test('case 1', 'passed', 'a.js')] })).toEqual(
      {
        ...nothing,
        failing: ['a.js: case 3'],
      },
    )
  })

  it('[VF4] need no run of the base for a file that was not there', () => {
    const after = [test('new', 'assertion', 'added.js')]
    expect(judge({ after, before: undefined })).toEqual({ ...nothing, failing: ['added.js: new'] })
  })

  it('[VF4] excuse a test that ran for the first time, because its file could not be loaded before', () => {
    const after = [test('case 1', 'assertion', 'a.js'), test('waits', 'assertion', 'b.js')]
    const before = [test('case %s', 'import-error', 'a.js'), test('waits', 'skipped', 'b.js')]
    expect(judge({ after, before }).excused).toEqual(['case 1: failed before', 'waits: failed before'])
  })

  it('[VF4] excuse an unreliable test without looking at the base, but not one that proves the work', () => {
    const isUnreliable = () => true
    const after = [test('flickers', 'assertion'), test('own', 'assertion')]
    expect(judge({ after, before: undefined, isUnreliable })).toEqual({
      ...nothing,
      failing: ['own'],
      excused: ['flickers: unreliable'],
    })
    expect(judge({ after, before: undefined }).unknown).toEqual(['flickers'])
  })
})
