import { expect, it } from 'vitest'
import { changedTests, weakenedTests } from './changed-tests.ts'

const tests = (all: Record<string, string>) =>
  Object.entries(all).map(([title, text]) => ({ title, tokens: text.split(' ') }))
const twice = (...texts: string[]) => texts.map((text) => ({ title: 'adds', tokens: text.split(' ') }))

it('[VF3] names existing tests that read otherwise now, and no others', () => {
  const before = tests({ same: 'a', weaker: 'equal ( 1 )', gone: 'b' })
  const after = tests({ same: 'a', weaker: 'ok ( 1 )', fresh: 'c' })
  expect(changedTests(before, after)).toEqual(['weaker'])
})

it('[VF3] compares tests of one title in two suites together', () => {
  expect(changedTests(twice('a', 'b'), twice('b', 'a'))).toEqual([])
  expect(changedTests(twice('a', 'b'), twice('a', 'c'))).toEqual(['adds'])
})

it('[VF3] an existing test says less if a word of it is gone or another one, not if something was added', () => {
  const before = tests({ adds: 'equal ( add ( 1 ) , 2 )' })
  const says = (text: string) => weakenedTests(before, tests({ adds: text }))
  expect(says('equal ( add ( 1 ) , 2 ) ; equal ( add ( 3 ) , 4 )')).toEqual([])
  expect(says('ok ( add ( 1 ) , 2 )')).toEqual(['adds'])
  expect(says('equal ( add ( 1 ) )')).toEqual(['adds'])
  expect(weakenedTests(before, [])).toEqual([])
  expect(says('if ( false ) { equal ( add ( 1 ) , 2 ) }')).toEqual(['adds'])
  expect(says('strictEqual ( add ( 1 ) , 2 )')).toEqual([])
  const arrow = tests({ adds: '( ) => { equal ( add ( 1 ) , 2 ) }' })
  expect(weakenedTests(arrow, tests({ adds: 'async ( ) => equal ( add ( 1 ) , 2 )' }))).toEqual([])
})
