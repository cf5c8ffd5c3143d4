import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Pace, type Permit } from '../../src/agents/models/pace.ts'
import { SimulatedClock } from '../contract/simulated-clock.ts'

const settings = { firstWaitMs: 1000, longestWaitMs: 8000, longestRetryAfterMs: 30_000, patienceMs: 60_000 }
const turns = () => new Promise((resolve) => setImmediate(resolve))

/** Without jitter: each wait has its full length. */
function open(more: Partial<typeof settings> = {}, clock = new SimulatedClock()) {
  const pace = new Pace({ ...settings, ...more }, { clock, random: () => 1 })
  const admitted: Permit[] = []
  const refused = { count: 0 }
  const ask = (patient = true, signal?: AbortSignal) => {
    const entering = pace.enter({ patient, signal })
    entering.then(
      (turn) => (turn ? admitted.push(turn) : refused.count++),
      () => {},
    )
    return entering
  }
  return { clock, pace, admitted, refused, ask }
}

const slow = (retryAfterMs?: number) => ({ kind: 'rate-limited', retryAfterMs }) as const

describe('the pace of a provider', () => {
  it('delays nobody before the first 429', async () => {
    const { ask, admitted } = open()
    for (let index = 0; index < 100; index++) void ask()
    await turns()
    expect(admitted).toHaveLength(100)
  })

  it('after a 429 everyone waits; then half as many run concurrently, and one more after each successful window', async () => {
    const { clock, pace, ask, admitted } = open()
    for (let index = 0; index < 8; index++) void ask()
    await turns()
    // All from one burst: they count as one 429.
    for (const turn of admitted.splice(0)) pace.leave(turn, slow())
    for (let index = 0; index < 8; index++) void ask()
    clock.advance(999)
    await turns()
    expect(admitted).toHaveLength(0)
    clock.advance(1)
    await turns()
    expect(admitted).toHaveLength(4)
    for (const turn of admitted.splice(0)) pace.leave(turn, { kind: 'succeeded' })
    await turns()
    expect(admitted).toHaveLength(4)
    for (const turn of admitted.splice(0)) pace.leave(turn, { kind: 'succeeded' })
    for (let index = 0; index < 8; index++) void ask()
    await turns()
    expect(admitted).toHaveLength(5)
  })

  it('doubles the wait each time in a row, honours Retry-After, up to a limit', async () => {
    const { clock, pace, ask, admitted } = open()
    const waits: number[] = []
    for (const told of [undefined, undefined, undefined, undefined, undefined, 2500, 90_000]) {
      const asked = ask()
      await turns()
      pace.leave(admitted.pop()!, slow(told))
      await asked
      const before = clock.now()
      void ask()
      while (admitted.length === 0) {
        clock.advance(500)
        await turns()
      }
      waits.push(clock.now() - before)
      pace.leave(admitted.pop()!, { kind: 'failed' })
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 8000, 2500, 30_000])
  })

  it('never delays callers that do not wait, and rejects everyone after too long; one keeps probing', async () => {
    const { clock, pace, ask, admitted, refused } = open({ patienceMs: 10_000 })
    await ask()
    pace.leave(admitted.pop()!, slow())
    expect(await ask(false)).not.toBeNull()
    pace.leave(admitted.pop()!, { kind: 'failed' })
    for (let index = 0; index < 10; index++) void ask()
    for (let second = 0; second < 30; second++) {
      clock.advance(1000)
      await turns()
      for (const turn of admitted.splice(0)) pace.leave(turn, slow())
      await turns()
    }
    // Four of the ten probed, after 1, 3, 7 and 15 seconds.
    expect(refused.count).toBe(6)
    clock.advance(20_000)
    const look = await ask()
    expect(look).not.toBeNull()
    pace.leave(look!, { kind: 'succeeded' })
    expect(await ask()).not.toBeNull()
  })

  it('loses no caller that arrives when the wait is just over and the timer is late', async () => {
    const { clock, pace, ask, admitted } = open()
    await ask()
    pace.leave(admitted.pop()!, slow())
    void ask()
    clock.jump(1000)
    void ask()
    await turns()
    expect(admitted).toHaveLength(1)
    pace.leave(admitted.pop()!, { kind: 'succeeded' })
    await turns()
    expect(admitted).toHaveLength(1)
  })

  it('loses no caller to the time between two reads of the clock', async () => {
    class CreepingClock extends SimulatedClock {
      override now(): number {
        this.jump(1)
        return super.now()
      }
    }
    for (let firstWaitMs = 1; firstWaitMs < 20; firstWaitMs++) {
      const clock = new CreepingClock()
      const { pace, ask, admitted } = open({ firstWaitMs }, clock)
      await ask()
      pace.leave(admitted.pop()!, slow())
      void ask()
      clock.advance(firstWaitMs)
      await turns()
      expect([firstWaitMs, admitted.length]).toEqual([firstWaitMs, 1])
    }
  })

  it('forgets callers that gave up waiting', async () => {
    const { clock, pace, ask, admitted } = open()
    await ask()
    pace.leave(admitted.pop()!, slow())
    const gone = new AbortController()
    const leaving = ask(true, gone.signal)
    void ask()
    gone.abort(new Error('no longer needed'))
    await expect(leaving).rejects.toThrow('no longer needed')
    clock.advance(1000)
    await turns()
    expect(admitted).toHaveLength(1)
  })

  it('bounds the requests during any storm by its length, and lets everyone through after it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 50_000 }), async (asking, length) => {
        const { clock, pace, ask, admitted } = open({ patienceMs: 1_000_000 })
        const over = clock.now() + length
        for (let index = 0; index < asking; index++) void ask()
        let during = 0
        let well = 0
        await turns()
        for (let rounds = 0; rounds < 1000 && well < asking; rounds++) {
          for (const turn of admitted.splice(0)) {
            const stormy = clock.now() < over
            if (stormy) during++
            else well++
            pace.leave(turn, stormy ? slow() : { kind: 'succeeded' })
            // Rejected callers ask again.
            if (stormy) void ask()
          }
          await turns()
          if (admitted.length === 0) clock.advance(500)
          await turns()
        }
        expect(well).toBe(asking)
        // The first burst, its halves, and one in each wait.
        expect(during).toBeLessThanOrEqual(2 * asking + 4 + length / 1000)
      }),
      { numRuns: 30 },
    )
  })
})
