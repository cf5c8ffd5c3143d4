import { describe, expect, it } from 'vitest'
import { isClaimStale, retryDecision, stateAfterStaleClaim } from './issue-retry.ts'

describe('retries', () => {
  it('[IS1] a first attempt and three retries, the last announced as the last, then BLOCKED', () => {
    expect(retryDecision(1)).toEqual({ kind: 'retry', attempt: 2, retry: 1, last: false })
    expect(retryDecision(2)).toEqual({ kind: 'retry', attempt: 3, retry: 2, last: false })
    expect(retryDecision(3)).toEqual({ kind: 'retry', attempt: 4, retry: 3, last: true })
    expect(retryDecision(4)).toEqual({ kind: 'blocked', reason: 'failed on the first attempt and after 3 retries' })
    expect(retryDecision(50).kind).toBe('blocked')
  })

  it('[IS1] the limit can be changed, to none at all', () => {
    expect(retryDecision(1, { retries: 0 }).kind).toBe('blocked')
    expect(retryDecision(1, { retries: 1 })).toMatchObject({ kind: 'retry', last: true })
  })
})

describe('stale locks', () => {
  it('[IS3] a lock that was not renewed in time is stale', () => {
    expect(isClaimStale({ isHeld: true, ownerAlive: true })).toBe(false)
    expect(isClaimStale({ isHeld: false, ownerAlive: true })).toBe(true)
  })

  it('[IS3] a lock whose process is gone is stale at once', () => {
    expect(isClaimStale({ isHeld: true, ownerAlive: false })).toBe(true)
  })

  it('[IS3] its issue becomes INTERRUPTED if it was being worked on', () => {
    expect(stateAfterStaleClaim('IN_PROGRESS')).toBe('INTERRUPTED')
    expect(stateAfterStaleClaim('VERIFYING')).toBe('INTERRUPTED')
    expect(stateAfterStaleClaim('DONE')).toBe('DONE')
    expect(stateAfterStaleClaim('BLOCKED')).toBe('BLOCKED')
  })
})
