/** The room a terminal stands in: what was said in it before, and what is said in it from elsewhere meanwhile. */
import type { StoredEvent } from '../../kernel/events.ts'
import { messagePosted, roundResolved, sessionEnded } from '../../room/events.ts'
import { type Room, type TranscriptItem, transcriptItem } from '../../room/view.ts'
import type { Client } from '../client/client.ts'
import type { ResolvedRound } from '../display/describe-round.ts'

/** What was said, and how it was decided who says it. */
export type PastEntry = TranscriptItem | ResolvedRound

/** How much of the past a room shows when it is entered, and how much of it the arrow keys bring back. */
const entriesShown = 10
const messagesRemembered = 100

export class TalkRoom {
  readonly room: Room
  readonly past: PastEntry[] = []
  readonly messages: string[] = []
  /** Every run that a message of this room has started. */
  readonly runs = new Set<string>()
  /** What `/why` explains: the last round, or how the last session ended, whichever came later. */
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
      const query = new URLSearchParams({ room: room.id, after: String(next), limit: '10000' })
      const page: { events: StoredEvent[]; next: number | null } = await client.get(`/api/events?${query}`)
      for (const event of page.events) entered.#keep(event)
      next = page.next
    }
    return entered
  }

  /** What happened in a run of this terminal's own. */
  note(event: StoredEvent): void {
    if (messagePosted.is(event) && event.run) this.runs.add(event.run)
    if (roundResolved.is(event)) this.last = { round: event.data }
    if (sessionEnded.is(event)) this.last = { session: event.data }
  }

  /** Tells of everything new in the room, but for the runs in `own`, until `quiet` is called. */
  listen(own: ReadonlySet<string>, tell: (event: StoredEvent) => void, failed: (error: unknown) => void): void {
    const over = new AbortController()
    const hear = async () => {
      try {
        for await (const happening of this.#client.follow({ room: this.room.id }, this.#seq, over.signal)) {
          if (!('event' in happening)) continue
          this.#keep(happening.event)
          if (!own.has(happening.event.run ?? '')) tell(happening.event)
        }
      } catch (error) {
        failed(error)
      }
    }
    this.#listening = { over, ended: hear() }
  }

  /** Waits until nobody listens any more: a listener that is just finding the next owner must not be disturbed. */
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
