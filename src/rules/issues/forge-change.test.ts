import { describe, expect, it } from 'vitest'
import { moveAfterForgeChange } from './forge-change.ts'
import type { IssueState } from './issue-states.ts'

const closed = { change: 'closed', notPlanned: false } as const
const notPlanned = { change: 'closed', notPlanned: true } as const
const reopened = { change: 'reopened' } as const

describe('a change on the forge', () => {
  it.each<[IssueState, string | null, string | null]>([
    ['BACKLOG', 'found_done', 'skipped'],
    ['READY', 'found_done', 'skipped'],
    ['INTERRUPTED', 'found_done', 'skipped'],
    ['BLOCKED', 'found_done', 'skipped'],
    ['MANUAL_REQUIRED', 'found_done', 'skipped'],
    ['SKIPPED', 'found_done', null],
    ['IN_PROGRESS', null, null],
    ['VERIFYING', null, null],
    ['SPLIT', null, null],
    ['DONE', null, null],
  ])('[GH1] closing an issue that is %s leads to %s; closing it as not planned to %s', (state, done, skipped) => {
    expect(moveAfterForgeChange(closed, { state })).toBe(done)
    expect(moveAfterForgeChange(notPlanned, { state })).toBe(skipped)
  })

  it('[GH1] reopening undoes what a person did, and nothing else', () => {
    expect(moveAfterForgeChange(reopened, { state: 'SKIPPED' })).toBe('unblocked')
    expect(moveAfterForgeChange(reopened, { state: 'SKIPPED', skipped_from: 'READY' })).toBeNull()
    expect(moveAfterForgeChange(reopened, { state: 'DONE', done_by: 'person' })).toBe('reverted')
    expect(moveAfterForgeChange(reopened, { state: 'DONE', done_by: 'commit' })).toBeNull()
    expect(moveAfterForgeChange(reopened, { state: 'READY' })).toBeNull()
  })
})
