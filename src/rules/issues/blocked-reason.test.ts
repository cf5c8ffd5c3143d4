import { describe, expect, it } from 'vitest'
import { afterBlocked, blockedReason } from './blocked-reason.ts'

const ended = 'given up: all 4 attempts are used'
const failure = (attempt: number, detail: string) => ({ attempt, detail })

describe('why an issue is blocked', () => {
  it('[IS6] is said by attempt, in one or two sentences; attempts with the same cause share it', () => {
    const red = '[VF4] the tests do not pass in a clean checkout (adds one)\nmore'
    expect(
      blockedReason(ended, [1, 2, 4].map((attempt) => failure(attempt, red)).concat(failure(3, '[GR4] it gave up.'))),
    ).toBe(
      'given up: all 4 attempts are used. Attempts 1, 2 and 4: the tests do not pass in a clean checkout (adds one); Attempt 3: it gave up.',
    )
    expect(
      blockedReason(
        ended,
        [1, 2, 3].map((attempt) => failure(attempt, red)),
      ),
    ).toContain('Attempts 1 to 3: the')
  })

  it('[IS6] names the first causes and the last, and only why it ended if no attempt failed', () => {
    const four = blockedReason(
      ended,
      ['a', 'b', 'c', 'd'].map((cause, index) => failure(index + 1, `[VF4] ${cause}`)),
    )
    expect(four).toBe(`${ended}. Attempt 1: a; Attempt 2: b; Attempt 4: d.`)
    expect(blockedReason('it could not be built', [])).toBe('it could not be built')
  })

  it('[IS6] comes with what a person can do', () => {
    expect(afterBlocked('csv', 2)).toContain('`convene unblock csv --issue 2`')
  })
})
