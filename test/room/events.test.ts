/** Events of rooms over HTTP: complete, in order, each once, and only those requested. */
import { describe, expect, it } from 'vitest'
import { readServerSentEvents } from '../../src/cli/client/server-sent-events.ts'
import type { StoredEvent } from '../../src/kernel/events.ts'
import { listen } from '../support/server.ts'
import { type Line, newRoom, openRoom } from './open-room.ts'

const slowly: Line = { when: { ask: 'answer' }, repeat: true, stream_ms: 150, text: 'one two three four' }

interface Page {
  events: StoredEvent[]
  next: number | null
}

describe('the stream', () => {
  it('sends a long log completely in one connection, and continues with new events', async () => {
    const room = await openRoom([slowly])
    const { store } = room.served.app
    const note = (number: number) => ({ type: 'note.taken', version: 1, stream: 'notes', data: { number } })
    const notes = (from: number, count: number) => store.append(Array.from({ length: count }, (_, n) => note(from + n)))
    for (let from = 0; from < 12_000; from += 2000) await notes(from, 2000)
    let more: Promise<unknown> | undefined
    const received = await listen(room.served, '?after=0', ({ events }) => {
      if (events.length === 3000) more = notes(12_000, 1500)
      return events.length > 13_500
    })
    await more
    const seqs = received.events.map(({ seq }) => seq)
    expect(seqs).toEqual(seqs.map((_, index) => index + 1))
  })

  it('starts at the present by default, and treats an empty value as none', async () => {
    const room = await openRoom([slowly])
    await room.ask({ text: 'before', target: 'gpt' })
    for (const query of ['', '?after=&room=&run=&feature=']) {
      const over = new AbortController()
      const { url, token } = room.served.server
      const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' }
      const { body } = await fetch(`${url}/api/events${query}`, { headers, signal: over.signal })
      await room.ask({ text: 'now', target: 'gpt' })
      for await (const { event, data } of readServerSentEvents(body!)) {
        if (event === 'delta') continue
        expect(JSON.parse(data)).toMatchObject({ type: 'message.posted', data: { text: 'now' } })
        break
      }
      over.abort()
    }
  })

  it('filters by room or run, streamed words included', async () => {
    const room = await openRoom([{ ...slowly, after_file: 'go' }])
    const other = await newRoom(room.served)
    const mine = await room.say({ text: 'mine', target: 'gpt' })
    const theirs = await other.say({ text: 'theirs', target: 'claude' })
    // The agents stay silent until both listeners are connected, so neither can miss the streamed words.
    const connected = new Set<string>()
    const untilReply = (query: string) =>
      listen(room.served, query, ({ events }) => {
        if (connected.add(query).size === 2) room.release('go')
        return events.some(({ type }) => type === 'reply.posted')
      })
    const [byRoom, byRun] = await Promise.all([
      untilReply(`?after=0&room=${room.id}`),
      untilReply(`?after=0&run=${mine.run}`),
    ])
    await Promise.all([room.over(mine.run), other.over(theirs.run)])
    for (const { events, deltas } of [byRoom, byRun]) {
      expect(events.every((event) => event.run === mine.run)).toBe(true)
      expect(deltas.length).toBeGreaterThan(0)
      expect(deltas.every(({ ask }) => ask.startsWith(`${mine.run}/`))).toBe(true)
    }
    expect(byRoom.events.every(({ stream }) => stream === `room:${room.id}`)).toBe(true)
  })
})

describe('pages', () => {
  it('follow each other, and the last one says so', async () => {
    const room = await openRoom([slowly])
    for (let number = 0; number < 5; number++) await newRoom(room.served)
    const page = async (query: string) => (await room.served.call('GET', `/api/events?${query}`)).body as Page
    const all = await page('')
    expect([all.events.length, all.next]).toEqual([6, null])
    const seqs: number[] = []
    let pages = 0
    for (let after: number | null = 0; after !== null; pages++) {
      const { events, next }: Page = await page(`limit=3&after=${after}`)
      seqs.push(...events.map(({ seq }) => seq))
      after = next
    }
    expect([seqs, pages]).toEqual([[1, 2, 3, 4, 5, 6], 2])
    expect(await page('after=6')).toEqual({ events: [], next: null })
    expect(await page('after=999')).toEqual({ events: [], next: null })
  })
})

describe('a message that is sent again', () => {
  const id = '11111111-2222-4333-8444-555555555555'

  it('[RD1] is the same round, and the same session', async () => {
    const room = await openRoom([
      { when: { ask: 'micro-proposal' }, repeat: true, reply: { angle: 'a', confidence: 0.9, covers: [] } },
      { when: { ask: 'answer' }, repeat: true, text: 'once' },
      { when: { ask: 'turn' }, repeat: true, reply: { message: 'once', final: true } },
    ])
    const message = { text: 'Tell me about event logs', message_id: id }
    const sent = await Promise.all([1, 2, 3].map(() => room.say(message)))
    await room.over(sent[0]!.run)
    expect(new Set(sent.map(({ run }) => run)).size).toBe(1)
    await room.ask(message)
    expect(await room.events('message.posted')).toHaveLength(1)
    expect(await room.events('round.resolved')).toHaveLength(1)
    const replies = (await room.events('reply.posted')).length

    const session = { ...message, message_id: id.replace('1', '2'), mode: 'collaborate', participants: ['gpt'] }
    const [first, second] = [await room.ask(session), await room.ask(session)]
    expect(first.session_id).toBe(second.session_id)
    expect(await room.events('reply.posted')).toHaveLength(replies + 1)
  })

  it('[RD1] is rejected in another room or with other content', async () => {
    const room = await openRoom([slowly])
    const other = await newRoom(room.served)
    await room.ask({ text: 'hi', target: 'gpt', message_id: id })
    const again = (where: string, message: Record<string, unknown>) =>
      room.served.call('POST', `/api/rooms/${where}/messages`, { text: 'hi', message_id: id, ...message })
    const refused = [
      await again(other.id, { target: 'gpt' }),
      await again(room.id, {}),
      await again(room.id, { mode: 'collaborate', participants: ['gpt'] }),
      await again(room.id, { target: 'gpt', text: 'something else' }),
    ]
    for (const { status, body } of refused)
      expect([status, body]).toMatchObject([409, { error: { path: 'message_id' } }])
    expect(await other.transcript()).toEqual([])
    expect((await again(room.id, { target: 'gpt' })).status).toBe(202)
  })
})
