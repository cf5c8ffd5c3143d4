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
} as const satisfies Record<Exclude<keyof EventRow, 'seq'>, string>

export const eventColumns = 'seq, id, ts, type, version, stream, run, feature, actor, data, payload_ref'

export interface ProjectKeys {
  schema: string
  project: number
  worker: number
  /** About the time now by the database's clock. */
  now(): number
}

/** An event to be written. Without a time it gets that of the end of its transaction. */
export type AddedRow = Omit<EventRow, 'seq' | 'ts'> & { ts: string | null }

/** Carries out what several pieces of work asked for, in one statement; the answers are in the order of the rows. */
export type Join<Row, Answer> = (transaction: Pick<PostgresTransaction, 'query'>, rows: Row[]) => Promise<Answer[]>

interface Added {
  /** The piece of work that added it. */
  piece: number
  row: AddedRow
  stored: StoredEvent
}

interface Joined {
  rows: unknown[]
  settle: { resolve(answer: unknown): void; reject(error: unknown): void }[]
}

/** One transaction with the work that a process queued: what its pieces share. */
export class PostgresBatch {
  readonly client: pg.ClientBase
  readonly #keys: ProjectKeys
  readonly #joined = new Map<Join<never, unknown>, Joined>()
  readonly added: Added[] = []
  signals = 0
  #head: number | null = null
  #ordered = 0

  constructor(client: pg.ClientBase, keys: ProjectKeys) {
    this.client = client
    this.#keys = keys
  }

  /** About the time now by the database's clock. */
  now(): number {
    return this.#keys.now()
  }

  /** The last position before the events of this transaction, once it is known. */
  get head(): number | null {
    return this.#head
  }

  /** Nobody else can move the log's last position while this transaction lasts. */
  startsAt(head: number): void {
    this.#head = head
  }

  piece(index: number): PostgresTransaction {
    return new PostgresTransaction(this, index)
  }

  /** Puts events in their order: those of one piece follow one another, whatever took place in between. */
  order(): void {
    const open = this.added.splice(this.#ordered).sort((one, other) => one.piece - other.piece)
    this.added.push(...open)
    this.#ordered = this.added.length
    if (this.#head !== null) this.#number(this.#head)
  }

  #number(head: number, stamp?: string): void {
    this.#head = head
    for (const [index, { row, stored }] of this.added.entries()) {
      stored.seq = head + index + 1
      if (stamp !== undefined && row.ts === null) stored.ts = stamp
    }
  }

  /** The rows of one turn of the event loop are carried out together. */
  joined<Row, Answer>(join: Join<Row, Answer>, row: Row): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      const key = join as unknown as Join<never, unknown>
      let waiting = this.#joined.get(key)
      if (!waiting) {
        waiting = { rows: [], settle: [] }
        this.#joined.set(key, waiting)
        process.nextTick(() => this.#carryOut(key))
      }
      waiting.rows.push(row)
      waiting.settle.push({ resolve: resolve as (answer: unknown) => void, reject })
    })
  }

  #carryOut(join: Join<never, unknown>): void {
    const { rows, settle } = this.#joined.get(join)!
    this.#joined.delete(join)
    join(this.piece(0), rows as never[]).then(
      (answers) => settle.forEach(({ resolve }, index) => void resolve(answers[index])),
      (error) => settle.forEach(({ reject }) => void reject(error)),
    )
  }

  /**
   * Writes what was added. Events get their positions and their time under the lock of the project's row, so neither goes
   * back in the log. The number of the batch is written too: if the answer to the commit is lost, it says whether the
   * commit took place.
   */
  async finish(batch: number): Promise<void> {
    this.order()
    const { schema, project, worker } = this.#keys
    const marked = `marked AS (UPDATE ${schema}.workers SET batch = $2, seen = clock_timestamp() WHERE number = $1)`
    const count = this.added.length
    if (!this.isNews) {
      await this.client.query(`WITH ${marked} SELECT 1`, [worker, batch])
      return
    }
    const names = Object.keys(columns) as (keyof typeof columns)[]
    const arrays = names.map((name, index) => `$${index + 6}::${columns[name]}[]`)
    const values = names.map((name) => (name === 'ts' ? 'coalesce(ts, stamp)' : name))
    const added = `added AS (INSERT INTO ${schema}.events (project, seq, ${names.join(', ')})
      SELECT $3::int, moved.head + place, ${values.join(', ')} FROM moved,
        unnest(${arrays.join(', ')}) WITH ORDINALITY AS given (${names.join(', ')}, place)),`
    const sql = `WITH moved AS (UPDATE ${schema}.projects
        SET seq = seq + $4::int, signals = signals + $5::int, stamped = greatest(stamped, ${milliseconds})
        WHERE number = $3::int RETURNING seq - $4::int AS head, ${textOf('stamped')} AS stamp),
      ${count > 0 ? added : ''} ${marked}
      SELECT head, stamp FROM moved`
    const rows = count > 0 ? names.map((name) => this.added.map(({ row }) => row[name])) : []
    const given = [worker, batch, project, count, this.signals, ...rows]
    const { rows: answer } = await this.client.query<{ head: number; stamp: string }>(sql, given)
    this.#number(answer[0]!.head, answer[0]!.stamp)
  }

  /** Whether other processes have to be told of it. */
  get isNews(): boolean {
    return this.added.length > 0 || this.signals > 0
  }

  /**
   * Tells the other processes, in a transaction of its own after the commit: Postgres lets only one transaction that
   * notifies commit at a time, in all of the server.
   */
  async notify(): Promise<void> {
    const { schema, project } = this.#keys
    const sql = `SELECT pg_notify($1, number || ' ' || seq || ' ' || $2::int) FROM ${schema}.projects WHERE number = $3`
    await this.client.query(sql, [channelOf(schema), this.signals, project])
  }

  /** Finds out where the log has the events, after a commit whose answer was lost. */
  async locate(client: pg.ClientBase): Promise<void> {
    if (this.added.length === 0) return
    const { schema, project } = this.#keys
    const sql = `SELECT id, seq, ts FROM ${schema}.events WHERE project = $1 AND id = ANY($2::text[])`
    const ids = this.added.map(({ stored }) => stored.id)
    const { rows } = await client.query<{ id: string; seq: number; ts: string }>(sql, [project, ids])
    const found = new Map(rows.map(({ id, seq, ts }) => [id, { seq, ts }]))
    for (const { stored } of this.added) Object.assign(stored, found.get(stored.id))
    this.#head = this.added[0]!.stored.seq - 1
  }
}

