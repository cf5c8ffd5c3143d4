import { expect, it } from 'vitest'
import { changedTests } from './changed-tests.ts'

const tests = (all: Record<string, string>) => Object.entries(all).map(([title, text]) => ({ title, text }))

it('[VF3] names existing tests that read otherwise now, and no others', () => {
  const before = tests({ same: 'a', weaker: 'equal(1)', gone: 'b' })
  const after = tests({ same: 'a', weaker: 'ok(1)', fresh: 'c' })
  expect(changedTests(before, after)).toEqual(['weaker'])
})

it('[VF3] tests of one title in two suites are compared together', () => {
  const twice = (...texts: string[]) => texts.map((text) => ({ title: 'adds', text }))
  expect(changedTests(twice('a', 'b'), twice('b', 'a'))).toEqual([])
  expect(changedTests(twice('a', 'b'), twice('a', 'c'))).toEqual(['adds'])
})
