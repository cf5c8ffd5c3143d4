import { afterEach, describe, expect, it, vi } from 'vitest'
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import { LogReader } from './log-reader.ts'

const event = (seq: number) =>
  ({ seq, id: `e${seq}`, ts: '', type: 'x', version: 1, stream: 'room:r', data: {} }) as StoredEvent
const upTo = (last: number) => Array.from({ length: last }, (_, index) => event(index + 1))

/** A log behind `fetch`: pages of 3, and a way to make the next request fail or wait. */
function serve(log: StoredEvent[]) {
  const state = { fail: false, before: async () => {} }
  vi.stubGlobal('fetch', async (address: string) => {
    const after = Number(new URL(address, 'http://x').searchParams.get('after'))
    await state.before()
    if (state.fail) throw new TypeError('gone')
    const found = log.filter(({ seq }) => seq > after)
    const events = found.slice(0, 3)
    return Response.json({ events, next: found.length > 3 ? events.at(-1)!.seq : null })
  })
  return state
}

function reader(options: { mostPages?: number; first?: () => Promise<StoredEvent[]> } = {}) {
  const taken: number[] = []
  const lastSeq = () => taken.at(-1) ?? 0
  return { taken, log: new LogReader({ lastSeq, take: ({ seq }) => taken.push(seq), ...options }) }
}

afterEach(() => vi.unstubAllGlobals())

describe('reading the log and listening to it', () => {
  it('takes every event once, in order, whatever is heard while it reads', async () => {
    const log = upTo(8)
    const server = serve(log)
    const { taken, log: reading } = reader()
    server.before = async () => {
      const next = event(log.length + 1)
      if (next.seq > 12) return
      log.push(next)
      reading.receive(next)
    }
    await reading.catchUp()
    reading.receive(event(13))
    expect(taken).toEqual(Array.from({ length: 13 }, (_, index) => index + 1))
  })

  it('does not let what is heard first hide what was there before', async () => {
    const log = upTo(4)
    serve(log)
    const { taken, log: reading } = reader()
    log.push(event(5))
    expect(reading.receive(event(5))).toBe(false)
    await reading.catchUp()
    expect(taken).toEqual([1, 2, 3, 4, 5])
  })

  it('keeps what it hears after a failed reading until it has read what lies between', async () => {
    const log = upTo(2)
    const server = serve(log)
    const { taken, log: reading } = reader()
    await reading.catchUp()
    log.push(event(3), event(4))
    server.fail = true
    await expect(reading.catchUp()).rejects.toThrow()
    log.push(event(5))
    reading.receive(event(5))
    expect(taken).toEqual([1, 2])
    server.fail = false
    await reading.catchUp()
    expect(taken).toEqual([1, 2, 3, 4, 5])
  })

  it('reads again what came while it was reading and nobody told', async () => {
    const log = upTo(3)
    const server = serve(log)
    const { taken, log: reading } = reader()
    server.before = async () => {
      server.before = async () => {}
      queueMicrotask(() => {
        log.push(event(4))
        void reading.catchUp()
      })
    }
    await reading.catchUp()
    expect(taken).toEqual([1, 2, 3, 4])
  })

  it('begins with what it is given first, and only once', async () => {
    serve(upTo(6))
    let given = 0
    const first = async () => {
      given += 1
      return [event(5)]
    }
    const { taken, log: reading } = reader({ first })
    await reading.catchUp()
    await reading.catchUp()
    expect(taken).toEqual([5, 6])
    expect(given).toBe(1)
  })

  it('gives a long log up and goes on from what it hears', async () => {
    serve(upTo(20))
    const { taken, log: reading } = reader({ mostPages: 2 })
    expect(await reading.catchUp()).toBe(false)
    reading.receive(event(21))
    expect(taken).toEqual([1, 2, 3, 4, 5, 6, 21])
  })
})
