import { describe, expect, it } from 'vitest'
import type { TestFacts, TestOutcome } from '../build/test-facts.ts'
import {
  type MergeFacts,
  mergeStyle,
  mergeTrailers,
  mergeVerdict,
  needsRebaser,
  redOnceJoined,
} from './merge-verdict.ts'

const tests = (outcomes: Record<string, TestOutcome>): TestFacts[] =>
  Object.entries(outcomes).map(([name, outcome]) => ({ name, outcome }))

const sound: MergeFacts = {
  build: 0,
  own: 0,
  contract: 0,
  before: tests({ old: 'passed', pending: 'assertion' }),
  after: tests({ old: 'passed', pending: 'assertion', own: 'passed' }),
  ownTests: ['own'],
  pendingTests: ['pending'],
}

describe('how a node is merged', () => {
  it('[MG1] a leaf is squashed, a subtree keeps its commits', () => {
    expect(mergeStyle({ children: 0 })).toBe('squash')
    expect(mergeStyle({ children: 1 })).toBe('merge-commit')
  })

  it('[MG1] trailers name run, node, spec, criteria and issue, each on one line', () => {
    const names = { run: 'r1', node: 'calc/parser', spec: 'parser', criteria: ['c1', 'c2'] }
    expect(mergeTrailers({ ...names, issue: 'calc#3' })).toEqual([
      'Convene-Run: r1',
      'Convene-Node: calc/parser',
      'Convene-Spec: parser',
      'Convene-Criteria: c1, c2',
      'Convene-Issue: calc#3',
    ])
    expect(mergeTrailers({ ...names, criteria: ['c1\nConvene-Issue: other#1'] })).toHaveLength(4)
  })
})

