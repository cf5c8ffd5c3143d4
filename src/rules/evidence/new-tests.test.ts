import { describe, expect, it } from 'vitest'
import type { TestFacts } from '../build/test-facts.ts'
import { newTests, renumberedCases } from './new-tests.ts'

const test = (name: string, file?: string): TestFacts => ({ name, outcome: 'passed', ...(file ? { file } : {}) })
const sources = [{ path: 'test/a.test.js', titles: ['old thing', 'new thing'], before: ['old thing'] }]
const names = (tests: TestFacts[], narrowed = false, files = sources) =>
  newTests(tests, files, { narrowed }).map(({ name }) => name)

it('[VF2] are those of the written files that the base did not have', () => {
  const ran = [
    test('old thing', 'test/a.test.js'),
    test('new thing', 'test/a.test.js'),
    test('new thing', 'test/b.test.js'),
  ]
  expect(names(ran)).toEqual(['new thing'])
})

it('[VF2] are recognised by their titles where the runner reports no files', () => {
  expect(names([test('old thing'), test('new thing'), test('elsewhere')])).toEqual(['new thing'])
  expect(names([test('case 1')], false, [{ path: 'a', titles: ['case %s'], before: [] }])).toEqual(['case 1'])
})

it('[VF2] include tests of unknown origin only if nothing but new files ran', () => {
  const fresh = [{ path: 'test/c.test.js', titles: [], before: [] }]
  expect(names([test('made up')], true, fresh)).toEqual(['made up'])
  expect(names([test('made up')], false, fresh)).toEqual([])
  expect(names([test('made up')], true)).toEqual([])
  const titled = [{ path: 'test/c.test.js', titles: ['new thing'], before: [] }]
  expect(names([test('old thing'), test('new thing')], true, titled)).toEqual(['new thing'])
})

it('[VF2] are compared with those of the base by name and file, not by a title that several classes inherit', () => {
  const inherited = (suite: string): TestFacts => ({
    ...test('old thing', 'test/a.test.js'),
    fullName: `${suite} old thing`,
  })
  const ran = [inherited('A'), inherited('B')]
  const before = [inherited('A')]
  expect(newTests(ran, sources, { narrowed: true, before })).toEqual([inherited('B')])
  const unloaded: TestFacts[] = [{ ...test('old thing', 'test/a.test.js'), outcome: 'import-error', hinted: true }]
  expect(newTests(ran, sources, { narrowed: true, before: unloaded })).toEqual([])
})

it('[VF2] of a runner that reports no files are also cases of an old test that the base did not run', () => {
  const files = [{ path: 'a_test.go', titles: ['TestOld', 'TestNew'], before: ['TestOld'] }]
  const ran = [
    test('TestOld'),
    test('TestOld/one'),
    test('TestOld/two'),
    test('TestNew'),
    test('TestNew/a'),
    test('TestB'),
  ]
  const fresh = (before?: TestFacts[]) => newTests(ran, files, { narrowed: false, before }).map(({ name }) => name)
  expect(fresh([test('TestOld'), test('TestOld/one'), test('TestB')])).toEqual(['TestOld/two', 'TestNew', 'TestNew/a'])
  // Its package did not compile, or ended before it, or the base's tests are unknown.
  expect(fresh([{ ...test('TestOld', 'a_test.go'), hinted: true }])).toEqual(['TestNew', 'TestNew/a'])
  for (const before of [[test('TestB')], undefined]) expect(fresh(before)).toEqual(['TestNew', 'TestNew/a'])
})

describe('[VF2] cases that a runner numbers anew', () => {
  const file = 'test/test_a.py'
  const one = (id: string, outcome: TestFacts['outcome'] = 'passed'): TestFacts => ({
    ...test(`test_a[${id}]`, file),
    outcome,
  })
  const cases = (...outcomes: TestFacts['outcome'][]) => outcomes.map((outcome, index) => one(`x${index}`, outcome))
  const before = cases('passed', 'passed')
  const named = (tests: TestFacts[]) => tests.map(({ name }) => name)

  it('one that is inserted takes the number of an old one, and is red without the code', () => {
    const { fresh, old } = renumberedCases(cases('passed', 'assertion', 'passed'), before)
    expect([named(fresh), named(old)]).toEqual([['test_a[x1]'], ['test_a[x2]']])
  })

  it('those after one with a name of its own, for what holds already, are old', () => {
    const ran = [one('x0'), one('kept1'), one('x2')]
    const { fresh, old } = renumberedCases(ran, before, ({ name }) => name.includes('kept'))
    expect([named(fresh), named(old)]).toEqual([[], ['test_a[x2]']])
  })

  it('a case that was replaced by another is none, nor is one without a number', () => {
    const values = [one('A-a'), one('B-b')]
    expect(renumberedCases([one('A-a'), one('dash-x')], values)).toEqual({ fresh: [], old: [] })
    expect(renumberedCases([one('1-2'), one('9-9')], [one('1-2'), one('3-4')])).toEqual({ fresh: [], old: [] })
    expect(renumberedCases([one('x0'), one('y5')], before)).toEqual({ fresh: [], old: [] })
  })

  it('a test that broke as a whole has no new ones', () => {
    const broken = cases('import-error', 'import-error', 'import-error')
    expect(renumberedCases(broken, before).fresh).toEqual([])
  })

  it('no more are old than have lost their names', () => {
    expect(renumberedCases([one('x0'), one('x2'), one('x3')], before)).toEqual({ fresh: [], old: [] })
    expect(renumberedCases(cases('passed', 'passed', 'passed'), before)).toEqual({ fresh: [], old: [] })
  })

  it('none are new where nothing was added, where the old one failed, or where the base is unknown', () => {
    const inserted = cases('passed', 'assertion', 'passed')
    expect(renumberedCases(cases('passed', 'assertion'), before).fresh).toEqual([])
    expect(renumberedCases(inserted, cases('passed', 'assertion')).fresh).toEqual([])
    expect(renumberedCases(inserted)).toEqual({ fresh: [], old: [] })
  })
})
