/** One transaction on Postgres: queries of its tasks, and the events that it adds to the log. */
import type pg from 'pg'
import type { StoredEvent } from '../events.ts'
import type { Task } from './task.ts'

/** What a task on Postgres yields. */
export type Instruction = (transaction: PostgresTransaction) => Promise<unknown>

export interface EventRow {
  seq: number
  id: string
  ts: string
  type: string
  version: number
  stream: string
  run: string | null
  feature: string | null
  actor: string | null
  data: string
  payload_ref: string | null
  step: string | null
  n: number | null
}

const columns = {
  seq: 'bigint',
  id: 'text',
  ts: 'text',
  type: 'text',
  version: 'int',
  stream: 'text',
  run: 'text',
  feature: 'text',
  actor: 'text',
  data: 'text',
  payload_ref: 'text',
  step: 'text',
  n: 'int',
} as const satisfies Record<keyof EventRow, string>

export const eventColumns = 'seq, id, ts, type, version, stream, run, feature, actor, data, payload_ref'

interface Place {
  schema: string
  project: number
  worker: number
}

export class PostgresTransaction {
  readonly #client: pg.ClientBase
  readonly #place: Place
  readonly #events: EventRow[] = []
  /** The database's clock, in milliseconds, less this process's. */
  readonly #ahead: number
  #head: number
  #signals = 0

  /** `head` is the last position in the log, and `now` the database's time; the transaction holds the lock that lets nobody else move it. */
  constructor(client: pg.ClientBase, place: Place, { head, now }: { head: number; now: number }) {
    this.#client = client
    this.#place = place
    this.#head = head
    this.#ahead = now - performance.now()
  }

  /** The time now by the database's clock, which all processes share. */
  now(): number {
    return Math.floor(performance.now() + this.#ahead)
  }

  get head(): number {
    return this.#head
  }

  async query<Row>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.#client.query(sql, values)).rows as Row[]
  }

  /** The number of rows that a statement changed. */
  async change(sql: string, values: unknown[] = []): Promise<number> {
    return (await this.#client.query(sql, values)).rowCount ?? 0
  }

  /** Adds a row at the next position. It is written when the transaction ends. */
  add(row: Omit<EventRow, 'seq'>): EventRow {
    const added = { ...row, seq: ++this.#head }
    this.#events.push(added)
    return added
  }

  /** A row added in this transaction under this key. */
  added(run: string, step: string, n: number): EventRow | undefined {
    return this.#events.find((row) => row.run === run && row.step === step && row.n === n)
  }

  /** The rows added in this transaction to a run or to one below it. */
  addedTo(run: string): EventRow[] {
    return this.#events.filter((row) => row.run === run || row.run?.startsWith(`${run}/`))
  }

  /** Signals were written: other processes have to look for them. */
  noteSignals(): void {
    this.#signals++
  }

  /**
   * Writes what was added, and tells the other processes once it is committed. The number of the batch is written too: if
   * the answer to the commit is lost, it says whether the commit took place.
   */
  async finish(batch: number): Promise<void> {
    const { schema, project, worker } = this.#place
    const marked = `marked AS (UPDATE ${schema}.workers SET batch = $2, seen = clock_timestamp() WHERE number = $1)`
    if (this.#events.length === 0 && this.#signals === 0) {
      await this.#client.query(`WITH ${marked} SELECT 1`, [worker, batch])
      return
    }
    const names = Object.keys(columns) as (keyof EventRow)[]
    const arrays = names.map((name, index) => `$${index + 7}::${columns[name]}[]`)
    const added = `added AS (INSERT INTO ${schema}.events (project, ${names.join(', ')})
      SELECT $3::int, * FROM unnest(${arrays.join(', ')})),`
    const sql = `WITH ${this.#events.length > 0 ? added : ''} ${marked},
      moved AS (UPDATE ${schema}.projects SET seq = $4, signals = signals + $5 WHERE number = $3::int)
      SELECT pg_notify($6, $3::int || ' ' || $4::bigint || ' ' || $5::int)`
    const rows = this.#events.length > 0 ? names.map((name) => this.#events.map((row) => row[name])) : []
    await this.#client.query(sql, [worker, batch, project, this.#head, this.#signals, channelOf(schema), ...rows])
  }
}

export const channelOf = (schema: string) => `convene_${schema}`

/** Carries out a task, awaiting what it yields. `begun` is its first step if that was taken already. */
export async function runInTransaction<Value>(
  task: Task<Value>,
  transaction: PostgresTransaction,
  begun: IteratorResult<unknown, Value> = task.next(),
): Promise<Value> {
  let next = begun
  while (!next.done) {
    let answer: unknown
    try {
      answer = await (next.value as Instruction)(transaction)
    } catch (error) {
      next = task.throw(error)
      continue
    }
    next = task.next(answer)
  }
  return next.value
}

export function toEvent(row: Omit<EventRow, 'step' | 'n'>): StoredEvent {
  const { seq, id, ts, type, version, stream, run, feature, actor, data, payload_ref } = row
  const event: StoredEvent = { seq, id, ts, type, version, stream, data: JSON.parse(data) }
  if (run !== null) event.run = run
  if (feature !== null) event.feature = feature
  if (actor !== null) event.actor = actor
  if (payload_ref !== null) event.payload_ref = payload_ref
  return event
}
