/** The log, claims and payloads of one folder: rows in its database, payloads as files beside it. */
import { randomUUID } from 'node:crypto'
import type { NewEvent, StoredEvent } from '../events.ts'
import { asStored } from '../matching-events.ts'
import type { EventQuery, Store } from '../store.ts'
import type { Database } from './database.ts'
import { PayloadFolder } from './payload-folder.ts'

export interface SqliteStoreOptions {
  payloadFolder: string
  now?: () => number
  /** Removes secrets from everything that is written. */
  redact?: <Value>(value: Value) => Value
}

const columns = 'seq, id, ts, type, version, stream, run, feature, actor, data, payload_ref'

export class SqliteStore implements Store {
  readonly #database: Database
  readonly #payloads: PayloadFolder
  readonly #now: () => number
  readonly #redact: <Value>(value: Value) => Value
  readonly #listeners = new Set<(event: StoredEvent) => void>()
  #lastTime = { now: Number.NaN, ts: '' }

  constructor(database: Database, options: SqliteStoreOptions) {
    this.#database = database
    this.#payloads = new PayloadFolder(options.payloadFolder)
    this.#now = options.now ?? Date.now
    this.#redact = options.redact ?? ((value) => value)
  }

  append(events: NewEvent[]): Promise<StoredEvent[]> {
    let written: StoredEvent[] = []
    return this.#database.transact(
      () => {
        written = []
        return this.insert(events, written)
      },
      () => this.publish(written),
    )
  }

  appendFrom(run: string, decide: (events: StoredEvent[]) => NewEvent[]): Promise<StoredEvent[]> {
    let written: StoredEvent[] = []
    return this.#database.transact(
      () => {
        written = []
        return this.insert(decide(this.#select({ run })), written)
      },
      () => this.publish(written),
    )
  }

  /** Writes events inside a transaction in progress. The caller publishes `written` once that is on disk. */
  insert(events: NewEvent[], written: StoredEvent[]): StoredEvent[] {
    return events.map((event) => {
      const stored = this.#insertOne(event)
      if (!stored) return this.#existing(event)
      written.push(stored)
      return stored
    })
  }

  /** Notifies listeners. Call it only with events that are on disk. */
  publish(events: StoredEvent[]): void {
    if (this.#listeners.size === 0) return
    for (const event of events) for (const listener of this.#listeners) notify(listener, event)
  }

  async read(query: EventQuery): Promise<StoredEvent[]> {
    return this.#select(query)
  }

  #select(query: EventQuery): StoredEvent[] {
    const conditions: string[] = []
    const values: (string | number)[] = []
    for (const key of ['id', 'stream', 'feature', 'actor', 'payload_ref'] as const) {
      const value = query[key]
      if (value === undefined) continue
      conditions.push(`${key} = ?`)
      values.push(value)
    }
    if (query.types !== undefined) {
      conditions.push(`type IN (${query.types.map(() => '?').join(', ')})`)
      values.push(...query.types)
    }
    if (query.text !== undefined) {
      conditions.push("instr(lower(type || ' ' || data), ?) > 0")
      values.push(asStored(query.text))
    }
    const order = query.last === undefined ? 'ASC' : 'DESC'
    const max = query.last ?? query.limit ?? -1
    const range = rangeFor(query, order, conditions.length === 0 ? max : -1)
    const where = [range.condition, ...conditions].join(' AND ')
    const sql = `SELECT ${columns} FROM events WHERE ${where} ORDER BY seq ${order} LIMIT ?`
    const events = this.#database.rows<EventRow>(sql, ...range.values, ...values, max).map(toEvent)
    return query.last === undefined ? events : events.reverse()
  }

  async count(
    query: Pick<EventQuery, 'run' | 'stream' | 'after' | 'before'>,
  ): Promise<{ type: string; count: number }[]> {
    const { stream } = query
    const { sql, values } = selectPart(query, 'type, stream')
    const wanted = stream === undefined ? '' : 'WHERE stream = ?'
    const counted = `SELECT type, count(*) AS count FROM (${sql}) ${wanted} GROUP BY type ORDER BY type`
    const named = stream === undefined ? [] : [stream]
    const rows = this.#database.all<{ type: string; count: number }>(counted, ...values, ...named)
    return rows.map(({ type, count }) => ({ type, count }))
  }

  async lastSeq(): Promise<number> {
    return this.#database.get<{ seq: number | null }>('SELECT max(seq) AS seq FROM events')?.seq ?? 0
  }

  subscribe(listener: (event: StoredEvent) => void): () => void {
    const entry = (event: StoredEvent) => listener(event)
    this.#listeners.add(entry)
    return () => {
      this.#listeners.delete(entry)
    }
  }

  putPayload(content: string | Uint8Array | AsyncIterable<Uint8Array>): Promise<string> {
    return this.#payloads.put(typeof content === 'string' ? this.#redact(content) : content)
  }

  readPayload(ref: string, range?: { start?: number; end?: number }): Promise<Uint8Array> {
    return this.#payloads.read(ref, range)
  }

  claim(name: string, holder: string, ttlMs?: number): Promise<boolean> {
    return this.#database.transact(() => {
      const now = this.#now()
      const { changes } = this.#database
        .prepare(
          `INSERT INTO claims (name, holder, until) VALUES (?, ?, ?)
           ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
           WHERE claims.holder = excluded.holder OR claims.until <= ?`,
        )
        .run(name, holder, ttlMs === undefined ? null : now + ttlMs, now)
      return Number(changes) > 0
    })
  }

  async release(name: string, holder: string): Promise<void> {
    await this.#database.transact(() =>
      this.#database.prepare('DELETE FROM claims WHERE name = ? AND holder = ?').run(name, holder),
    )
  }

  async holderOf(name: string): Promise<string | null> {
    const row = this.#database.get<{ holder: string }>(
      'SELECT holder FROM claims WHERE name = ? AND (until IS NULL OR until > ?)',
      name,
      this.#now(),
    )
    return row?.holder ?? null
  }

  async close(): Promise<void> {
    this.#database.close()
    this.#listeners.clear()
  }

  /** Null if the log already has an event with this key. */
  #insertOne(event: NewEvent): StoredEvent | null {
    const { type, version, stream, feature = null, actor = null, payload_ref = null, key } = event
    const data = JSON.stringify(this.#redact(event.data) ?? {})
    const id = randomUUID()
    const ts = this.#timestamp()
    const run = key?.run ?? event.run ?? null
    const { changes, lastInsertRowid } = this.#database
      .prepare(
        `INSERT INTO events (id, ts, type, version, stream, run, feature, actor, data, payload_ref, step, n)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      )
      .run(id, ts, type, version, stream, run, feature, actor, data, payload_ref, key?.step ?? null, key?.n ?? null)
    if (changes === 0) return null
    // Parse what was written, so that listeners get exactly what a later read returns.
    return toEvent([Number(lastInsertRowid), id, ts, type, version, stream, run, feature, actor, data, payload_ref])
  }

  /** Caches the formatted timestamp: many events share a millisecond, and formatting it takes long. */
  #timestamp(): string {
    const now = this.#now()
    if (now !== this.#lastTime.now) this.#lastTime = { now, ts: new Date(now).toISOString() }
    return this.#lastTime.ts
  }

  #existing(event: NewEvent): StoredEvent {
    const { run, step, n } = event.key!
    const sql = `SELECT ${columns} FROM events WHERE run = ? AND step = ? AND n = ?`
    return toEvent(this.#database.rows<EventRow>(sql, run, step, n)[0]!)
  }
}

/**
 * Where in the log to look. The index of runs holds the numbers of their events but not in order: sort a run's numbers
 * and cut them to `max` before reading any row, or a page of a long run would cost as much as the whole run.
 */
function rangeFor(query: EventQuery, order: 'ASC' | 'DESC', max: number) {
  if (query.run === undefined) return rangeOf(query)
  const { sql, values } = selectPart(query, 'seq')
  return { condition: `seq IN (SELECT seq FROM (${sql}) ORDER BY seq ${order} LIMIT ?)`, values: [...values, max] }
}

/** Selects one column of a part of the log, unordered. A union of two index lookups is faster than one with OR. */
function selectPart(query: EventQuery, column: string): { sql: string; values: (string | number)[] } {
  const { condition, values } = rangeOf(query)
  const { run } = query
  if (run === undefined) return { sql: `SELECT ${column} FROM events WHERE ${condition}`, values }
  const own = `SELECT ${column} FROM events WHERE run = ? AND ${condition}`
  const below = `SELECT ${column} FROM events WHERE run > ? AND run < ? AND ${condition}`
  // `0` is the character after `/`.
  return { sql: `${own} UNION ALL ${below}`, values: [run, ...values, `${run}/`, `${run}0`, ...values] }
}

function rangeOf({ after = 0, before }: EventQuery): { condition: string; values: (string | number)[] } {
  if (before === undefined) return { condition: 'seq > ?', values: [after] }
  return { condition: 'seq > ? AND seq < ?', values: [after, before] }
}

/** One listener's error must not stop the others or the writer. */
function notify(listener: (event: StoredEvent) => void, event: StoredEvent): void {
  try {
    listener(event)
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error))
  }
}

/** In the order of `columns`. */
type EventRow = [
  seq: number,
  id: string,
  ts: string,
  type: string,
  version: number,
  stream: string,
  run: string | null,
  feature: string | null,
  actor: string | null,
  data: string,
  payloadRef: string | null,
]

function toEvent([seq, id, ts, type, version, stream, run, feature, actor, data, payloadRef]: EventRow): StoredEvent {
  const event: StoredEvent = { seq, id, ts, type, version, stream, data: JSON.parse(data) }
  if (run !== null) event.run = run
  if (feature !== null) event.feature = feature
  if (actor !== null) event.actor = actor
  if (payloadRef !== null) event.payload_ref = payloadRef
  return event
}
