import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { NewEvent, StoredEvent } from '../kernel/events.ts'
import { Database } from '../kernel/stores/database.ts'
import { SqliteStore } from '../kernel/stores/sqlite.ts'
import { messagePosted, noticePosted, roomCreated, roomStream, roomsStream } from './events.ts'
import { RoomTails } from './room-tails.ts'

describe('RoomTails', () => {
  it('returns the same events whether they were subscribed to or read from the log', async () => {
    const store = open()
    const subscribed = new RoomTails(store)
    await store.append([created('a'), message('a', 1), message('b', 2), notice('a'), message('a', 3)])
    const read = new RoomTails(store)
    for (const tails of [subscribed, read]) {
      expect(texts(await tails.before('a'))).toEqual(['1', '3'])
      expect(texts(await tails.before('b'))).toEqual(['2'])
      expect(texts(await tails.before('nobody'))).toEqual([])
    }
    await store.append([message('a', 4), message('b', 5)])
    for (const tails of [subscribed, read]) {
      expect(texts(await tails.before('a'))).toEqual(['1', '3', '4'])
      expect(texts(await tails.before('b'))).toEqual(['2', '5'])
    }
  })

  it('returns the events before a message, however many followed it', async () => {
    const store = open()
    const tails = new RoomTails(store)
    await store.append([created('a')])
    const posted: StoredEvent[] = []
    for (let number = 0; number < 300; number++) posted.push(...(await store.append([message('a', number)])))
    const expected = Array.from({ length: 300 }, (_, number) => String(number))
    for (const at of [0, 1, 59, 179, 180, 181, 239, 240, 299])
      expect(texts(await tails.before('a', posted[at]!.seq))).toEqual(expected.slice(Math.max(0, at - 180), at))
    expect(texts(await tails.before('a'))).toEqual(expected.slice(-180))
  })

  it('includes an event written during the read, once', async () => {
    const store = open()
    await store.append([created('a'), message('a', 1)])
    const tails = new RoomTails({
      ...store,
      subscribe: (listener) => store.subscribe(listener),
      read: async (query) => {
        const events = await store.read(query)
        await store.append([message('a', 2)])
        return events
      },
    } as SqliteStore)
    expect(texts(await tails.before('a'))).toEqual(['1', '2'])
    expect(texts(await tails.before('a'))).toEqual(['1', '2'])
  })

  it('reads a room again after evicting it from a full cache', async () => {
    const store = open()
    const tails = new RoomTails(store)
    const long = 'x'.repeat(1_000_000)
    await store.append([created('a'), message('a', 'short')])
    for (let number = 0; number < 25; number++) await store.append([created(`b${number}`), message(`b${number}`, long)])
    expect(texts(await tails.before('a'))).toEqual(['short'])
    expect(texts(await tails.before('b0'))).toEqual([long])
    expect(texts(await tails.before('b24'))).toEqual([long])
  })
})

function open(): SqliteStore {
  const folder = mkdtempSync(join(tmpdir(), 'convene-tails-'))
  const store = new SqliteStore(new Database(join(folder, 'convene.db')), { payloadFolder: join(folder, 'payloads') })
  onTestFinished(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  return store
}

function created(room: string): NewEvent {
  return roomCreated.create({ stream: roomsStream }, { id: room, name: room, agents: [] })
}

function message(room: string, text: string | number): NewEvent {
  const data = { message_id: `${room} ${text}`.slice(0, 20), text: String(text), mode: 'coordinate', target: 'router' }
  return messagePosted.create({ stream: roomStream(room) }, { ...data, mode: 'coordinate' })
}

function notice(room: string): NewEvent {
  return noticePosted.create({ stream: roomStream(room) }, { message_id: 'm', text: 'not told' })
}

function texts(events: StoredEvent[]): string[] {
  return events.map((event) => (event.data as { text: string }).text)
}
