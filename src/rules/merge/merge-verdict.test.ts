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
  it('[MG2] is taken where it builds, its own tests and contract pass, and green stays green', () => {
    expect(mergeVerdict(sound)).toEqual({ merged: true })
    expect(mergeVerdict({ ...sound, build: undefined, contract: undefined })).toEqual({ merged: true })
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

  it.each(['assertion', 'error', undefined] as const)('[MG2] is refused where a green test ends %s', (outcome) => {
    const after = tests({ own: 'passed', pending: 'failed', ...(outcome ? { old: outcome } : {}) })
    const verdict = { merged: false, reason: 'IntegrationFailure', failingTests: ['old'] }
    expect(mergeVerdict({ ...sound, after })).toMatchObject(verdict)
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
    expect(mergeVerdict(lost)).toMatchObject({ merged: false, failingTests: ['flaky'] })
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
