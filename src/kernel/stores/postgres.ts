/** The log, claims and payloads of one project in Postgres, shared by any number of processes. */
import { randomUUID } from 'node:crypto'
import type { NewEvent, StoredEvent } from '../events.ts'
import { asStored } from '../matching-events.ts'
import type { EventQuery, Store } from '../store.ts'
import type { PostgresDatabase } from './postgres-database.ts'
import { PostgresPayloads } from './postgres-payloads.ts'
import { type EventRow, eventColumns, milliseconds, type PostgresTransaction, toEvent } from './postgres-transaction.ts'
import type { Task } from './task.ts'

export interface PostgresStoreOptions {
  /** For tests; the database's own clock otherwise, which all processes share. */
  now?: () => number
  /** Removes secrets from everything that is written. */
  redact?: <Value>(value: Value) => Value
}

export class PostgresStore implements Store {
  readonly #database: PostgresDatabase
  readonly #payloads: PostgresPayloads
  readonly #now: (() => number) | undefined
  readonly #redact: <Value>(value: Value) => Value

  constructor(database: PostgresDatabase, options: PostgresStoreOptions = {}) {
    this.#database = database
    this.#payloads = new PostgresPayloads(database)
    this.#now = options.now
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
      { lane: 'facts', exclusive: false },
    )
  }

  appendFrom(run: string, decide: (events: StoredEvent[]) => NewEvent[]): Promise<StoredEvent[]> {
    let written: StoredEvent[] = []
    return this.#database.transact(
      () => {
        written = []
        return this.#insertFrom(run, decide, written)
      },
      () => this.publish(written),
    )
  }

  *#insertFrom(
    run: string,
    decide: (events: StoredEvent[]) => NewEvent[],
    written: StoredEvent[],
  ): Task<StoredEvent[]> {
    const { conditions, values } = conditionsOf(this.#database.project, { run })
    const sql = `SELECT ${eventColumns} FROM ${this.#database.table('events')}
      WHERE ${conditions.join(' AND ')} ORDER BY seq`
    const events: StoredEvent[] = yield async (transaction: PostgresTransaction) => [
      ...(await transaction.query<EventRow>(sql, values)).map(toEvent),
      ...transaction.addedTo(run),
    ]
    return yield* this.insert(decide(events), written)
  }

  /** Writes events inside a transaction in progress. The caller publishes `written` once that is committed. */
  *insert(events: NewEvent[], written: StoredEvent[]): Task<StoredEvent[]> {
    const known: Map<string, StoredEvent> = events.some(({ key }) => key)
      ? yield (transaction: PostgresTransaction) => this.#existing(transaction, events)
      : new Map()
    const stored: StoredEvent[] = []
    for (const event of events) {
      const before = event.key && known.get(nameOf(event.key))
      stored.push(before ?? (yield async (transaction: PostgresTransaction) => this.#add(transaction, event, written)))
    }
    return stored
  }

  /** Notifies listeners. Call it only with events that are committed. */
  publish(events: StoredEvent[]): void {
    this.#database.feed.publish(events)
  }

  async read(query: EventQuery): Promise<StoredEvent[]> {
    const { conditions, values, parameter } = conditionsOf(this.#database.project, query)
    for (const key of ['id', 'stream', 'feature', 'actor', 'payload_ref'] as const) {
      const value = query[key]
      if (value !== undefined) conditions.push(`${key} = ${parameter(value)}`)
    }
    if (query.types !== undefined) conditions.push(`type = ANY(${parameter(query.types)}::text[])`)
    if (query.text !== undefined)
      conditions.push(`strpos(lower((type || ' ' || data) COLLATE "C"), ${parameter(asStored(query.text))}) > 0`)
    const max = query.last ?? query.limit
    const limit = max === undefined ? '' : `LIMIT ${parameter(max)}`
    const order = query.last === undefined ? 'ASC' : 'DESC'
    const sql = `SELECT ${eventColumns} FROM ${this.#database.table('events')}
      WHERE ${conditions.join(' AND ')} ORDER BY seq ${order} ${limit}`
    const events = (await this.#database.query<EventRow>(sql, values)).map(toEvent)
    return query.last === undefined ? events : events.reverse()
  }

  async count(
    query: Pick<EventQuery, 'run' | 'stream' | 'after' | 'before'>,
  ): Promise<{ type: string; count: number }[]> {
    const { conditions, values, parameter } = conditionsOf(this.#database.project, query)
    if (query.stream !== undefined) conditions.push(`stream = ${parameter(query.stream)}`)
    const sql = `SELECT type, count(*) AS count FROM ${this.#database.table('events')}
      WHERE ${conditions.join(' AND ')} GROUP BY type ORDER BY type`
    return this.#database.query(sql, values)
  }

  async lastSeq(): Promise<number> {
    const sql = `SELECT seq FROM ${this.#database.table('projects')} WHERE number = $1`
    return (await this.#database.query<{ seq: number }>(sql, [this.#database.project]))[0]!.seq
  }

  subscribe(listener: (event: StoredEvent) => void): () => void {
    return this.#database.feed.subscribe(listener)
  }

  putPayload(content: string | Uint8Array | AsyncIterable<Uint8Array>): Promise<string> {
    return this.#payloads.put(typeof content === 'string' ? this.#redact(content) : content)
  }

  readPayload(ref: string, range?: { start?: number; end?: number }): Promise<Uint8Array> {
    return this.#payloads.read(ref, range)
  }

  claim(name: string, holder: string, ttlMs?: number): Promise<boolean> {
    const { clock, values } = this.#clock(4)
    const sql = `INSERT INTO ${this.#database.table('claims')} AS claims (project, name, holder, until)
      VALUES ($1, $2, $3, ${ttlMs === undefined ? 'NULL' : `${clock} + ${Number(ttlMs)}`})
      ON CONFLICT (project, name) DO UPDATE SET holder = excluded.holder, until = excluded.until
      WHERE claims.holder = excluded.holder OR claims.until <= ${clock}`
    return this.#database.transact(() => changes(sql, [this.#database.project, name, holder, ...values]))
  }

  async release(name: string, holder: string): Promise<void> {
    const sql = `DELETE FROM ${this.#database.table('claims')} WHERE project = $1 AND name = $2 AND holder = $3`
    await this.#database.transact(() => changes(sql, [this.#database.project, name, holder]))
  }

  async holderOf(name: string): Promise<string | null> {
    const { clock, values } = this.#clock(3)
    const sql = `SELECT holder FROM ${this.#database.table('claims')}
      WHERE project = $1 AND name = $2 AND (until IS NULL OR until > ${clock})`
    const [row] = await this.#database.query<{ holder: string }>(sql, [this.#database.project, name, ...values])
    return row?.holder ?? null
  }

  close(): Promise<void> {
    return this.#database.close()
  }

  /** An expression for the time now, and its value as the parameter at this position. */
  #clock(position: number): { clock: string; values: number[] } {
    if (this.#now) return { clock: `$${position}::bigint`, values: [this.#now()] }
    return { clock: milliseconds, values: [] }
  }

  #add(transaction: PostgresTransaction, event: NewEvent, written: StoredEvent[]): StoredEvent {
    const { key } = event
    const twin = key && transaction.added(key.run, key.step, key.n)
    if (twin) return twin
    const stored = transaction.add({
      id: randomUUID(),
      ts: this.#now ? new Date(this.#now()).toISOString() : null,
      type: event.type,
      version: event.version,
      stream: wellFormed(event.stream),
      run: wellFormed(key?.run ?? event.run ?? null),
      feature: wellFormed(event.feature ?? null),
      actor: wellFormed(event.actor ?? null),
      data: JSON.stringify(this.#redact(event.data) ?? {}),
      payload_ref: event.payload_ref ?? null,
      step: key?.step ?? null,
      n: key?.n ?? null,
    })
    written.push(stored)
    return stored
  }

  /** Events that the log holds already under the keys of these. */
  async #existing(transaction: PostgresTransaction, events: NewEvent[]): Promise<Map<string, StoredEvent>> {
    const keys = events.flatMap(({ key }) => (key ? [key] : []))
    const sql = `SELECT ${eventColumns}, step, n FROM ${this.#database.table('events')}
      WHERE project = $1 AND (run, step, n) IN (SELECT * FROM unnest($2::text[], $3::text[], $4::int[]))`
    const rows = await transaction.query<EventRow>(sql, [
      this.#database.project,
      keys.map(({ run }) => run),
      keys.map(({ step }) => step),
      keys.map(({ n }) => n),
    ])
    return new Map(rows.map((row) => [nameOf({ run: row.run!, step: row.step!, n: row.n! }), toEvent(row)]))
  }
}

/** Whether a statement changes anything. */
function* changes(sql: string, values: unknown[]): Task<boolean> {
  const count: number = yield (transaction: PostgresTransaction) => transaction.change(sql, values)
  return count > 0
}

const nameOf = ({ run, step, n }: { run: string; step: string; n: number }) => JSON.stringify([run, step, n])

/** Text as the database will return it. */
function wellFormed<Text extends string | null>(text: Text): Text {
  return (typeof text === 'string' ? text.toWellFormed() : text) as Text
}

/** The part of the log that a query looks at. */
function conditionsOf(project: number, { after = 0, before, run }: EventQuery) {
  const values: unknown[] = []
  const parameter = (value: unknown) => `$${values.push(value)}`
  const conditions = [`project = ${parameter(project)}`, `seq > ${parameter(after)}`]
  if (before !== undefined) conditions.push(`seq < ${parameter(before)}`)
  // `0` is the character after `/`.
  if (run !== undefined)
    conditions.push(`(run = ${parameter(run)} OR (run > ${parameter(`${run}/`)} AND run < ${parameter(`${run}0`)}))`)
  return { conditions, values, parameter }
}
