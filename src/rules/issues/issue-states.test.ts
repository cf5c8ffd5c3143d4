import { describe, expect, it } from 'vitest'
import { type IssueState, issueStates, legalMoves, moveCauses, moveCounts, stateAfter } from './issue-states.ts'

const targetsOf = (state: IssueState) => Object.values(legalMoves[state])

describe('issue states', () => {
  it('[IS1] there are ten', () => {
    expect([...issueStates].sort()).toEqual([
      'BACKLOG',
      'BLOCKED',
      'DONE',
      'INTERRUPTED',
      'IN_PROGRESS',
      'MANUAL_REQUIRED',
      'READY',
      'SKIPPED',
      'SPLIT',
      'VERIFYING',
    ])
  })

  it('[IS1] an issue runs from backlog to done, back to work when a check fails', () => {
    expect(stateAfter('BACKLOG', 'greenlit')).toBe('READY')
    expect(stateAfter('READY', 'started')).toBe('IN_PROGRESS')
    expect(stateAfter('IN_PROGRESS', 'implemented')).toBe('VERIFYING')
    expect(stateAfter('VERIFYING', 'verification_failed')).toBe('IN_PROGRESS')
    expect(stateAfter('VERIFYING', 'retries_spent')).toBe('BLOCKED')
    expect(stateAfter('VERIFYING', 'verified')).toBe('DONE')
  })

  it('[IS1] nothing but a revert takes an issue out of DONE', () => {
    const causes = moveCauses.filter((cause) => stateAfter('DONE', cause) !== null)
    expect(causes).toEqual(['reverted'])
  })

  it('[IS1] an issue that has not started cannot be verified, and a blocked one cannot start', () => {
    expect(targetsOf('READY')).not.toContain('VERIFYING')
    expect(targetsOf('BACKLOG')).not.toContain('IN_PROGRESS')
    expect(targetsOf('BLOCKED')).not.toContain('IN_PROGRESS')
    expect(stateAfter('BLOCKED', 'unblocked')).toBe('READY')
  })

  it('[IS1] a blocked dependency stops only issues that nobody is working on', () => {
    const stopped = issueStates.filter((state) => stateAfter(state, 'dependency_blocked') === 'SKIPPED')
    expect(stopped).toEqual(['BACKLOG', 'READY', 'INTERRUPTED'])
  })

  it('[IS1] a move counts only from the state the issue is in', () => {
    expect(moveCounts('READY', { from: 'READY' })).toBe(true)
    expect(moveCounts('IN_PROGRESS', { from: 'READY' })).toBe(false)
    expect(moveCounts(undefined, { from: 'READY' })).toBe(true)
  })

  it('[IS1] every state can be reached and left, and no move stays in place', () => {
    for (const state of issueStates) {
      expect(targetsOf(state).length).toBeGreaterThan(0)
      expect(targetsOf(state)).not.toContain(state)
      if (state !== 'BACKLOG') expect(issueStates.flatMap(targetsOf)).toContain(state)
    }
  })
})
