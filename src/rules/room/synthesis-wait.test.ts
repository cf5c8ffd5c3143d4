import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { synthesisWait } from './synthesis-wait.ts'

describe('waiting for the winner', () => {
  it('[RD7] lasts 15 s without activity', () => {
    expect(synthesisWait({ started: 1000, now: 1000 })).toEqual({ kind: 'wait', until: 16_000 })
    expect(synthesisWait({ started: 1000, now: 15_999 })).toEqual({ kind: 'wait', until: 16_000 })
    expect(synthesisWait({ started: 1000, now: 16_000 })).toEqual({ kind: 'give_up', because: 'silence' })
  })

  it('[RD7] restarts with every activity, up to 120 s in all', () => {
    expect(synthesisWait({ started: 0, lastSign: 14_000, now: 20_000 })).toEqual({ kind: 'wait', until: 29_000 })
    expect(synthesisWait({ started: 0, lastSign: 110_000, now: 119_000 })).toEqual({ kind: 'wait', until: 120_000 })
    expect(synthesisWait({ started: 0, lastSign: 119_999, now: 120_000 })).toEqual({
      kind: 'give_up',
      because: 'total',
    })
  })

  it('[RD7] accepts other limits, and ignores activity from before the start', () => {
    expect(synthesisWait({ started: 100, lastSign: 20, now: 100 }, { silence_ms: 10, total_ms: 15 })).toEqual({
      kind: 'wait',
      until: 110,
    })
  })

  it('[RD7] always ends when checked at each `until`, however active the winner is', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(14_999)), (pauses) => {
        let now = 0
        let waiting = synthesisWait({ started: 0, now })
        for (const pause of [...pauses, ...new Array<number>(10).fill(14_999)]) {
          if (waiting.kind !== 'wait') break
          expect(waiting.until).toBeGreaterThan(now)
          now = Math.min(waiting.until, now + pause + 1)
          waiting = synthesisWait({ started: 0, lastSign: now, now })
        }
        expect(waiting).toEqual({ kind: 'give_up', because: 'total' })
        expect(now).toBe(120_000)
      }),
    )
  })
})
