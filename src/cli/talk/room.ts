/** The room of this terminal: its history, and messages from elsewhere. */
import type { StoredEvent } from '../../kernel/events.ts'
import { messagePosted, roundResolved, sessionEnded } from '../../room/events.ts'
import { type Room, type TranscriptItem, transcriptItem } from '../../room/view.ts'
import type { ResponseOf } from '../../serve/call.ts'
import type { Client } from '../client/client.ts'
import type { ResolvedRound } from '../display/describe-round.ts'

/** The transcript, and how each round was decided. */
export type PastEntry = TranscriptItem | ResolvedRound

/** How many items are shown on entering a room, and how many messages the arrow keys recall. */
const entriesShown = 10
const messagesRemembered = 100

export class TalkRoom {
  readonly room: Room
  readonly past: PastEntry[] = []
  readonly messages: string[] = []
  /** All runs started by messages of this room. */
  readonly runs = new Set<string>()
  /** What `/why` explains: the last round or the end of the last session, whichever is later. */
  last: { round: ResolvedRound } | { session: { reason: string; round: number } } | null = null
  readonly #client: Client
  #seq = 0
  #listening: { over: AbortController; ended: Promise<void> } | null = null

  private constructor(client: Client, room: Room) {
    this.#client = client
    this.room = room
  }

  static async enter(client: Client, room: Room): Promise<TalkRoom> {
    const entered = new TalkRoom(client, room)
    for (let next: number | null = 0; next !== null; ) {
      const page: ResponseOf<'GET /api/events'> = await client.call('GET /api/events', {
        query: { room: room.id, after: next, limit: 10_000 },
      })
      for (const event of page.events) entered.#keep(event)
      next = page.next
    }
    return entered
  }

  /** Records an event of a run that this terminal started. */
  note(event: StoredEvent): void {
    if (messagePosted.is(event) && event.run) this.runs.add(event.run)
    if (roundResolved.is(event)) this.last = { round: event.data }
    if (sessionEnded.is(event)) this.last = { session: event.data }
  }

  /** Reports everything new in the room, except runs in `own`, until `quiet` is called. */
  listen(own: ReadonlySet<string>, show: (event: StoredEvent) => void, failed: (error: unknown) => void): void {
    const over = new AbortController()
    const hear = async () => {
      try {
        for await (const happening of this.#client.follow({ room: this.room.id }, this.#seq, over.signal)) {
          if (!('event' in happening)) continue
          this.#keep(happening.event)
          if (!own.has(happening.event.run ?? '')) show(happening.event)
        }
      } catch (error) {
        failed(error)
      }
    }
    this.#listening = { over, ended: hear() }
  }

  /** Waits for the listener to end: it must not be interrupted while it looks for the next owner. */
  async quiet(): Promise<void> {
    this.#listening?.over.abort()
    await this.#listening?.ended
    this.#listening = null
  }

  #keep(event: StoredEvent): void {
    this.#seq = event.seq
    this.note(event)
    const entry = roundResolved.is(event) ? event.data : transcriptItem(event)
    if (entry) keepLast(this.past, entry, entriesShown)
    if (messagePosted.is(event)) keepLast(this.messages, event.data.text, messagesRemembered)
  }
}

function keepLast<Item>(list: Item[], item: Item, most: number): void {
  list.push(item)
  if (list.length > most) list.shift()
}
