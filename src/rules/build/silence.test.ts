import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { silence } from './silence.ts'

describe('silence', () => {
  it('[GR5] of 60 s gets one nudge', () => {
    expect(silence({ startedAt: 0, now: 59_999 })).toEqual({ action: 'nothing', forMs: 1 })
    expect(silence({ startedAt: 0, now: 60_000 })).toEqual({ action: 'nudge' })
  })

  it('[GR5] after a nudge fails the attempt, 60 s later', () => {
    expect(silence({ startedAt: 0, nudgedAt: 60_000, now: 119_999 })).toEqual({ action: 'nothing', forMs: 1 })
    expect(silence({ startedAt: 0, nudgedAt: 60_000, now: 120_000 })).toEqual({ action: 'failed' })
  })

  it('[GR5] is broken by a token and by a tool alike', () => {
    expect(silence({ startedAt: 0, lastTokenAt: 50_000, now: 100_000 })).toEqual({ action: 'nothing', forMs: 10_000 })
    expect(silence({ startedAt: 0, lastToolAt: 50_000, now: 100_000 })).toEqual({ action: 'nothing', forMs: 10_000 })
    expect(silence({ startedAt: 0, lastTokenAt: 10_000, lastToolAt: 50_000, now: 110_000 }).action).toBe('nudge')
  })

  it('[GR5] while a tool runs is waiting, not silence', () => {
    expect(silence({ startedAt: 0, toolRunning: true, now: 900_000 }).action).toBe('nothing')
  })

  it('[GR5] a second time fails, also where the nudge was answered', () => {
    const answered = { startedAt: 0, nudgedAt: 60_000, lastTokenAt: 300_000 }
    expect(silence({ ...answered, now: 359_000 }).action).toBe('nothing')
    expect(silence({ ...answered, now: 360_000 }).action).toBe('failed')
  })

  it('[GR5] a limit of its own may be given', () => {
    expect(silence({ startedAt: 0, now: 5 }, { silenceMs: 5 })).toEqual({ action: 'nudge' })
  })

  it('[GR5] whoever looks again when told to, finds a decision then and not before', () => {
    fc.assert(
      fc.property(fc.nat(500_000), fc.nat(500_000), fc.nat(600_000), (lastTokenAt, lastToolAt, now) => {
        const activity = { startedAt: 0, lastTokenAt, lastToolAt, now }
        const first = silence(activity)
        if (first.action !== 'nothing') return
        expect(silence({ ...activity, now: now + first.forMs - 1 }).action).toBe('nothing')
        expect(silence({ ...activity, now: now + first.forMs }).action).toBe('nudge')
      }),
    )
  })
})
