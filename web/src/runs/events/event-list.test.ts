import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import { EventList, type EventListOptions } from './event-list.ts'

const event = (seq: number, type = 'thing.noted'): StoredEvent => ({
  seq,
  id: String(seq),
  ts: '2026-03-01T10:00:00.000Z',
  type,
  version: 1,
  stream: 's',
  run: 'r',
  data: {},
})

/** A log of so many events, answered as the server does. */
let log: StoredEvent[] = []
const asked: URLSearchParams[] = []

beforeEach(() => {
  log = Array.from({ length: 1000 }, (_, index) => event(index + 1))
  asked.length = 0
  vi.stubGlobal('document', { visibilityState: 'hidden' })
  vi.stubGlobal('fetch', async (path: string) => {
    const query = new URL(path, 'http://x').searchParams
    asked.push(query)
    const [after, before] = [Number(query.get('after') ?? 0), Number(query.get('before') ?? 1e9)]
    const fitting = log.filter(
      ({ seq, type }) => seq > after && seq < before && (query.get('types') ?? type).includes(type),
    )
    const last = query.get('last')
    const limit = Number(query.get('limit') ?? 1000)
    const events = last ? fitting.slice(-Number(last)) : fitting.slice(0, limit)
    const next = !last && fitting.length > limit ? events.at(-1)!.seq : null
    return new Response(JSON.stringify({ events, next }))
  })
})
afterEach(() => vi.unstubAllGlobals())

function started(options: EventListOptions): EventList {
  const list = new EventList(options)
  list.start()
  return list
}

const seqs = (list: EventList) => list.state.get().events.map(({ seq }) => seq)
const ready = (list: EventList) => expect.poll(() => list.state.get().phase).toBe('ready')

describe('a list of events', () => {
  it('reads nothing until it is shown, and its first page once', async () => {
    const list = new EventList({ run: 'r', order: 'newest' })
    expect(asked).toHaveLength(0)
    list.start()
    list.start()
    await ready(list)
    expect(asked).toHaveLength(1)
  })

  it('begins at the end of the log with a small page, and reads older ones as they are wanted', async () => {
    const list = started({ run: 'r', order: 'newest' })
    await ready(list)
    expect(seqs(list)[0]).toBe(1000)
    expect(seqs(list).length).toBeLessThan(100)
    await list.more()
    expect(seqs(list)).toEqual(Array.from({ length: seqs(list).length }, (_, index) => 1000 - index))
    while (!list.state.get().complete) await list.more()
    expect(seqs(list)).toHaveLength(1000)
    expect(asked.length).toBeLessThan(10)
  })

  it('reads from the beginning, or from any event, in either direction', async () => {
    const oldest = started({ run: 'r', order: 'oldest' })
    const up = started({ run: 'r', order: 'newest', from: 500 })
    const down = started({ run: 'r', order: 'oldest', from: 500 })
    await Promise.all([ready(oldest), ready(up), ready(down)])
    expect([seqs(oldest)[0], seqs(up)[0], seqs(up)[1], seqs(down)[0], seqs(down)[1]]).toEqual([1, 500, 499, 500, 501])
  })

  it('takes what is heard once, at its place; while the reader is elsewhere it waits', async () => {
    const list = started({ run: 'r', order: 'newest', types: ['thing.noted'] })
    list.receive(event(1000))
    await ready(list)
    list.receive(event(1000))
    list.receive(event(1001))
    list.receive(event(1002, 'other.noted'))
    await list.more()
    expect(seqs(list).slice(0, 3)).toEqual([1001, 1000, 999])
    list.follow(false)
    list.receive(event(1003))
    await expect.poll(() => list.state.get().waiting).toBe(1)
    expect(seqs(list)[0]).toBe(1001)
    list.follow(true)
    expect([seqs(list)[0], list.state.get().waiting]).toEqual([1003, 0])
    expect(new Set(seqs(list)).size).toBe(seqs(list).length)
  })

  it('reads what it missed while the connection was gone', async () => {
    const list = started({ run: 'r', order: 'newest' })
    await ready(list)
    log.push(event(1001), event(1002))
    await list.catchUp()
    await expect.poll(() => seqs(list).slice(0, 3)).toEqual([1002, 1001, 1000])
  })

  it('says what went wrong, and can be tried again', async () => {
    const working = globalThis.fetch
    vi.stubGlobal('fetch', async () => new Response('{"error": {"code": "x", "message": "No luck."}}', { status: 500 }))
    const list = started({ run: 'r', order: 'newest' })
    await expect.poll(() => list.state.get()).toMatchObject({ phase: 'failed', problem: 'No luck.' })
    vi.stubGlobal('fetch', working)
    await list.more()
    expect(list.state.get()).toMatchObject({ phase: 'ready' })
  })
})