/** What one piece of work does in a transaction. */
export class PostgresTransaction {
  readonly #batch: PostgresBatch
  readonly #piece: number

  constructor(batch: PostgresBatch, piece: number) {
    this.#batch = batch
    this.#piece = piece
  }

  async query<Row>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.#batch.client.query(sql, values)).rows as Row[]
  }

  /** The number of rows that a statement changed. */
  async change(sql: string, values: unknown[] = []): Promise<number> {
    return (await this.#batch.client.query(sql, values)).rowCount ?? 0
  }

  /** Like a query of its own; rows that other pieces ask for at the same moment share its statement. */
  joined<Row, Answer>(join: Join<Row, Answer>, row: Row): Promise<Answer> {
    return this.#batch.joined(join, row)
  }

  /** Adds a row to the log. It is written, and gets its position and its time, when the transaction ends. */
  add(row: AddedRow): StoredEvent {
    const stored = toEvent({ ...row, seq: 0, ts: row.ts ?? new Date(this.#batch.now()).toISOString() })
    this.#batch.added.push({ piece: this.#piece, row, stored })
    return stored
  }

  /** An event added in this transaction under this key. */
  added(run: string, step: string, n: number): StoredEvent | undefined {
    return this.#batch.added.find(({ row }) => row.run === run && row.step === step && row.n === n)?.stored
  }

  /** The events added in this transaction to a run or to one below it. */
  addedTo(run: string): StoredEvent[] {
    const ofRun = this.#batch.added.filter(({ row }) => row.run === run || row.run?.startsWith(`${run}/`))
    return ofRun.map(({ stored }) => stored)
  }

  /** Signals were written: other processes have to look for them. */
  noteSignals(): void {
    this.#batch.signals++
  }
}

export const channelOf = (schema: string) => `convene_${schema}`

/** The database's clock, which all processes share. */
export const milliseconds = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

/** Milliseconds as the text that an event carries. */
const textOf = (column: string) =>
  `to_char((timestamp 'epoch' + ${column} * interval '1 millisecond'), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

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
