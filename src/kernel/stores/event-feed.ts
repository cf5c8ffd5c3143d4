/** Notifies the listeners of one process of every event in a shared log, in order, no matter which process wrote it. */
import type { StoredEvent } from '../events.ts'

export class EventFeed {
  readonly #read: (after: number, limit: number) => Promise<StoredEvent[]>
  readonly #listeners = new Set<(event: StoredEvent) => void>()
  #last: number
  #queue: Promise<unknown> = Promise.resolve()

  /** Listeners get the events after position `last`. */
  constructor(last: number, read: (after: number, limit: number) => Promise<StoredEvent[]>) {
    this.#last = last
    this.#read = read
  }

  get last(): number {
    return this.#last
  }

  subscribe(listener: (event: StoredEvent) => void): () => void {
    const entry = (event: StoredEvent) => listener(event)
    this.#listeners.add(entry)
    return () => {
      this.#listeners.delete(entry)
    }
  }

  /**
   * Publishes events that follow directly on the last one. Those published before are left out, and those behind a gap: if
   * the events of others in between could not be read, all of them are read together later.
   */
  publish(events: StoredEvent[]): void {
    const next = events.find(({ seq }) => seq > this.#last)
    if (next && next.seq === this.#last + 1) this.#notify(events)
  }

  #notify(events: StoredEvent[]): void {
    for (const event of events) {
      if (event.seq <= this.#last) continue
      this.#last = event.seq
      for (const listener of this.#listeners) notify(listener, event)
    }
  }

  /** Publishes everything up to `seq`, then calls `then`; nothing else is published in between. */
  async upTo(seq: number, then: () => void = () => {}): Promise<void> {
    const turn = this.#queue.then(async () => {
      while (this.#last < seq) {
        const events = await this.#read(this.#last, Math.min(seq - this.#last, pageSize))
        if (events.length === 0) break
        this.#notify(events)
      }
      then()
    })
    this.#queue = turn.catch(() => {})
    return turn
  }

  close(): void {
    this.#listeners.clear()
  }
}

const pageSize = 500

/** One listener's error must not stop the others or the writer. */
export function notify(listener: (event: StoredEvent) => void, event: StoredEvent): void {
  try {
    listener(event)
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error))
  }
}
