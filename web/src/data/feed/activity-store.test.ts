import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import { ActivityStore } from './activity-store.ts'

const reply = (seq: number, room = 'a'): StoredEvent => ({
  seq,
  id: `e${seq}`,
  ts: '2026-03-01T10:00:00.000Z',
  type: 'reply.posted',
  version: 1,
  stream: `room:${room}`,
  data: {},
})

/** A log behind `fetch`, in pages of two, and a browser that remembers. */
function browser(log: StoredEvent[]) {
  const kept = new Map<string, string>()
  vi.stubGlobal('document', { addEventListener() {}, visibilityState: 'visible' })
  vi.stubGlobal('requestAnimationFrame', (publish: () => void) => setTimeout(publish))
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name),
  })
  vi.stubGlobal('fetch', async (address: string) => {
    const after = Number(new URL(address, 'http://x').searchParams.get('after'))
    const found = log.filter(({ seq }) => seq > after)
    const events = found.slice(0, 2)
    return Response.json({ events, next: found.length > 2 ? events.at(-1)!.seq : null })
  })
}

const unread = (store: ActivityStore) => store.rooms.get().a?.unread

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('what is unread', () => {
  it('at the first visit is nothing that was there before, and everything that comes after', async () => {
    const log = [reply(1), reply(2), reply(3)]
    browser(log)
    const store = new ActivityStore()
    store.begin('this log', 3)
    log.push(reply(4))
    store.receive(reply(4))
    await store.catchUp()
    expect(unread(store)).toBe(1)
    store.receive(reply(5))
    vi.runAllTimers()
    expect(unread(store)).toBe(2)
  })

  it('is nothing from before the first visit either where the log is too long to be read at once', async () => {
    const log = Array.from({ length: 20 }, (_, index) => reply(index + 1))
    browser(log)
    const store = new ActivityStore()
    store.begin('this log', 20)
    for (let connection = 1; connection <= 4; connection += 1) {
      await store.catchUp()
      expect(unread(store)).toBe(0)
    }
  })

  it('is what has come since the last visit', async () => {
    const log = [reply(1), reply(2)]
    browser(log)
    const first = new ActivityStore()
    first.begin('this log', 2)
    await first.catchUp()
    log.push(reply(3))
    const second = new ActivityStore()
    second.begin('this log', 3)
    await second.catchUp()
    expect(unread(second)).toBe(1)
  })
})
