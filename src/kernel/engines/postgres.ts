/**
 * The engine on Postgres: any number of processes share the runs, one executes each. A process says every half second that
 * it lives; one that is silent for too long is declared dead, and its runs go to those that take work. What a dead process
 * still tries to write is refused, because every write asks under the project's lock whether its process lives.
 */
import { silenceMs } from '../../rules/team/silent-worker.ts'
import { type CrashedRun, isCrashingAgain } from '../../rules/trust/crashes.ts'
import type { RunHandle, RunSummary, Workflow } from '../engine.ts'
import type { NewEvent, StoredEvent } from '../events.ts'
import { runFinished, runParked, runRecovered, runStarted, runStream } from '../run-events.ts'
import type { PostgresStore } from '../stores/postgres.ts'
import type { PostgresDatabase } from '../stores/postgres-database.ts'
import { type PostgresTransaction, runInTransaction } from '../stores/postgres-transaction.ts'
import type { Task } from '../stores/task.ts'
import { DurableEngine, type DurableEngineOptions } from './durable.ts'
import type { Beside, JournalBase, Log, Past, RunRow } from './journal.ts'
import { decode } from './outcome.ts'
import { PostgresJournal, type SharedRunRow } from './postgres-journal.ts'
import { Presence } from './presence.ts'

export interface PostgresEngineOptions extends DurableEngineOptions {
  database: PostgresDatabase
  store: PostgresStore
  /** The most top-level runs that this process has at once when it takes another. */
  capacity?: number
  /** Which runs this process takes: by their workflow and, once there is one, their input. All without it. */
  takes?: (workflow: string, input?: unknown) => boolean
  /** TR5: parks those runs that crashed their processes again and again; returns those that may continue. */
  screen?: (runs: CrashedRun[]) => Promise<CrashedRun[]>
}

const lookAgainMs = 200

export class PostgresEngine extends DurableEngine {
  readonly #database: PostgresDatabase
  readonly #base: JournalBase
  readonly #journal: PostgresJournal
  readonly #presence: Presence
  readonly #unsubscribe: () => void
  readonly #capacity: number
  readonly #takes: (workflow: string, input?: unknown) => boolean
  readonly #screen: (runs: CrashedRun[]) => Promise<CrashedRun[]>
  readonly #workers: string
  /** Runs that this process was asked to continue while another may still execute them. */
  readonly #wanted = new Set<string>()
  readonly #executes: boolean
  /** Whether this process takes runs that it was not asked for. */
  #takesWork = false
  #taking: Promise<void> | null = null
  /** Asked for while a look at the waiting runs was under way. */
  #lookAgain = false
  /** Whether runs wait that this process would take if it had room. */
  #leftForRoom = false
  #lookingForSignals: Promise<void> | null = null
  #lookForAll = false
  readonly #lookFor = new Set<string>()

