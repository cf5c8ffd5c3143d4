import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Pace, type Turn } from '../../src/agents/models/pace.ts'
import { SimulatedClock } from '../contract/simulated-clock.ts'

const settings = { firstWaitMs: 1000, longestWaitMs: 8000, longestRetryAfterMs: 30_000, patienceMs: 60_000 }
const turns = () => new Promise((resolve) => setImmediate(resolve))

/** Without a random part: each wait is its full length. */
function open(more: Partial<typeof settings> = {}, clock = new SimulatedClock()) {
  const pace = new Pace({ ...settings, ...more }, { clock, random: () => 1 })
  const admitted: Turn[] = []
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

const slow = (retryAfterMs?: number) => ({ kind: 'told-to-wait', retryAfterMs }) as const

describe('the pace of a provider', () => {
  it('holds nobody back that was never told to slow down', async () => {
    const { ask, admitted } = open()
    for (let index = 0; index < 100; index++) void ask()
    await turns()
    expect(admitted).toHaveLength(100)
  })

  it('told to slow down, everyone waits; then half as many ask at once, and one more after each round that went well', async () => {
    const { clock, pace, ask, admitted } = open()
    for (let index = 0; index < 8; index++) void ask()
    await turns()
    // All of one burst: that is one piece of news.
    for (const turn of admitted.splice(0)) pace.leave(turn, slow())
    for (let index = 0; index < 8; index++) void ask()
    clock.advance(999)
    await turns()
    expect(admitted).toHaveLength(0)
    clock.advance(1)
    await turns()
    expect(admitted).toHaveLength(4)
    for (const turn of admitted.splice(0)) pace.leave(turn, { kind: 'well' })
    await turns()
    expect(admitted).toHaveLength(4)
    for (const turn of admitted.splice(0)) pace.leave(turn, { kind: 'well' })
    for (let index = 0; index < 8; index++) void ask()
    await turns()
    expect(admitted).toHaveLength(5)
  })

  it('waits twice as long each time in a row, and as long as it is told, within a limit', async () => {
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
      pace.leave(admitted.pop()!, { kind: 'otherwise' })
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 8000, 2500, 30_000])
  })

  it('never holds back who does not wait, and refuses everyone once it has gone on for too long; one keeps looking', async () => {
    const { clock, pace, ask, admitted, refused } = open({ patienceMs: 10_000 })
    await ask()
    pace.leave(admitted.pop()!, slow())
    expect(await ask(false)).not.toBeNull()
    pace.leave(admitted.pop()!, { kind: 'otherwise' })
    for (let index = 0; index < 10; index++) void ask()
    for (let second = 0; second < 30; second++) {
      clock.advance(1000)
      await turns()
      for (const turn of admitted.splice(0)) pace.leave(turn, slow())
      await turns()
    }
    // Four of the ten looked, after 1, 3, 7 and 15 seconds.
    expect(refused.count).toBe(6)
    clock.advance(20_000)
    const look = await ask()
    expect(look).not.toBeNull()
    pace.leave(look!, { kind: 'well' })
    expect(await ask()).not.toBeNull()
  })

  it('loses nobody who comes when the wait is just over and the timer late', async () => {
    const { clock, pace, ask, admitted } = open()
    await ask()
    pace.leave(admitted.pop()!, slow())
    void ask()
    clock.jump(1000)
    void ask()
    await turns()
    expect(admitted).toHaveLength(1)
    pace.leave(admitted.pop()!, { kind: 'well' })
    await turns()
    expect(admitted).toHaveLength(1)
  })

  it('loses nobody to the time that passes between two looks at the clock', async () => {
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

  it('forgets who gave up waiting', async () => {
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

  it('any storm: requests during it are bounded by its length, and everyone gets through after it', async () => {
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
            pace.leave(turn, stormy ? slow() : { kind: 'well' })
            // Who was sent away asks again.
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
