import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { reconcileSkipped, type TrackedIssue } from './issue-skips.ts'
import { issueStates, stateAfter } from './issue-states.ts'

function apply(issues: TrackedIssue[]): TrackedIssue[] {
  const moves = new Map(reconcileSkipped(issues).map((move) => [move.number, move]))
  return issues.map((issue) => {
    const move = moves.get(issue.number)
    if (!move) return issue
    const state = stateAfter(issue.state, move.cause)!
    return { ...issue, state, skipped_from: state === 'SKIPPED' ? issue.state : undefined }
  })
}

describe('issues that come and go with their dependencies', () => {
  const blocked: TrackedIssue[] = [
    { number: 1, state: 'BLOCKED', depends_on: [] },
    { number: 2, state: 'READY', depends_on: [1] },
    { number: 3, state: 'READY', depends_on: [2] },
  ]

  it('[IS2] are skipped down the chain and come back when the root is unblocked', () => {
    const skipped = apply(blocked)
    expect(skipped.map(({ state }) => state)).toEqual(['BLOCKED', 'SKIPPED', 'SKIPPED'])
    const unblocked = skipped.map((issue) => (issue.number === 1 ? { ...issue, state: 'READY' as const } : issue))
    expect(apply(unblocked).map(({ state }) => state)).toEqual(['READY', 'READY', 'READY'])
  })

  it('[IS2] stay skipped while another dependency is blocked', () => {
    const issues: TrackedIssue[] = [
      { number: 1, state: 'READY', depends_on: [] },
      { number: 2, state: 'BLOCKED', depends_on: [] },
      { number: 3, state: 'SKIPPED', depends_on: [1, 2], skipped_from: 'READY' },
    ]
    expect(reconcileSkipped(issues)).toEqual([])
  })

  it('[IS2] an issue that a person skipped stays skipped, and so do its dependants', () => {
    const issues: TrackedIssue[] = [
      { number: 1, state: 'SKIPPED', depends_on: [] },
      { number: 2, state: 'SKIPPED', depends_on: [1], skipped_from: 'READY' },
    ]
    expect(reconcileSkipped(issues)).toEqual([])
  })

  it('[IS2] an issue skipped from the backlog returns there, not to READY', () => {
    const issues: TrackedIssue[] = [
      { number: 1, state: 'DONE', depends_on: [] },
      { number: 2, state: 'SKIPPED', depends_on: [1], skipped_from: 'BACKLOG' },
    ]
    expect(apply(issues)[1]!.state).toBe('BACKLOG')
  })

  it('[IS2] for any list every move is legal, and once made no more are needed', () => {
    const anyIssue = fc.record({
      state: fc.constantFrom(...issueStates),
      needs: fc.array(fc.nat(7), { maxLength: 3 }),
      heldBack: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(anyIssue, { maxLength: 8 }), (shapes) => {
        const issues = shapes.map(({ state, needs, heldBack }, number): TrackedIssue => {
          return { number, state, depends_on: needs, skipped_from: heldBack ? 'READY' : undefined }
        })
        for (const { number, cause } of reconcileSkipped(issues)) {
          expect(stateAfter(issues[number]!.state, cause)).not.toBeNull()
        }
        expect(reconcileSkipped(apply(issues))).toEqual([])
      }),
    )
  })
})
