import { describe, expect, it } from 'vitest'
import { ForgeFailed } from '../../src/forge/forge.ts'
import { patiently } from '../../src/forge/patiently.ts'
import { SimulatedClock } from '../contract/simulated-clock.ts'
import { passTime } from './outbox-fixture.ts'

const down = (retryAfterMs?: number) =>
  new ForgeFailed('forge_unavailable', 'down', {
    retryable: true,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  })

function setUp(answers: (Error | 'ok')[], limitMs?: number) {
  const clock = new SimulatedClock()
  const began = clock.now()
  const stopping = new AbortController()
  const calls: number[] = []
  const call = async () => {
    calls.push(clock.now() - began)
    const answer = answers[Math.min(calls.length, answers.length) - 1]!
    if (answer !== 'ok') throw answer
    return answer
  }
  const patience = { clock, signal: stopping.signal, random: () => 1, ...(limitMs === undefined ? {} : { limitMs }) }
  return { clock, calls, stopping, ended: patiently(call, patience) }
}

describe('patiently', () => {
  it('[GH3] retries after growing waits, and no sooner than asked to', async () => {
    const { clock, calls, ended } = setUp([down(), down(), down(30_000), down(1), down(), 'ok'])
    expect(await passTime(clock, ended)).toBe('ok')
    expect(calls).toEqual([0, 1000, 3000, 33_000, 41_000, 51_000])
  })

  it('[GH3] ends with the last failure when the time is up, or would be', async () => {
    const { clock, calls, ended } = setUp([down()], 10_000)
    await expect(passTime(clock, ended)).rejects.toMatchObject({ code: 'forge_unavailable' })
    expect(calls).toEqual([0, 1000, 3000, 7000])
    const asked = setUp([down(10_001)], 10_000)
    await expect(asked.ended).rejects.toMatchObject({ retryAfterMs: 10_001 })
    expect(asked.calls).toEqual([0])
  })

  it('[GH3] does not retry a permanent failure', async () => {
    const refused = new ForgeFailed('forge_refused', 'no', { retryable: false })
    for (const error of [refused, new Error('a fault of our own')]) {
      const { calls, ended } = setUp([error])
      await expect(ended).rejects.toBe(error)
      expect(calls).toEqual([0])
    }
  })

  it('a stop ends the wait', async () => {
    const { clock, calls, stopping, ended } = setUp([down()])
    const over = expect(ended).rejects.toThrow('stopped')
    while (clock.pending === 0) await new Promise((resolve) => setImmediate(resolve))
    stopping.abort(new Error('stopped'))
    await over
    expect(clock.pending).toBe(0)
    expect(calls).toEqual([0])
  })
})
