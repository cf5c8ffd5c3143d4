import { describe, expect, it } from 'vitest'
import { gitSync } from './git-sync.ts'
import { greenlitState, reconcileWithGit } from './issue-reconcile.ts'
import { issueStates } from './issue-states.ts'

const commitOf = (number: number) => ({ subject: `feat(auth): Implement issue #${number}` })

describe('reconciling with git', () => {
  it('[IS4] an issue that git knows as done becomes DONE, whatever was noted', () => {
    const git = gitSync('auth', [commitOf(1)])
    for (const state of issueStates.filter((one) => one !== 'DONE')) {
      expect(reconcileWithGit([{ number: 1, state }], git)).toEqual([
        { number: 1, from: state, to: 'DONE', cause: 'found_done' },
      ])
    }
    expect(reconcileWithGit([{ number: 1, state: 'DONE' }], git)).toEqual([])
    expect(reconcileWithGit([{ number: 2, state: 'READY' }], git)).toEqual([])
  })

  it('[IS4] a reverted commit makes its issue READY again', () => {
    const git = gitSync('auth', [{ subject: 'Revert "feat(auth): Implement issue #1"' }, commitOf(1)])
    expect(reconcileWithGit([{ number: 1, state: 'DONE', done_by: 'commit' }], git)).toEqual([
      { number: 1, from: 'DONE', to: 'READY', cause: 'reverted' },
    ])
    expect(reconcileWithGit([{ number: 1, state: 'BLOCKED' }], git)).toEqual([])
  })

  it('[IS4] DONE by passing tests or by a person is kept', () => {
    const git = gitSync('auth', [{ ...commitOf(1), reverted: true }])
    for (const done_by of ['tests', 'person'] as const) {
      expect(reconcileWithGit([{ number: 1, state: 'DONE', done_by }], git)).toEqual([])
    }
  })

  it('[IS4] a DONE issue of which git shows nothing at all stays DONE', () => {
    expect(reconcileWithGit([{ number: 1, state: 'DONE' }], gitSync('auth', []))).toEqual([])
  })

  it('[IS4] greenlight readies new and waiting issues and resets none', () => {
    expect(greenlitState(undefined)).toBe('READY')
    expect(greenlitState('BACKLOG')).toBe('READY')
    for (const state of issueStates.filter((one) => one !== 'BACKLOG')) expect(greenlitState(state)).toBe(state)
  })

  it('[IS4] moves come by number', () => {
    const git = gitSync('auth', [commitOf(1), commitOf(2)])
    const moves = reconcileWithGit(
      [
        { number: 2, state: 'READY' },
        { number: 1, state: 'READY' },
      ],
      git,
    )
    expect(moves.map(({ number }) => number)).toEqual([1, 2])
  })
})
