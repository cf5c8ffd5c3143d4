import { describe, expect, it } from 'vitest'
import type { ForgeChange } from '../../forge/changes.ts'
import type { IssueState } from '../../rules/issues/issue-states.ts'
import type { IssueView } from '../view.ts'
import { reactionTo } from './forge-reaction.ts'

const about = { issue: 40, repo: 'acme/shop', feature: 'shop', number: 4 }

function moveAfter(change: Omit<ForgeChange, 'issue'>, issue: Partial<IssueView> & { state: IssueState }) {
  const events = reactionTo({ ...about, ...change, by: 'ada' } as never, { number: 4, ...issue } as IssueView)
  expect(events[0]).toMatchObject({
    type: 'forge.changed',
    feature: 'shop',
    actor: 'ada',
    data: { number: 4, issue: 40 },
  })
  const move = events[1]?.data as { cause: string; to: string; reason?: string; done_by?: string } | undefined
  return move && [move.cause, move.to]
}

describe('what a person does on the forge', () => {
  it.each<[IssueState, string[] | undefined]>([
    ['BACKLOG', ['found_done', 'DONE']],
    ['READY', ['found_done', 'DONE']],
    ['BLOCKED', ['found_done', 'DONE']],
    ['SKIPPED', ['found_done', 'DONE']],
    ['IN_PROGRESS', undefined],
    ['VERIFYING', undefined],
    ['SPLIT', undefined],
    ['DONE', undefined],
  ])('[GH1] closing an issue that is %s', (state, move) => {
    expect(moveAfter({ change: 'closed' }, { state })).toEqual(move)
  })

  it('[GH1] closing it as not planned puts it aside, and reopening brings it back', () => {
    const closed = { change: 'closed', dropped: true } as const
    expect(moveAfter(closed, { state: 'READY' })).toEqual(['skipped', 'SKIPPED'])
    expect(moveAfter({ change: 'reopened' }, { state: 'SKIPPED' })).toEqual(['unblocked', 'READY'])
    expect(moveAfter({ change: 'reopened' }, { state: 'SKIPPED', skipped_from: 'READY' })).toBeUndefined()
  })

  it('[SY1] reopening takes back a word that was given there, but no commit', () => {
    expect(moveAfter({ change: 'reopened' }, { state: 'DONE', done_by: 'person' })).toEqual(['reverted', 'READY'])
    for (const done_by of ['commit', 'tests', 'parts'] as const)
      expect(moveAfter({ change: 'reopened' }, { state: 'DONE', done_by })).toBeUndefined()
  })

  it('[GH1] labels and comments move nothing', () => {
    expect(moveAfter({ change: 'label_removed', label: 'swarm:ready' } as never, { state: 'READY' })).toBeUndefined()
    const comment = { id: 1, text: 'x' }
    expect(moveAfter({ change: 'commented', comment } as never, { state: 'READY' })).toBeUndefined()
  })

  it('[GH1] a comment is one fact, however often it is noticed', () => {
    const keyOf = (id: number) => {
      const noticed = { ...about, change: 'commented', comment: { id, text: 'x' } } as const
      return reactionTo(noticed, { number: 4, state: 'READY' } as IssueView)[0]!.key
    }
    expect(keyOf(7)).toEqual({ run: 'forge:shop', step: 'comment acme/shop', n: 7 })
    expect(keyOf(8)).not.toEqual(keyOf(7))
  })
})
