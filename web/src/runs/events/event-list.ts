/**
 * A part of a run's log, read page by page in one direction as the reader scrolls: a run may have more events than a page
 * could ever hold. What happens meanwhile is added where it belongs, or waits until the reader is back at that end.
 */
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import { type EventFilter, isWanted } from '../../../../src/kernel/matching-events.ts'
import { runEndSize } from '../../data/calls/log-ends.ts'
import { type EventsWanted, readEvents } from '../../data/calls/runs.ts'
import { frameBatch } from '../../data/frame-batch.ts'
import { type Settable, watched } from '../../data/watched.ts'

export type EventOrder = 'newest' | 'oldest'

export interface EventListState {
  phase: 'reading' | 'ready' | 'failed'
  problem?: string
  events: readonly StoredEvent[]
  /** Nothing further lies in the direction of reading. */
  complete: boolean
  /** New events, not shown while the reader is elsewhere in the list. */
  waiting: number
}

export interface EventListOptions extends EventsWanted {
  order: EventOrder
  /** The event it begins with; absent: at the end of the log, or at its beginning. */
  from?: number | undefined
}

const pageSize = 200

export class EventList {
  readonly state: Settable<EventListState> = watched<EventListState>({
    phase: 'reading',
    events: [],
    complete: false,
    waiting: 0,
  })
  readonly #options: EventListOptions
  readonly #filter: EventFilter
  #events: StoredEvent[] = []
  #waiting: StoredEvent[] = []
  #started = false
  #reading = false
  #complete = false
  /** Whether the reader sees the end where new events come in. */
  #follows = true
  readonly #publishSoon = frameBatch(() => this.#publish({ phase: 'ready' }))

  constructor(options: EventListOptions) {
    this.#options = options
    const { run, types, actor, text } = options
    this.#filter = {
      run,
      ...(types === undefined ? {} : { types: [...types] }),
      ...(actor === undefined ? {} : { actor }),
      ...(text === undefined || text === '' ? {} : { text }),
    }
  }

  /** Loads the first page, once. */
  start(): void {
    if (this.#started) return
    this.#started = true
    void this.more()
  }

  /** Loads the next page, unless one is loading or there are no more. */
  async more(): Promise<void> {
    if (this.#reading || this.#complete) return
    this.#reading = true
    try {
      const { events, complete } = await (this.#options.order === 'newest' ? this.#older() : this.#newer())
      this.#take(events)
      this.#complete = complete
      this.#reading = false
      this.#publish({ phase: 'ready' })
    } catch (error) {
      this.#reading = false
      this.#publish({ phase: 'failed', problem: error instanceof Error ? error.message : String(error) })
    }
  }

  receive(event: StoredEvent): void {
    if (!isWanted(event, this.#filter)) return
    const { order, from } = this.#options
    if (order === 'newest') {
      if (from !== undefined || event.seq <= (this.#events[0]?.seq ?? 0)) return
      if (this.#follows) this.#events = [event, ...this.#events]
      else this.#waiting.unshift(event)
    } else {
      // Not read yet: it comes with its page.
      if (!this.#complete || event.seq <= (this.#events.at(-1)?.seq ?? 0)) return
      this.#events = [...this.#events, event]
    }
    this.#publishSoon()
  }

  /** After a reconnect: reads the missed events. */
  async catchUp(): Promise<void> {
    const { order, from } = this.#options
    const isLive = order === 'newest' ? from === undefined : this.#complete
    const newest = this.#waiting[0]?.seq ?? (order === 'newest' ? this.#events[0] : this.#events.at(-1))?.seq
    if (!isLive || newest === undefined) return
    for (let after: number | null = newest; after !== null; ) {
      const page: { events: StoredEvent[]; next: number | null } = await readEvents(this.#options, { after })
      for (const event of page.events) this.receive(event)
      after = page.next
    }
  }

  /** The reader has come back to where new events come in, or has left. */
  follow(follows: boolean): void {
    if (this.#follows === follows) return
    this.#follows = follows
    if (!follows || this.#waiting.length === 0) return
    this.#events = [...this.#waiting, ...this.#events]
    this.#waiting = []
    this.#publish({ phase: 'ready' })
  }

  async #older(): Promise<{ events: StoredEvent[]; complete: boolean }> {
    const before = this.#events.at(-1)?.seq ?? (this.#options.from === undefined ? undefined : this.#options.from + 1)
    // The first page was prefetched.
    const last = before === undefined ? runEndSize : pageSize
    const { events } = await readEvents(this.#options, { ...(before === undefined ? {} : { before }), last })
    return { events: events.reverse(), complete: events.length < last }
  }

  async #newer(): Promise<{ events: StoredEvent[]; complete: boolean }> {
    const after = this.#events.at(-1)?.seq ?? (this.#options.from ?? 1) - 1
    const { events, next } = await readEvents(this.#options, { after, limit: pageSize })
    return { events, complete: next === null }
  }

  /** A live event may also be in the page that is loading. */
  #take(page: readonly StoredEvent[]): void {
    const known = new Set(this.#events.map(({ seq }) => seq))
    const all = [...this.#events, ...page.filter(({ seq }) => !known.has(seq))]
    const sign = this.#options.order === 'newest' ? -1 : 1
    this.#events = all.sort((one, other) => sign * (one.seq - other.seq))
  }

  #publish(phase: Pick<EventListState, 'phase' | 'problem'>): void {
    const { length: waiting } = this.#waiting
    this.state.set({ ...phase, events: this.#events, complete: this.#complete, waiting })
  }
}
