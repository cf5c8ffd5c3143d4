import { describe, expect, it } from 'vitest'
import type { TestFacts } from '../build/test-facts.ts'
import { droppedTests, findPlanned, passedAtOnce, plannedAnew, withFoundNames } from './planned-tests.ts'

const ran = (...names: string[]): TestFacts[] => names.map((name) => ({ name, outcome: 'assertion' }))
const plan = (name: string, criterionId = 'c1') => ({ criterionId, plannedTestName: name })
const found = (name: string, tests: TestFacts[], final?: { criterionId: string; testName: string }[]) =>
  findPlanned([plan(name)], tests, { ...(final ? { final } : {}) })[0]!.tests.map((test) => test.name)

describe('planned tests', () => {
  it.each([
    ['its name', 'adds one', 'adds one'],
    ['a suite in front, as a runner prints it', 'adds one', 'inc › adds one'],
    ['a suite in the plan alone', 'inc > adds one', 'adds one'],
    ['other punctuation and case', 'Inc: adds one!', 'inc adds one'],
    ['the id of its criterion', 'adds one', 'c1: increments a number'],
    ['the most common words', 'adds one to a number', 'adds one to any number'],
  ])('[VF2] are found by %s', (_, planned, name) => {
    expect(found(planned, ran('something else entirely', name))).toEqual([name])
  })

  it('[VF2] are found under the name that their author reports', () => {
    const final = [{ criterionId: 'c1', testName: 'increments' }]
    expect(found('adds one', ran('decrements', 'increments'), final)).toEqual(['increments'])
  })

  it('[VF2] are not found in a test with another meaning, or where two fit as well', () => {
    expect(found('adds one', ran('subtracts two'))).toEqual([])
    expect(found('adds one to it', ran('adds one to a', 'adds one to b'))).toEqual([])
  })

  it('[VF2] leave a test to the planned one that it fits best', () => {
    const both = findPlanned([plan('adds one'), plan('adds one more', 'c2')], ran('adds one', 'adds one more'))
    expect(both.map(({ tests }) => tests.map(({ name }) => name))).toEqual([['adds one'], ['adds one more']])
  })

  it('[VF2] are known by the names they ran under from then on', () => {
    const tests: TestFacts[] = [{ name: 'adds one', fullName: 'inc adds one', outcome: 'assertion' }]
    expect(withFoundNames(findPlanned([plan('Inc > Adds one')], tests))).toEqual([plan('inc adds one')])
    expect(withFoundNames(findPlanned([plan('adds one')], tests))).toEqual([plan('adds one')])
  })

  it('[VF2] are looked for in the author’s files first, and elsewhere by name alone', () => {
    const at = (name: string, file: string): TestFacts => ({ name, file, outcome: 'passed' })
    const files = ['test/new.test.js']
    const inFiles = (name: string, tests: TestFacts[]) =>
      findPlanned([plan(name)], tests, { files })[0]!.tests.map(({ file }) => file)
    const near = at('adds one to any number', 'test/new.test.js')
    expect(inFiles('adds one to a number', [at('adds one to a number', 'test/old.test.js'), near])).toEqual(files)
    expect(inFiles('adds one', [at('adds one', 'test/old.test.js')])).toEqual(['test/old.test.js'])
    expect(inFiles('adds one', [at('c1: multiplies', 'test/old.test.js')])).toEqual([])
  })

  it('[GR3] are written again where a new plan says something else of them', () => {
    const before = [
      { ...plan('adds one'), approach: 'call it' },
      { ...plan('adds two'), approach: 'call it' },
    ]
    const now = [
      { ...plan('adds one'), approach: 'call it\n' },
      { ...plan('adds two'), approach: 'call it; put back the old cases' },
      { ...plan('adds three'), approach: 'call it' },
    ]
    expect(plannedAnew(before, now)).toEqual(['adds two'])
  })

  it('[GR3] passed at once on reviewed code if all their cases did', () => {
    const ran: TestFacts[] = [
      { name: 'halves[2.5]', outcome: 'passed' },
      { name: 'halves[-2.5]', outcome: 'passed' },
      { name: 'thirds[1]', outcome: 'passed' },
      { name: 'thirds[2]', outcome: 'assertion' },
    ]
    expect(passedAtOnce([plan('halves'), plan('thirds'), plan('fifths')], ran)).toEqual(['halves'])
  })

  it('[VF2] are dropped where their author replaced them, and only there', () => {
    const at = (name: string, file: string): TestFacts => ({ name, file, outcome: 'passed' })
    const before = [at('adds one', 'test/a.test.js'), at('adds two', 'test/b.test.js')]
    const round = {
      earlier: [plan('adds one'), plan('adds two', 'c2')],
      before,
      testFiles: ['test/a.test.js', 'test/b.test.js'],
      files: ['test/a.test.js'],
    }
    const dropped = (names: string[], more = {}) =>
      droppedTests({ ...round, ran: names.map((name) => at(name, 'test/a.test.js')), ...more })
    expect(dropped(['adds one', 'adds three'])).toEqual([])
    expect(dropped(['adds three'])).toEqual([plan('adds one')])
    expect(dropped(['adds three'], { before: [] }), 'another file may hold it').toEqual([])
    expect(dropped(['adds three'], { before: [], testFiles: round.files })).toHaveLength(2)
  })
})