describe('the merged tree', () => {
  it('[MG2] lets a test go that the work contradicts, as its reviewer was shown', () => {
    const before = tests({ 'old name': 'passed', other: 'passed' })
    const after = tests({ 'new name': 'passed', other: 'passed' })
    const verdict = (outdated: string[]) =>
      mergeVerdict({ before, after, ownTests: [], pendingTests: [], outdated }).merged
    expect([verdict(['old name']), verdict(['other']), verdict([])]).toEqual([true, false, false])
  })

  it('[MG2] is taken where it builds, its own tests and contract pass, and green stays green', () => {
    expect(mergeVerdict(sound)).toEqual({ merged: true })
    expect(mergeVerdict({ ...sound, build: undefined, contract: undefined })).toEqual({ merged: true })
  })

  it('[MG2] is refused for a checker in front of tests that were not seen to run, and that is no failing test', () => {
    const verdict = mergeVerdict({ ...sound, after: [], before: [], checks: 2 })
    expect(verdict).toMatchObject({ merged: false, failingTests: [] })
    expect(verdict).toHaveProperty('details', 'a check of the test command fails once merged (exit code 2)')
  })

  it('[MG2] is refused where it does not build', () => {
    expect(mergeVerdict({ ...sound, build: 2 })).toMatchObject({ merged: false, reason: 'BuildFailure' })
  })

  it('[MG2] is refused where the contract fails', () => {
    expect(mergeVerdict({ ...sound, contract: 1 })).toMatchObject({ merged: false, reason: 'ContractViolation' })
  })

  it.each(['assertion', 'skipped', undefined] as const)('[MG2] is refused where its own test ends %s', (outcome) => {
    const after = tests({ old: 'passed', pending: 'failed', ...(outcome ? { own: outcome } : {}) })
    const verdict = { merged: false, reason: 'IntegrationFailure', failingTests: ['own'] }
    expect(mergeVerdict({ ...sound, after })).toMatchObject(verdict)
  })

  it.each(['assertion', 'error', 'skipped'] as const)('[MG2] is refused where a green test ends %s', (outcome) => {
    const after = tests({ own: 'passed', pending: 'failed', old: outcome })
    const verdict = { merged: false, reason: 'IntegrationFailure', failingTests: ['old'] }
    expect(mergeVerdict({ ...sound, after })).toMatchObject(verdict)
  })

  it('[MG2] is refused where a green test is gone, which is not called failing', () => {
    const details = 'tests that were there before were removed: old'
    const after = tests({ own: 'passed', pending: 'failed' })
    const verdict = { merged: false, reason: 'IntegrationFailure', details, failingTests: [] }
    expect(mergeVerdict({ ...sound, after })).toEqual(verdict)
  })

  describe('with cases of a test under other ids', () => {
    const pytest = (...names: string[]): TestFacts[] =>
      names.map((name) => {
        const file = 'tests/test_lists.py'
        return { name, fullName: `${file}::${name}`, suite: [], file, outcome: 'passed' }
      })
    const go = (...names: string[]): TestFacts[] =>
      names.map((name) => ({ name, fullName: `example.com/lists ${name}`, outcome: 'passed' }))
    const jest = (...names: string[]): TestFacts[] =>
      names.map((name) => ({ name, fullName: name, file: 'lists.test.js', outcome: 'passed' }))
    const cases = pytest('test_list[args0-one]', 'test_list[args1-two]', 'test_other')
    const verdictOn = (before: TestFacts[], after: TestFacts[]) =>
      mergeVerdict({ before, after, ownTests: [], pendingTests: [] })

    it.each([
      ['numbered anew', cases, pytest('test_list[args0-one]', 'test_list[args1-new]', 'test_list[args2-two]')],
      ['of a test that had none', pytest('test_list'), pytest('test_list[one]', 'test_list[two [2]]')],
      ['of Go', go('TestList', 'TestList/#00', 'TestList/b#01'), go('TestList', 'TestList/#00', 'TestList/b#02')],
    ])('[MG2] is taken where there are as many: %s', (_, before, after) => {
      expect(verdictOn(before, [...after, ...pytest('test_other')])).toEqual({ merged: true })
    })

    it.each([
      ['fewer', cases.slice(0, 2), pytest('test_list[args0-two]'), 'tests/test_lists.py::test_list (1 of 2 cases)'],
      [
        'others in their place',
        cases,
        pytest('test_list[args0-one]', 'test_list_too[args1-two]', 'test_other[args1-two]'),
        'tests/test_lists.py::test_list (1 of 2 cases)',
      ],
      ['another test', pytest('test_list'), pytest('test_more[one]'), 'tests/test_lists.py::test_list'],
      [
        'another file',
        pytest('test_list'),
        [{ ...go('test_list[one]')[0]!, file: 'b.py' }],
        'tests/test_lists.py::test_list',
      ],
      ['another Go test', go('TestA/one'), go('TestB/one'), 'example.com/lists TestA'],
      [
        'names that show no case',
        jest('list[0]', 'adds 1 to 2'),
        jest('list[1]', 'adds 1 to 3'),
        'list[0], adds 1 to 2',
      ],
    ])('[MG2] is refused where there are %s', (_, before, after, removed) => {
      const details = `tests that were there before were removed: ${removed}`
      expect(verdictOn(before, after)).toMatchObject({ merged: false, details })
    })

    it.each(['assertion', 'skipped'] as const)('[MG2] is refused where one of them ends %s', (outcome) => {
      const after = pytest('test_list[args0-one]', 'test_list[args2-two]', 'test_other')
      after[1]!.outcome = outcome
      const [removed, red] = [
        'removed: tests/test_lists.py::test_list (1 of 2 cases)',
        'tests that must be green are not',
      ]
      const { details } = verdictOn(cases, after) as { details: string }
      expect(details).toContain(removed)
      expect(details.includes(red)).toBe(outcome === 'assertion')
    })
  })

  it('[MG2] may leave pending tests red, but not turn one that was green', () => {
    const green = tests({ old: 'passed', pending: 'passed' })
    expect(mergeVerdict({ ...sound, before: green })).toMatchObject({ merged: false, failingTests: ['pending'] })
    expect(mergeVerdict({ ...sound, before: tests({ old: 'passed' }) })).toEqual({ merged: true })
    expect(mergeVerdict({ ...sound, before: tests({ old: 'passed' }), pendingTests: [] })).toMatchObject({
      merged: false,
      failingTests: ['pending'],
    })
  })

  it('[MG2] ignores tests that were red before', () => {
    const facts = { ...sound, before: tests({ old: 'failed' }), after: tests({ old: 'failed', own: 'passed' }) }
    expect(mergeVerdict(facts)).toEqual({ merged: true })
  })

  it('[MG2] excuses an unreliable test that is missing with its file', () => {
    const lost = { ...sound, before: [...sound.before, { name: 'flaky', outcome: 'passed' as const }] }
    expect(mergeVerdict(lost)).toMatchObject({ merged: false, details: expect.stringContaining('removed: flaky') })
    expect(mergeVerdict({ ...lost, isUnreliable: ({ name }) => name === 'flaky' })).toEqual({ merged: true })
  })

  it('[MG2] uses exit codes if tests have no names', () => {
    const unreadable = { ...sound, before: [], after: [] }
    expect(mergeVerdict(unreadable)).toEqual({ merged: true })
    expect(mergeVerdict({ ...unreadable, own: 1 })).toMatchObject({ merged: false, reason: 'IntegrationFailure' })
    expect(mergeVerdict({ ...unreadable, own: undefined })).toMatchObject({ merged: false })
  })

  it('[MG2] tells tests of the same title in two groups apart', () => {
    const two = (first: TestOutcome, second: TestOutcome): TestFacts[] => [
      { name: 'works', fullName: 'a works', outcome: first },
      { name: 'works', fullName: 'b works', outcome: second },
    ]
    const facts = { ...sound, ownTests: [], before: two('passed', 'failed'), after: two('failed', 'passed') }
    expect(mergeVerdict(facts)).toMatchObject({ failingTests: ['a works'] })
  })
})

describe('who adapts', () => {
  it('[RB1] an agent is asked only on a conflict or a breaking change', () => {
    expect(needsRebaser({ impact: 'Trivial', conflict: false })).toBe(false)
    expect(needsRebaser({ impact: 'Additive', conflict: false })).toBe(false)
    expect(needsRebaser({ impact: 'Breaking', conflict: false })).toBe(true)
    expect(needsRebaser({ impact: 'Trivial', conflict: true })).toBe(true)
  })
})

describe('two histories that nobody has seen together', () => {
  it('[MG2] a test that was green on either side, or is new, must be green', () => {
    const joined = tests({ a: 'assertion', b: 'assertion', young: 'assertion', c: 'passed' })
    const sides = [tests({ a: 'passed' }), tests({ b: 'passed', a: 'assertion' })]
    expect(redOnceJoined(sides, joined)).toEqual(['a', 'b', 'young'])
  })

  it('[MG2] a test that was red before and green on neither side does not refuse the merge', () => {
    expect(redOnceJoined([tests({ old: 'assertion' }), []], tests({ old: 'assertion', c: 'passed' }))).toEqual([])
  })
})
