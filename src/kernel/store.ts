/** The port to storage: one append-only log, payloads by their hash, and claims. */
import type { NewEvent, StoredEvent } from './events.ts'
import type { EventFilter } from './matching-events.ts'

export interface EventQuery extends EventFilter {
  /** Only events with a greater `seq`. */
  after?: number
  limit?: number
  /** Only events with a smaller `seq`. */
  before?: number
  /** Return only the last N matches, still in order of `seq`. */
  last?: number
}

export interface Store {
  /**
   * Writes facts, all or none, and resolves once they are on disk. A fact whose key is already in the log is not written
   * again: the stored one is returned in its place.
   */
  append(events: NewEvent[]): Promise<StoredEvent[]>
  /**
   * Writes the facts that `decide` derives from a run's events, with no other write to the log between reading and
   * writing. `decide` must be pure: it may be called more than once, and the last call counts.
   */
  appendFrom(run: string, decide: (events: StoredEvent[]) => NewEvent[]): Promise<StoredEvent[]>
  /** In order of `seq`. */
  read(query: EventQuery): Promise<StoredEvent[]>
  /** Counts events by type without reading their data. */
  count(query: Pick<EventQuery, 'run' | 'stream' | 'after' | 'before'>): Promise<{ type: string; count: number }[]>
  /** The last `seq` in the log; 0 when it is empty. */
  lastSeq(): Promise<number>
  /** Calls `listener` for each event after it is on disk, in order. Returns a function that unsubscribes it. */
  subscribe(listener: (event: StoredEvent) => void): () => void

  /** Stores bytes under their hash and returns `sha256:…`. The same bytes are stored once. */
  putPayload(content: string | Uint8Array | AsyncIterable<Uint8Array>): Promise<string>
  /** The bytes, or the part from `start` up to `end` (exclusive). Throws if they no longer match their hash. */
  readPayload(ref: string, range?: { start?: number; end?: number }): Promise<Uint8Array>

  /** Claims `name` for `holder` unless another holder's claim has not expired. Claiming it again renews it. */
  claim(name: string, holder: string, ttlMs?: number): Promise<boolean>
  release(name: string, holder: string): Promise<void>
  holderOf(name: string): Promise<string | null>

  close(): Promise<void>
}
