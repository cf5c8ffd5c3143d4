/**
 * The engine on Postgres: any number of processes share the runs, one executes each. A process says every second that it
 * lives; one that is silent for too long is declared dead, and its runs go to those that take work. What a dead process
 * still tries to write is refused, because every write asks under the project's lock whether its process lives.
 */
import type { NewEvent, StoredEvent } from '../events.ts'
import { runFinished, runParked, runStarted } from '../run-events.ts'
import type { PostgresStore } from '../stores/postgres.ts'
import type { PostgresDatabase } from '../stores/postgres-database.ts'
import { type PostgresTransaction, runInTransaction } from '../stores/postgres-transaction.ts'
import type { Task } from '../stores/task.ts'
import { DurableEngine, type DurableEngineOptions } from './durable.ts'
import type { JournalBase, Log, RunRow } from './journal.ts'
import { PostgresJournal } from './postgres-journal.ts'
import { Presence } from './presence.ts'

export interface PostgresEngineOptions extends DurableEngineOptions {
  database: PostgresDatabase
  store: PostgresStore
  /** The most top-level runs that this process has at once when it takes another. */
  capacity?: number
  /** The workflows whose runs this process takes; all without it. */
  takes?: (workflow: string) => boolean
}

export class PostgresEngine extends DurableEngine {
  readonly #database: PostgresDatabase
  readonly #journal: PostgresJournal
  readonly #presence: Presence
  readonly #unsubscribe: () => void
  readonly #capacity: number
  readonly #takes: (workflow: string) => boolean
  readonly #executes: boolean
  /** Whether this process takes runs that it was not asked for. */
  #takesWork = false
  #taking: Promise<void> | null = null
  #lookingForSignals: Promise<void> | null = null
  #signalsAgain = false

  constructor(options: PostgresEngineOptions) {
    const { database, store } = options
    const base = postgresBase(database, store, options.executes ?? true)
    const lease: { permission(): Promise<void> | undefined } = { permission: () => undefined }
    super(base, { ...options, permission: () => lease.permission() })
    this.#database = database
    this.#journal = base.journal
    this.#capacity = options.capacity ?? Number.POSITIVE_INFINITY
    this.#takes = options.takes ?? (() => true)
    this.#executes = options.executes ?? true
    this.#unsubscribe = store.subscribe((event) => this.#heard(event))
    database.onSignals(() => this.#lookForSignals())
    database.onFenced((error) => this.releaseAll(error))
    this.#presence = new Presence(database, {
      busy: () => this.underWay().length,
      // Every look, because a worker that is asked to close may leave runs without being declared dead.
      looked: () => this.#takeWork(),
    })
    lease.permission = () => this.#presence.permission()
  }

  override async recover(): Promise<void> {
    this.refuseIfClosed()
    this.#takesWork = this.#executes
    await this.#takeWork()
  }

  override async executed(): Promise<(runId: string) => boolean> {
    const elsewhere = new Set(await readTask(this.#database, this.#journal.executed()))
    return (runId) => this.isUnderWay(runId) || elsewhere.has(runId)
  }

  override async close(): Promise<void> {
    this.#takesWork = false
    this.#unsubscribe()
    await this.#presence.close()
    await this.#taking?.catch(() => {})
    await super.close()
  }

  #heard(event: StoredEvent): void {
    const { run } = event
    if (run === undefined) return
    if (runFinished.is(event) || runParked.is(event)) this.endedElsewhere(run)
    // One of our own is under way a moment later.
    else if (runStarted.is(event) && this.#takesWork)
      setImmediate(() => {
        if (!this.isUnderWay(run)) this.#takeWork().catch(() => {})
      })
  }

  #takeWork(): Promise<void> {
    if (!this.#takesWork) return Promise.resolve()
    this.#taking ??= this.takeUpAbandoned((rows) => this.#fitting(rows)).finally(() => {
      this.#taking = null
    })
    return this.#taking
  }

  /** Runs below others go with theirs; of top-level runs as many as there is room for. */
  #fitting(rows: RunRow[]): RunRow[] {
    let room = this.#capacity - this.underWay().length
    const taken = new Set<string>()
    return rows.filter((row) => {
      if (row.parent !== null && taken.has(row.parent)) taken.add(row.id)
      else if (row.parent !== null && rows.some(({ id }) => id === row.parent)) return false
      else if (this.#takes(row.workflow) && room-- > 0) taken.add(row.id)
      return taken.has(row.id)
    })
  }

  #lookForSignals(): void {
    this.#signalsAgain = true
    this.#lookingForSignals ??= this.#deliverSignals().finally(() => {
      this.#lookingForSignals = null
    })
  }

  async #deliverSignals(): Promise<void> {
    while (this.#signalsAgain) {
      this.#signalsAgain = false
      const runs = this.executing()
      if (runs.length === 0) continue
      try {
        const found = await readTask(this.#database, this.#journal.waitingSignals(runs))
        for (const { run, ...signal } of found) this.deliver(run, signal)
      } catch {
        // The next look at the project's row finds them again.
      }
    }
  }
}

function postgresBase(
  database: PostgresDatabase,
  store: PostgresStore,
  executes: boolean,
): JournalBase & { journal: PostgresJournal } {
  return {
    journal: new PostgresJournal(database, executes),
    read: (task) => readTask(database, task),
    write<Value>(work: (log: Log) => Task<Value>, committed?: (value: Value) => void): Promise<Value> {
      let written: StoredEvent[] = []
      const log: Log = (events: NewEvent[]) => store.insert(events, written)
      return database.transact(
        () => {
          written = []
          return work(log)
        },
        (value) => {
          store.publish(written)
          committed?.(value)
        },
      )
    },
  }
}

/** Runs a task that only reads. */
function readTask<Value>(database: PostgresDatabase, task: Task<Value>): Promise<Value> {
  const reader = { query: (sql: string, values?: unknown[]) => database.query(sql, values) }
  return runInTransaction(task, reader as unknown as PostgresTransaction)
}
