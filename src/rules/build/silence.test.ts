import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { afterSilence, defaultSilenceSeconds, msUntilSilent } from './silence.ts'

const silenceMs = defaultSilenceSeconds * 1000

describe('silence', () => {
  it('[GR5] starts after 60 s without activity, and not a millisecond earlier', () => {
    expect(msUntilSilent(0, 59_999, silenceMs)).toBe(1)
    expect(msUntilSilent(0, 60_000, silenceMs)).toBe(0)
    expect(msUntilSilent(0, 900_000, silenceMs)).toBe(0)
  })

  it('[GR5] is counted from the last activity', () => {
    expect(msUntilSilent(50_000, 100_000, silenceMs)).toBe(10_000)
  })

  it('[GR5] a check after the returned wait finds silence, one before does not', () => {
    fc.assert(
      fc.property(fc.nat(500_000), fc.nat(600_000), (lastActivityAt, now) => {
        const wait = msUntilSilent(lastActivityAt, now, silenceMs)
        fc.pre(wait > 0)
        expect(msUntilSilent(lastActivityAt, now + wait - 1, silenceMs)).toBe(1)
        expect(msUntilSilent(lastActivityAt, now + wait, silenceMs)).toBe(0)
      }),
    )
  })

  it('[GR5] the first silence of an attempt sends a reminder, the second fails the attempt', () => {
    expect(afterSilence(false)).toBe('remind')
    expect(afterSilence(true)).toBe('fail')
  })
})
