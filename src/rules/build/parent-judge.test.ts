import { describe, expect, it } from 'vitest'
import { contractVerdict, type JudgedChild, judgement, shouldRunContract } from './parent-judge.ts'

const child = (id: string, state: JudgedChild['state'], criteria: string[] = []) => ({ id, state, criteria })

describe('the parent as judge', () => {
  it('[GR7] runs the contract tests once every child is settled and at least one has merged', () => {
    expect(shouldRunContract([child('a', 'merged'), child('b', 'dropped')])).toBe(true)
    expect(shouldRunContract([child('a', 'merged'), child('b', 'working')])).toBe(false)
    expect(shouldRunContract([child('a', 'merged'), child('b', 'failed')])).toBe(false)
    expect(shouldRunContract([child('a', 'dropped')])).toBe(false)
  })

  it('[GR7] accepts a child or sends it back to its tests, counted among its reviews', () => {
    expect(judgement('Approved', { reviews: 3 })).toEqual({ verdict: 'accepted' })
    const back = { verdict: 'sent-back', next: { node: 'tdd', mode: 'write-tests' } }
    expect(judgement('MoreTests', { reviews: 2 })).toEqual(back)
    expect(judgement('MoreTests', { reviews: 3 })).toEqual({ verdict: 'escalate', capped: 'reviews' })
    expect(judgement('Reject', { reviews: 1 })).toEqual({ verdict: 'escalate' })
  })

  it('[GR7] sends back the children whose criteria fail the contract', () => {
    const children = [child('a', 'merged', ['c1']), child('b', 'merged', ['c2', 'c3']), child('c', 'dropped', ['c4'])]
    const verdict = contractVerdict(children, [
      { test: 'joins', criteria: ['c1', 'c3'] },
      { test: 'ends', criteria: ['c2'] },
      { test: 'starts', criteria: ['c9'] },
      { test: 'gone', criteria: ['c4'] },
    ])
    expect(verdict).toEqual({
      passed: false,
      sentBack: [
        { child: 'a', failingTests: ['joins'] },
        { child: 'b', failingTests: ['joins', 'ends'] },
      ],
      unassigned: ['starts', 'gone'],
    })
    expect(contractVerdict(children, [])).toEqual({ passed: true, sentBack: [], unassigned: [] })
  })
})
