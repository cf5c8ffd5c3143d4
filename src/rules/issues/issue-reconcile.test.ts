import { describe, expect, it } from 'vitest'
import { gitSync } from './git-sync.ts'
import { greenlitState, reconcileWithGit, untraced } from './issue-reconcile.ts'
import { issueStates } from './issue-states.ts'

const commitOf = (number: number) => ({ subject: `feat(auth): Implement issue #${number}` })

describe('reconciling with git', () => {
  it('[IS4] an issue that is done in git becomes DONE, whatever was recorded', () => {
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

  it('[IS4] a DONE issue that no message names becomes READY only once its commit is gone', () => {
    const done = { number: 1, state: 'DONE', done_by: 'commit', commit: 'abc1' } as const
    const git = gitSync('auth', [])
    expect(untraced([done], git)).toEqual([{ number: 1, commit: 'abc1' }])
    expect(reconcileWithGit([done], git)).toEqual([])
    expect(reconcileWithGit([done], git, new Set(['abc2']))).toEqual([])
    expect(reconcileWithGit([done], git, new Set(['abc1']))).toEqual([
      { number: 1, from: 'DONE', to: 'READY', cause: 'reverted' },
    ])
    expect(reconcileWithGit([done], gitSync('auth', [commitOf(1)]), new Set(['abc1']))).toEqual([])
  })

  it('[IS4] what is not DONE by a recorded commit cannot lose it', () => {
    const git = gitSync('auth', [])
    const others = [
      { number: 1, state: 'DONE' },
      { number: 2, state: 'DONE', done_by: 'tests', commit: 'abc1' },
      { number: 3, state: 'DONE', done_by: 'person', commit: 'abc1' },
      { number: 4, state: 'DONE', done_by: 'parts', commit: 'abc1' },
      { number: 5, state: 'BLOCKED', done_by: 'commit', commit: 'abc1' },
    ] as const
    expect(untraced(others, git)).toEqual([])
    expect(reconcileWithGit(others, git, new Set(['abc1']))).toEqual([])
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
