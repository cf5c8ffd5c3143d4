import { describe, expect, it } from 'vitest'
import { isTakenForDead, silenceMs } from './silent-worker.ts'

describe('a worker that gives no sign of life', () => {
  it('[TM1] is taken for dead after its time, early enough for a takeover within five seconds', () => {
    expect(isTakenForDead({ silentMs: silenceMs + 1, watchedMs: 60_000 })).toBe(true)
    expect(isTakenForDead({ silentMs: silenceMs, watchedMs: 60_000 })).toBe(false)
    expect(silenceMs).toBeLessThan(4500)
  })

  it('[TM1] is not judged by one that could not reach the database either', () => {
    expect(isTakenForDead({ silentMs: 60_000, watchedMs: silenceMs })).toBe(false)
  })
})