  constructor(options: PostgresEngineOptions) {
    const { database, store } = options
    const base = postgresBase(database, store, options.executes ?? true)
    const lease: { permission(): Promise<void> | undefined } = { permission: () => undefined }
    super(base, { ...options, permission: () => lease.permission() })
    this.#database = database
    this.#base = base
    this.#journal = base.journal
    this.#capacity = options.capacity ?? Number.POSITIVE_INFINITY
    this.#takes = options.takes ?? (() => true)
    this.#screen = options.screen ?? (async (runs) => runs)
    this.#executes = options.executes ?? true
    this.#workers = database.table('workers')
    this.#unsubscribe = store.subscribe((event) => this.#received(event))
    database.onSignals(() => this.#lookForSignals())
    database.onFenced((error) => this.releaseAll(error))
    this.#presence = new Presence(database, {
      busy: () => this.unitsAtWork(),
      buried: (workers) => this.#journal.noteCrash(workers),
      // Every look, because a worker that is asked to close may leave runs without being declared dead.
      looked: async () => {
        await this.#takeWork()
        await this.#takeWanted()
      },
    })
    lease.permission = () => this.#presence.permission()
  }

  override async recover(): Promise<void> {
    this.refuseIfClosed()
    this.#takesWork = this.#executes
    await this.#publish()
    await this.#takeWork()
  }

  override async start<Input, Output>(
    workflow: Workflow<Input, Output>,
    input: Input,
    options?: { id?: string; events?: NewEvent[] },
  ): Promise<RunHandle<Output>> {
    const handle = await super.start(workflow, input, options)
    await this.#wantUnlessTaken(handle.id)
    return handle
  }

  /** The process that executes it may be dead without anybody having noticed yet: it is taken over as soon as that is known. */
  override async resume(runId: string): Promise<RunSummary> {
    await super.resume(runId)
    await this.#wantUnlessTaken(runId)
    return (await this.get(runId))!
  }

  override async executed(): Promise<(runId: string) => boolean> {
    const elsewhere = new Set(await readTask(this.#database, this.#journal.executed()))
    return (runId) => this.isUnderWay(runId) || this.#wanted.has(runId) || elsewhere.has(runId)
  }

  override async close(): Promise<void> {
    this.#takesWork = false
    this.#unsubscribe()
    await this.#presence.close()
    await this.#taking?.catch(() => {})
    await super.close()
  }

  #received(event: StoredEvent): void {
    const { run } = event
    if (run === undefined) return
    if (runFinished.is(event) || runParked.is(event)) {
      // There is room for another.
      if (this.#leftForRoom && this.isUnderWay(run)) setImmediate(() => this.#takeWork().catch(() => {}))
      this.#wanted.delete(run)
      this.endedElsewhere(run)
    }
    // One of our own is under way a moment later.
    else if (runStarted.is(event) && this.#takesWork)
      setImmediate(() => {
        if (this.isUnderWay(run)) return
        if (this.#room() > 0) this.#takeWork().catch(() => {})
        else this.#leftForRoom = true
      })
  }

  #takeWork(): Promise<void> {
    if (!this.#takesWork) return Promise.resolve()
    // A look that is under way may have missed what this one is for.
    if (this.#taking) this.#lookAgain = true
    this.#taking ??= this.#takeAll().finally(() => {
      this.#taking = null
    })
    return this.#taking
  }

  async #takeAll(): Promise<void> {
    do {
      this.#lookAgain = false
      await this.takeUpAbandoned(async (rows) => {
        const abandoned = rows as SharedRunRow[]
        const fitting = await this.#ours(await this.#screened(abandoned))
        const room = this.#room()
        const units = await this.#takeUnits(fitting.filter(this.#isFitUnit), room)
        return this.#besideUnits(fitting, abandoned, units, room - units.size)
      })
    } while (this.#takesWork && this.#lookAgain)
  }

  /** Takes as many of these runs as there is room for, passing over those that other processes take at the same moment. */
  async #takeUnits(rows: SharedRunRow[], room: number): Promise<Set<string>> {
    const wanted = rows.filter(
      ({ id, workflow, input }) => !this.isUnderWay(id) && this.#takes(workflow, decode(input)),
    )
    this.#leftForRoom = wanted.length > room
    if (wanted.length === 0 || room <= 0) return new Set()
    const taken = await this.#base.write(
      (log) => this.#claimUnits(wanted, Math.min(room, wanted.length), log),
      (taken) => {
        for (const { row, past } of taken) this.adopt(row, past)
      },
      { lane: 'units', exclusive: false },
    )
    return new Set(taken.map(({ row }) => row.id))
  }

  *#claimUnits(rows: SharedRunRow[], most: number, log: Log): Task<{ row: RunRow; past: Past }[]> {
    const claimed = yield* this.#journal.claimUnits(rows, most)
    if (claimed.length === 0) return []
    const pasts = yield* this.#journal.pasts(claimed)
    const taken = claimed.map((row, index) => ({ row, past: pasts[index]! }))
    yield* log(
      taken.map(({ row: { id }, past: { steps } }) =>
        runRecovered.create({ stream: runStream(id), run: id }, { steps: steps.length }),
      ),
    )
    return taken
  }

  /** Runs below others go with theirs. Runs that no process's code fits are parked by whoever takes them. */
  #besideUnits(rows: SharedRunRow[], abandoned: SharedRunRow[], units: Set<string>, left: number): RunRow[] {
    let room = left
    const taken = new Set(units)
    return rows.filter((row) => {
      if (this.#isFitUnit(row)) return false
      if (!isUnit(row) && taken.has(row.parent!)) taken.add(row.id)
      else if (!isUnit(row) && abandoned.some(({ id }) => id === row.parent)) return false
      else if (this.#takes(row.workflow, decode(row.input)) && room-- > 0) taken.add(row.id)
      return taken.has(row.id)
    })
  }

  readonly #isFitUnit = (row: RunRow): boolean => isUnit(row) && this.misfit(row) === null

  #room(): number {
    return this.#capacity - this.unitsAtWork()
  }

  async #screened(rows: SharedRunRow[]): Promise<SharedRunRow[]> {
    const crashing = rows.filter(({ crash_streak: streak }) => isCrashingAgain(streak))
    if (crashing.length === 0) return rows
    const about = crashing.map(({ id, crash_steps, crashes }) => ({ run: id, steps: crash_steps ?? 0, crashes }))
    const cleared = new Set((await this.#screen(about)).map(({ run }) => run))
    return rows.filter((row) => !crashing.includes(row) || cleared.has(row.id))
  }

  /** A run that the code of this process does not fit is left to a process whose code does, if there is one (TM3). */
  async #ours(rows: SharedRunRow[]): Promise<SharedRunRow[]> {
    const strange = rows.filter((row) => this.misfit(row) !== null)
    if (strange.length === 0) return rows
    const others = await this.#otherWorkers()
    const isOthers = (row: RunRow) => others.some(({ takes }) => takes[row.workflow] === row.version)
    return rows.filter((row) => !strange.includes(row) || !isOthers(row))
  }

  protected override async othersTake({ name, version }: { name: string; version: number }): Promise<boolean> {
    return (await this.#otherWorkers()).some(
      ({ takes, capacity, busy }) => takes[name] === version && (capacity === null || busy < capacity),
    )
  }

  /** The other living processes that take work, and which versions of which workflows. */
  async #otherWorkers(): Promise<{ takes: Record<string, number>; capacity: number | null; busy: number }[]> {
    const sql = `SELECT takes, capacity, busy FROM ${this.#workers} WHERE project = $1 AND number <> $2 AND NOT dead
      AND seen > clock_timestamp() - make_interval(secs => $3)`
    const values = [this.#database.project, this.#database.worker, silenceMs / 1000]
    const rows = await this.#database.query<{ takes: string; capacity: number | null; busy: number }>(sql, values)
    return rows.map((row) => ({ ...row, takes: JSON.parse(row.takes) }))
  }

  /** Tells the others what this process takes. */
  async #publish(): Promise<void> {
    if (!this.#takesWork) return
    const taken = Object.entries(this.versions()).filter(([name]) => this.#takes(name))
    const sql = `UPDATE ${this.#workers} SET takes = $2 WHERE number = $1`
    await this.#database.change(sql, [this.#database.worker, JSON.stringify(Object.fromEntries(taken))])
  }

  async #wantUnlessTaken(runId: string): Promise<void> {
    if (!this.#executes || this.isUnderWay(runId)) return
    if ((await this.get(runId))?.status === 'running') this.#wanted.add(runId)
  }

  /** Also the parts of runs that are executed here, if nobody else is there to take them. */
  async #takeWanted(): Promise<void> {
    for (const run of this.#wanted) {
      if (!this.isUnderWay(run)) await this.takeUpTree(run)
      if (this.isUnderWay(run)) this.#wanted.delete(run)
    }
    if (this.#takesWork || this.executing().length === 0) return
    await this.takeUpAbandoned(async (rows) => {
      const own = rows.filter(({ apart, parent }) => apart && this.isUnderWay(parent!))
      const taken = await Promise.all(own.map(({ workflow: name, version }) => this.#isTakenElsewhere(name, version)))
      return own.filter((_, index) => !taken[index])
    })
  }

  async #isTakenElsewhere(name: string, version: number): Promise<boolean> {
    return (await this.#otherWorkers()).some(({ takes }) => takes[name] === version)
  }

  /** A signal that was sent while the run was on its way here was delivered to nobody. */
  protected override activated(runId: string): void {
    this.#lookForSignals([runId])
  }

  /** Looks for signals to these runs, or to all that are executed here. */
  #lookForSignals(runs?: string[]): void {
    if (!runs) this.#lookForAll = true
    for (const run of runs ?? []) this.#lookFor.add(run)
    this.#lookingForSignals ??= this.#deliverSignals().finally(() => {
      this.#lookingForSignals = null
    })
  }

  async #deliverSignals(): Promise<void> {
    while (this.#lookForAll || this.#lookFor.size > 0) {
      const runs = this.#lookForAll ? this.executing() : [...this.#lookFor]
      this.#lookForAll = false
      this.#lookFor.clear()
      if (runs.length === 0) continue
      try {
        const found = await readTask(this.#database, this.#journal.waitingSignals(runs))
        for (const { run, ...signal } of found) this.deliver(run, signal)
      } catch {
        // The connection was lost for long: nobody would tell us of these signals again.
        setTimeout(() => this.#lookForSignals(), lookAgainMs).unref()
      }
    }
  }
}

/** What counts against the capacity: all that is below it goes with it. */
const isUnit = ({ parent, apart }: RunRow) => parent === null || apart === true

function postgresBase(
  database: PostgresDatabase,
  store: PostgresStore,
  executes: boolean,
): JournalBase & { journal: PostgresJournal } {
  return {
    journal: new PostgresJournal(database, executes),
    read: (task) => readTask(database, task),
    write<Value>(work: (log: Log) => Task<Value>, committed?: (value: Value) => void, beside?: Beside): Promise<Value> {
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
        beside,
      )
    },
  }
}

/** Runs a task that only reads. */
function readTask<Value>(database: PostgresDatabase, task: Task<Value>): Promise<Value> {
  const reader = { query: (sql: string, values?: unknown[]) => database.query(sql, values) }
  return runInTransaction(task, reader as unknown as PostgresTransaction)
}
