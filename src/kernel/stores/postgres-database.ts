/**
 * One project in a Postgres schema. A write takes the project's lock: shared, if it concerns only runs that this process
 * executes, else exclusive. Under either, a process that was declared dead is refused. Positions and times in the log are
 * given out at the end of a transaction, on the project's row: positions have no gaps, neither goes back, and they are
 * committed in their order. A transaction takes two round trips, and one more wherever its work waits for an answer.
 */
import { hostname } from 'node:os'
import pg from 'pg'
import { ConveneError } from '../errors.ts'
import { closedError } from './database-errors.ts'
import { EventFeed } from './event-feed.ts'
import {
  asPostgresError,
  findConnection,
  isConnectionLoss,
  isRepeatable,
  parseAddress,
  unreachable,
} from './postgres-connection.ts'
import { PostgresNotices } from './postgres-notices.ts'
import { all, type Piece, runPieces } from './postgres-pieces.ts'
import { checkSchemaName, migrate } from './postgres-schema.ts'
import { type EventRow, eventColumns, milliseconds, PostgresBatch, toEvent } from './postgres-transaction.ts'
import type { Task } from './task.ts'

export interface PostgresOptions {
  url: string
  schema?: string
  project: string
  /** What other processes are shown of this one. */
  worker?: { version?: string; agents?: string[]; capacity?: number | null }
  /** For how long work is tried again while the database cannot be reached. */
  patienceMs?: number
  /** After so long without an answer a statement's connection counts as lost. */
  answerMs?: number
}

interface QueuedWork extends Piece {
  exclusive: boolean
  committed: ((value: never) => void) | undefined
  resolve: (value: never) => void
  reject: (error: unknown) => void
}

/** What became of a batch whose commit was not answered is known only at the next attempt. */
interface Attempt {
  number: number
  sent?: Committed
}

interface Committed {
  values: unknown[]
  transaction: PostgresBatch
}

type Outcome = ({ ok: true } & Committed) | { ok: false; error: unknown }

/** What the first statements of a transaction answer. */
interface Begun {
  alive: boolean
  /** The number of the last batch that this process committed. */
  batch: number
  /** The last position in the log, if nobody else can move it. */
  head: number | null
}

const retryMs = 200
const batchSize = 500
/** Longer than any statement of ours takes under load; a server that hangs, or a network that drops packets, must not hold us for ever. */
const answerMs = 15_000
const goodbyeMs = 2_000
/** Shorter than the silence after which a process is declared dead (TM1). */
const idleTransactionMs = 2_000

export class PostgresDatabase {
  readonly shown: string
  readonly schema: string
  /** The project's number. */
  readonly project: number
  /** This process's number among all that ever opened the project. */
  readonly worker: number
  readonly feed: EventFeed
  readonly #pool: pg.Pool
  readonly #notices: PostgresNotices
  readonly #patienceMs: number
  readonly #fencedListeners = new Set<(error: ConveneError) => void>()
  #queue: QueuedWork[] = []
  #flushing: Promise<void> | null = null
  #batches = 0
  /** The database's clock, in milliseconds, less this process's. */
  #ahead: number
  #fenced: ConveneError | null = null
  #state: 'open' | 'closing' | 'closed' = 'open'
  #closing: Promise<void> | undefined

  static async open(options: PostgresOptions): Promise<PostgresDatabase> {
    const schema = options.schema ?? 'convene'
    checkSchemaName(schema)
    const address = parseAddress(options.url)
    const found = await findConnection(address)
    const config = { ...found, query_timeout: options.answerMs ?? answerMs }
    const pool = new pg.Pool({ ...config, pipeline: true, max: 6, idleTimeoutMillis: 30_000 } as pg.PoolConfig)
    // A connection that breaks is replaced at the next query; a query in flight on it fails by itself.
    pool.on('error', () => {})
    pool.on('connect', (client) => client.on('error', () => {}))
    try {
      const client = await pool.connect()
      try {
        await migrate(client, schema)
      } finally {
        client.release()
      }
      const { number, seq } = await joinProject(pool, schema, options.project)
      const { worker, now } = await register(pool, schema, number, options.worker ?? {})
      const identity = { shown: address.shown, schema, project: number, worker, head: seq, now }
      return new PostgresDatabase(pool, config, identity, options.patienceMs ?? 30_000)
    } catch (error) {
      await pool.end()
      throw asPostgresError(error, address.shown)
    }
  }

