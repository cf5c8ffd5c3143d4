/** One store for each id: created by the first page that asks for it, then fed by the live connection. */
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import type { Listener } from './live.ts'

interface Store {
  receive(event: StoredEvent): void
  catchUp(): Promise<void>
}

export class StoresById<Kind extends Store> implements Listener {
  readonly #stores = new Map<string, Kind>()
  readonly #make: (id: string) => Kind
  readonly #limit: number

  /** Beyond `limit` stores, the oldest is dropped. */
  constructor(make: (id: string) => Kind, limit = Number.POSITIVE_INFINITY) {
    this.#make = make
    this.#limit = limit
  }

  get(id: string): Kind {
    const known = this.#stores.get(id)
    if (known) return known
    const store = this.#make(id)
    this.#stores.set(id, store)
    for (const oldest of this.#stores.keys()) if (this.#stores.size > this.#limit) this.#stores.delete(oldest)
    void store.catchUp()
    return store
  }

  all(): Iterable<Kind> {
    return this.#stores.values()
  }

  event(event: StoredEvent): void {
    for (const store of this.#stores.values()) store.receive(event)
  }

  opened(): void {
    for (const store of this.#stores.values()) void store.catchUp()
  }
}
