import { describe, expect, it } from 'vitest'
import { Semaphore } from './semaphore.ts'

const never = new AbortController().signal

describe('Semaphore', () => {
  it('admits as many as it has permits, then in the order they came', async () => {
    const semaphore = new Semaphore(2)
    const started: number[] = []
    const ends: (() => void)[] = []
    const all = [0, 1, 2, 3].map((number) =>
      semaphore.run(never, () => {
        started.push(number)
        return new Promise<void>((resolve) => (ends[number] = resolve))
      }),
    )
    await Promise.resolve()
    expect(started).toEqual([0, 1])
    ends[1]!()
    await all[1]
    await new Promise((resolve) => setImmediate(resolve))
    expect(started).toEqual([0, 1, 2])
    ends[0]!()
    ends[2]!()
    await all[0]
    await new Promise((resolve) => setImmediate(resolve))
    ends[3]!()
    await Promise.all(all)
  })

  it('rejects work whose signal aborts while it waits, and loses no permit', async () => {
    const semaphore = new Semaphore(1)
    let release = () => {}
    const first = semaphore.run(never, () => new Promise<void>((resolve) => (release = resolve)))
    const stop = new AbortController()
    const second = semaphore.run(stop.signal, async () => 'second')
    const third = semaphore.run(never, async () => 'third')
    stop.abort(new Error('stopped'))
    await expect(second).rejects.toThrow('stopped')
    release()
    await first
    expect(await third).toBe('third')
  })
})