  private constructor(
    pool: pg.Pool,
    config: pg.ClientConfig,
    identity: { shown: string; schema: string; project: number; worker: number; head: number; now: number },
    patienceMs: number,
  ) {
    this.#pool = pool
    this.shown = identity.shown
    this.schema = identity.schema
    this.project = identity.project
    this.worker = identity.worker
    this.#ahead = identity.now - performance.now()
    this.#patienceMs = patienceMs
    this.feed = new EventFeed(identity.head, (after, limit) => this.#eventsAfter(after, limit))
    this.#notices = new PostgresNotices({
      config,
      schema: this.schema,
      project: this.project,
      look: () => this.#look(),
      notify: async (channel, payload) => {
        await this.#pool.query('SELECT pg_notify($1, $2)', [channel, payload])
      },
      moved: (seq) => this.#catchUp(seq),
    })
  }

  /** The table's name with its schema. */
  table(name: string): string {
    return `${this.schema}.${name}`
  }

  /** About the time now by the database's clock. */
  now(): number {
    return Math.floor(performance.now() + this.#ahead)
  }

  /** Whether notifications arrive; without them (behind a pooler) changes are polled for. */
  get hearsNotices(): boolean {
    return this.#notices.works
  }

  get fenced(): ConveneError | null {
    return this.#fenced
  }

  /** A query outside a transaction, repeated for a while if the connection is lost: it must change nothing. */
  async query<Row>(sql: string, values: unknown[] = []): Promise<Row[]> {
    if (this.#state === 'closed') throw closedError(this.shown)
    return this.#patiently(async () => (await this.#pool.query(sql, values)).rows as Row[])
  }

  /** A statement that may be repeated without harm. */
  async change(sql: string, values: unknown[] = []): Promise<number> {
    if (this.#state === 'closed') throw closedError(this.shown)
    return (await this.#pool.query(sql, values)).rowCount ?? 0
  }

  /** A transaction of its own beside the queue, for what is large: it holds no lock on the project. */
  async aside<Value>(work: (client: pg.ClientBase) => Promise<Value>): Promise<Value> {
    if (this.#state !== 'open') throw closedError(this.shown)
    let client: pg.PoolClient
    try {
      client = await this.#pool.connect()
    } catch (error) {
      throw asPostgresError(error, this.shown)
    }
    let broken = false
    try {
      await client.query('BEGIN ISOLATION LEVEL READ COMMITTED')
      const value = await work(client)
      await client.query('COMMIT')
      return value
    } catch (error) {
      broken = isConnectionLoss(error)
      if (!broken) await client.query('ROLLBACK').catch(() => (broken = true))
      throw asPostgresError(error, this.shown)
    } finally {
      client.release(broken)
    }
  }

  /**
   * Runs `work` in the next transaction and resolves once it is committed and its events are published. Work queued
   * while another transaction is under way shares one; if one piece throws, the others still commit. `committed` runs
   * before the promise resolves, in the order of the work. Work of different lanes that is queued next to each other must
   * not depend on its order: its statements are sent without waiting for one another's answers. Work that is not
   * `exclusive` takes place while other processes write theirs.
   */
  transact<Value>(
    work: () => Task<Value>,
    committed?: (value: Value) => void,
    { lane, exclusive = true }: { lane?: string; exclusive?: boolean } = {},
  ): Promise<Value> {
    if (this.#state !== 'open') return Promise.reject(closedError(this.shown))
    if (this.#fenced) return Promise.reject(this.#fenced)
    return new Promise<Value>((resolve, reject) => {
      this.#queue.push({ work, lane, exclusive, committed, resolve, reject } as QueuedWork)
      this.#flushing ??= this.#flushAll()
    })
  }

  /** Calls `listener` when another process has declared this one dead. */
  onFenced(listener: (error: ConveneError) => void): void {
    this.#fencedListeners.add(listener)
  }

  /** Calls `listener` when signals may have arrived from other processes. */
  onSignals(listener: () => void): void {
    this.#notices.onSignals(listener)
  }

  /** Throws if another process has declared this one dead. */
  async confirmAlive(): Promise<void> {
    const sql = `SELECT 1 FROM ${this.table('workers')} WHERE number = $1 AND NOT dead`
    if (this.#fenced || (await this.query(sql, [this.worker])).length === 0) throw this.fence()
  }

  fence(): ConveneError {
    this.#fenced ??= new ConveneError(
      'fenced',
      'this process was silent for too long, and others have taken over its runs. Start it again; nothing it does now is recorded.',
      { exitCode: 1, status: 503 },
    )
    for (const listener of this.#fencedListeners) listener(this.#fenced)
    this.#fencedListeners.clear()
    return this.#fenced
  }

  /** Commits queued work, leaves the list of workers and closes the connections. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#state = 'closing'
    await this.#flushing
    await this.#notices.close()
    const leave = `UPDATE ${this.table('workers')} SET dead = true WHERE number = $1`
    await this.#pool.query(leave, [this.worker]).catch(() => {})
    this.#state = 'closed'
    this.feed.close()
    // A server that hangs does not say goodbye.
    await Promise.race([this.#pool.end(), pause(goodbyeMs)])
  }

  async #flushAll(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#queue.length > 0) await this.#flush(this.#queue.splice(0, batchSize))
    this.#flushing = null
  }

  async #flush(batch: QueuedWork[]): Promise<void> {
    const outcome = await this.#commitPatiently(batch)
    if (outcome.ok) return this.#resolveAll(batch, outcome)
    if (batch.length === 1 || isFatal(outcome.error)) {
      const error = asPostgresError(outcome.error, this.shown)
      for (const queued of batch) queued.reject(error)
      return
    }
    for (const queued of batch) await this.#flush([queued])
  }

  async #resolveAll(batch: QueuedWork[], { values, transaction }: Committed): Promise<void> {
    const resolve = () => {
      for (let index = 0; index < batch.length; index++) {
        const queued = batch[index]!
        try {
          queued.committed?.(values[index] as never)
          queued.resolve(values[index] as never)
        } catch (error) {
          queued.reject(error)
        }
      }
    }
    // If events of others cannot be read now, they are published later; what is committed is reported as such.
    await this.feed.upTo(transaction.head ?? 0, resolve).catch(resolve)
  }

  /** Repeats a batch whose connection was lost, unless it turns out to be committed. */
  async #commitPatiently(batch: QueuedWork[]): Promise<Outcome> {
    const giveUpAt = performance.now() + this.#patienceMs
    const attempt: Attempt = { number: 0 }
    for (;;) {
      try {
        return { ok: true, ...(await this.#commit(batch, attempt)) }
      } catch (error) {
        if (!isConnectionLoss(error) && !isRepeatable(error)) return { ok: false, error }
        if (performance.now() > giveUpAt) return { ok: false, error: unreachable(this.shown, error) }
        await pause(retryMs)
      }
    }
  }

  async #commit(batch: QueuedWork[], attempt: Attempt): Promise<Committed> {
    if (this.#fenced) throw this.#fenced
    const client = await this.#pool.connect()
    let broken = false
    try {
      const begun = this.#begin(
        client,
        batch.every(({ exclusive }) => !exclusive),
      )
      if (attempt.sent) {
        const { batch: last } = await begun
        if (last === attempt.number) return await this.#foundCommitted(client, attempt.sent)
        attempt.sent = undefined
      }
      const transaction = new PostgresBatch(client, this)
      const values = await this.#work(batch, transaction, begun)
      attempt.number = ++this.#batches
      attempt.sent = { values, transaction }
      // If the first fails, the second ends the transaction without a trace.
      const finishing: Promise<unknown>[] = [transaction.finish(attempt.number), client.query('COMMIT')]
      // One that is lost is made up for by looking.
      if (transaction.isNews) finishing.push(transaction.notify().catch(() => {}))
      await all(finishing)
      return attempt.sent
    } catch (error) {
      broken = isConnectionLoss(error)
      if (!broken) await client.query('ROLLBACK').catch(() => (broken = true))
      throw error
    } finally {
      client.release(broken)
    }
  }

  async #foundCommitted(client: pg.ClientBase, sent: Committed): Promise<Committed> {
    await sent.transaction.locate(client)
    await client.query('ROLLBACK')
    return sent
  }

  /**
   * Sends the statements of the work right behind those that begin the transaction. Waits until all of them are answered,
   * also where one fails: a statement that follows a rollback would take place outside of any transaction.
   */
  async #work(batch: QueuedWork[], transaction: PostgresBatch, begun: Promise<Begun>): Promise<unknown[]> {
    const begins = begun.then((own) => {
      if (own.head !== null) transaction.startsAt(own.head)
      return own
    })
    const [own, values] = await Promise.allSettled([begins, runPieces(batch, transaction)])
    if (own.status === 'rejected') throw own.reason
    if (!own.value.alive) throw this.fence()
    if (values.status === 'rejected') throw values.reason
    return values.value
  }

  /**
   * Takes the project's lock, then asks whether this process may still write, and what it wrote last. Separate statements:
   * a later one sees what was committed while an earlier one waited. Sent as one text, so that all cost one round trip.
   * With a shared lock the own row is locked too: a transaction whose answer was lost has ended when the next attempt reads
   * the row. Signs of life wait for that row, so what may take long does not lock it. The time limit frees the locks if
   * this process stands still with the transaction open: otherwise nobody could take over from it. The
   * clock is the database's, which all machines share.
   */
  async #begin(client: pg.ClientBase, isShared: boolean): Promise<Begun> {
    const lock = (how: string) => `SELECT pg_advisory_xact_lock${how}(${projectLock(this.schema, this.project)});`
    const results = (await client.query(`BEGIN ISOLATION LEVEL READ COMMITTED;
      SET LOCAL idle_in_transaction_session_timeout = ${idleTransactionMs};
      ${lock(isShared ? '_shared' : '')}
      ${isShared ? '' : `SELECT seq FROM ${this.table('projects')} WHERE number = ${this.project} FOR UPDATE;`}
      SELECT NOT dead AS alive, batch, ${milliseconds} AS now FROM ${this.table('workers')} WHERE number = ${this.worker} ${isShared ? 'FOR UPDATE' : ''}`)) as unknown as pg.QueryResult[]
    const own = results.at(-1)!.rows[0] as { alive: boolean; batch: number; now: number } | undefined
    if (own) this.#ahead = own.now - performance.now()
    const head = isShared ? null : (results.at(-2)!.rows[0] as { seq: number }).seq
    return { alive: own?.alive ?? false, batch: own?.batch ?? -1, head }
  }

  async #patiently<Value>(work: () => Promise<Value>): Promise<Value> {
    const giveUpAt = performance.now() + this.#patienceMs
    for (;;) {
      try {
        return await work()
      } catch (error) {
        const isWorthAnother = isConnectionLoss(error) || isRepeatable(error)
        if (!isWorthAnother || this.#state === 'closed') throw asPostgresError(error, this.shown)
        if (performance.now() > giveUpAt) throw unreachable(this.shown, error)
        await pause(retryMs)
      }
    }
  }

  async #eventsAfter(after: number, limit: number) {
    const sql = `SELECT ${eventColumns} FROM ${this.table('events')} WHERE project = $1 AND seq > $2 ORDER BY seq LIMIT $3`
    return (await this.query<EventRow>(sql, [this.project, after, limit])).map(toEvent)
  }

  async #look(): Promise<{ seq: number; signals: number }> {
    const sql = `SELECT seq, signals FROM ${this.table('projects')} WHERE number = $1`
    const { rows } = await this.#pool.query(sql, [this.project])
    return rows[0]
  }

  async #catchUp(seq: number): Promise<void> {
    if (seq > this.feed.last && this.#state === 'open') await this.feed.upTo(seq)
  }
}

/** An expression for the number of the lock under which a project is written. */
export function projectLock(schema: string, project: number): string {
  return `hashtextextended('convene:${schema}:${project}', 0)`
}

function isFatal(error: unknown): boolean {
  return error instanceof ConveneError && (error.code === 'fenced' || error.code === 'database_unreachable')
}

async function joinProject(pool: pg.Pool, schema: string, name: string): Promise<{ number: number; seq: number }> {
  await pool.query(`INSERT INTO ${schema}.projects (name) VALUES ($1) ON CONFLICT DO NOTHING`, [name])
  const { rows } = await pool.query(`SELECT number, seq FROM ${schema}.projects WHERE name = $1`, [name])
  return rows[0]
}

async function register(
  pool: pg.Pool,
  schema: string,
  project: number,
  { version = '', agents = [], capacity = null }: NonNullable<PostgresOptions['worker']>,
): Promise<{ worker: number; now: number }> {
  const old = `DELETE FROM ${schema}.workers WHERE project = $1 AND dead AND seen < clock_timestamp() - interval '7 days'`
  await pool.query(old, [project])
  const sql = `INSERT INTO ${schema}.workers (project, host, pid, version, agents, capacity)
    VALUES ($1, $2, $3, $4, $5, $6) RETURNING number AS worker, ${milliseconds} AS now`
  const { rows } = await pool.query(sql, [project, hostname(), process.pid, version, agents, capacity])
  return rows[0]
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
