import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { waitForCalls } from './call-caps.ts'

describe('call caps', () => {
  it('[RD12] limits the calls of a minute and says when the next is free', () => {
    const times = [0, 10_000, 20_000]
    expect(waitForCalls([], 1, 0, 1)).toBe(0)
    expect(waitForCalls(times, 1, 60_000, 2)).toBe(10_000)
    expect(waitForCalls(times, 1, 70_000, 2)).toBe(0)
    expect(waitForCalls(times, 2, 60_000, 3)).toBe(10_000)
  })

  it('[RD12] a request for more calls than the limit waits for an empty minute, not forever', () => {
    expect(waitForCalls([], 5, 0, 2)).toBe(0)
    expect(waitForCalls([1000], 5, 1000, 2)).toBe(60_000)
  })

  it('[RD12] callers that wait as told never exceed the limit in any minute', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ after: fc.nat(30_000), count: fc.integer({ min: 1, max: 4 }) }), { maxLength: 40 }),
        fc.integer({ min: 4, max: 9 }),
        (calls, perMinute) => {
          const times: number[] = []
          let now = 0
          for (const { after, count } of calls) {
            now += after
            for (let wait = waitForCalls(times, count, now, perMinute); wait > 0; ) {
              now += wait
              wait = waitForCalls(times, count, now, perMinute)
            }
            times.push(...Array.from({ length: count }, () => now))
          }
          for (const time of times)
            expect(times.filter((at) => at > time - 60_000 && at <= time).length).toBeLessThanOrEqual(perMinute)
        },
      ),
    )
  })
})
