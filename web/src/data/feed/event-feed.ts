/**
 * The one live connection of a page: every event of every room, and the text that streams in. The browser reconnects by
 * itself with `Last-Event-ID`, so nothing is lost or repeated; where it gives up, a new connection starts at the same place.
 */
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import { requestLine } from '../../../../src/serve/call.ts'
import { listAgents } from '../calls/rooms.ts'
import { ApiError } from '../request.ts'
import { type Settable, watched } from '../watched.ts'
import type { Delta } from './draft.ts'

export type Connection = 'connecting' | 'open' | 'lost' | 'unauthorized'

export interface FeedListeners {
  opened(): void
  event(event: StoredEvent): void
  delta(delta: Delta): void
}

const retryMs = 1500
/** Browsers allow six connections per origin, so a hidden tab closes its own after a while. */
const hiddenMs = 60_000

export class EventFeed {
  readonly connection: Settable<Connection> = watched<Connection>('connecting')
  readonly #listeners: FeedListeners
  #source: EventSource | null = null
  #lastSeq: number | null = null
  #retry: ReturnType<typeof setTimeout> | undefined
  #hidden: ReturnType<typeof setTimeout> | undefined

  constructor(listeners: FeedListeners) {
    this.#listeners = listeners
    document.addEventListener('visibilitychange', () => this.#rest())
  }

  /** From the event after this one; null: from now. */
  open(after = this.#lastSeq): void {
    this.#lastSeq = after
    clearTimeout(this.#retry)
    this.#source?.close()
    const query = this.#lastSeq === null ? {} : { after: this.#lastSeq }
    const source = new EventSource(requestLine('GET /api/events', { query }).path)
    this.#source = source
    source.addEventListener('open', () => {
      this.connection.set('open')
      this.#listeners.opened()
    })
    source.addEventListener('message', ({ data }: MessageEvent<string>) =>
      this.#received(JSON.parse(data) as StoredEvent),
    )
    source.addEventListener('delta', ({ data }: MessageEvent<string>) =>
      this.#listeners.delta(JSON.parse(data) as Delta),
    )
    source.addEventListener('error', () => {
      this.connection.set('lost')
      if (source.readyState === EventSource.CLOSED) void this.#reopenLater()
    })
  }

  #received(event: StoredEvent): void {
    if (this.#lastSeq !== null && event.seq <= this.#lastSeq) return
    this.#lastSeq = event.seq
    this.#listeners.event(event)
  }

  /** The browser stops reconnecting after an error response. Retry unless a token is missing. */
  async #reopenLater(): Promise<void> {
    try {
      await listAgents()
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) {
        this.connection.set('unauthorized')
        return
      }
    }
    this.#retry = setTimeout(() => this.open(), retryMs)
  }

  #rest(): void {
    clearTimeout(this.#hidden)
    if (document.visibilityState === 'hidden') {
      this.#hidden = setTimeout(() => {
        this.#source?.close()
        this.#source = null
      }, hiddenMs)
    } else if (this.#source === null) this.open()
  }
}
