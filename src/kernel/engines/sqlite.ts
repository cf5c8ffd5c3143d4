/** The engine on the local SQLite database; journal and log share its transactions. */
import { type Clock, systemClock } from '../clock.ts'
import type { Engine, RunHandle, RunQuery, RunSummary, StepRecord, Workflow } from '../engine.ts'
import type { ConveneError } from '../errors.ts'
import type { NewEvent, StoredEvent } from '../events.ts'
import {
  runFinished,
  runForked,
  runParked,
  runRecovered,
  runStarted,
  runStopRequested,
  runStream,
} from '../run-events.ts'
import type { Database } from '../stores/database.ts'
import { isDatabaseFailure } from '../stores/database-errors.ts'
import type { SqliteStore } from '../stores/sqlite.ts'
import { timeOrderedId } from '../time-ordered-id.ts'
import { type Ending, Journal, type RunRow } from './journal.ts'
import { decode, encode, type Redact } from './outcome.ts'
import { failedEnding, forkPoint, isRunning, isUnfinished, misfitOf } from './run-checks.ts'
import { RunEndings } from './run-endings.ts'
import { reservedTopic, shuttingDown, takenId, unknownRun, unknownWorkflow } from './run-errors.ts'
import { type ChildStart, type RunDeps, type RunMoment, SqliteRun } from './sqlite-run.ts'
import { stopTopic } from './waits.ts'

export interface SqliteEngineOptions {
  database: Database
  store: SqliteStore
  clock?: Clock
  redact?: Redact
  /** Called synchronously at each point of each run. */
  observe?: (moment: RunMoment) => void
}

const parkAgainMs = 2000

type Log = (events: NewEvent[]) => void

export class SqliteEngine implements Engine {
  readonly #database: Database
  readonly #store: SqliteStore
  readonly #journal: Journal
  readonly #clock: Clock
  readonly #redact: Redact
  readonly #workflows = new Map<string, Workflow<never, unknown>>()
  readonly #active = new Map<string, SqliteRun>()
  readonly #takingUp = new Map<string, Promise<void>>()
  readonly #endings: RunEndings
  readonly #deps: RunDeps
  #closed = false

  constructor(options: SqliteEngineOptions) {
    this.#database = options.database
    this.#store = options.store
    this.#clock = options.clock ?? systemClock
    this.#redact = options.redact ?? ((value) => value)
    this.#journal = new Journal(options.database)
    this.#endings = new RunEndings(
      (id) => this.#journal.run(id),
      (id) => this.#active.has(id),
      (run, error) => this.#letGo(run, error),
    )
    this.#deps = {
      clock: this.#clock,
      journal: this.#journal,
      redact: this.#redact,
      write: (work, committed) => this.#write(work, committed),
      startChild: (workflow, input, child) => this.#start(workflow, input, child),
      handle: (id, parent) => this.#handle(id, parent),
      deliver: (runId, signal) => this.#active.get(runId)?.deliver(signal),
      park: (run, position, reason) => {
        this.#park(run.row, reason, position).catch((error) => this.#letGo(run, error))
      },
      letGo: (run, error) => this.#letGo(run, error),
      observe: options.observe ?? (() => {}),
    }
  }

  register<Input, Output>(workflow: Workflow<Input, Output>): void {
    const known = this.#workflows.get(workflow.name)
    if (known && known !== (workflow as unknown)) throw new Error(`two workflows are named '${workflow.name}'`)
    this.#workflows.set(workflow.name, workflow as Workflow<never, unknown>)
  }

  async recover(): Promise<void> {
    this.#refuseIfClosed()
    await this.#takeUpAll(this.#journal.runsWithStatus('running'))
  }

  async start<Input, Output>(
    workflow: Workflow<Input, Output>,
    input: Input,
    options: { id?: string; events?: NewEvent[] } = {},
  ): Promise<RunHandle<Output>> {
    const { id = timeOrderedId(), events = [] } = options
    const handle = await this.#start(workflow as Workflow<never, Output>, input, { id, events })
    // An earlier process may have left it unfinished: without this the caller would wait forever.
    if (!this.#active.has(id) && isRunning(this.#row(id)))
      await this.#takeUpAll(this.#journal.unfinishedTree(id).filter(isRunning))
    return handle
  }

  result<Output>(runId: string): Promise<Output> {
    return this.#endings.wait<Output>(runId)
  }

  async send(runId: string, givenTopic: string, value?: unknown, options: { key?: string } = {}): Promise<void> {
    this.#row(runId)
    const topic = givenTopic.toWellFormed()
    if (topic === stopTopic) throw reservedTopic(topic)
    const text = encode(value, this.#redact, `the signal '${topic}'`)
    const key = options.key === undefined ? null : `sent:${options.key}`
    await this.#write(
      () => this.#journal.insertSignal(runId, topic, text, key),
      (number) => {
        if (number !== null) this.#active.get(runId)?.deliver({ number, topic, value: text })
      },
    )
  }

  async stop(runId: string): Promise<void> {
    this.#row(runId)
    await this.#write(
      (log) => {
        if (!isUnfinished(this.#row(runId))) return []
        return this.#journal.unfinishedTree(runId).filter((row) => this.#stopOne(row, log))
      },
      (rows) => {
        for (const row of rows) {
          // A parked run cannot handle a stop, so it ends here.
          if (row.status === 'needs-attention') this.#endings.settle(row.id)
          else this.#active.get(row.id)?.deliver({ number: 0, topic: stopTopic, value: null })
        }
      },
    )
  }

  async pause(runId: string, reason: string, code?: string): Promise<void> {
    this.#row(runId)
    const rows = this.#journal.unfinishedTree(runId).filter(isRunning)
    // Release all before recording any: a parent must not see a child's end that is not one.
    for (const row of rows) this.#active.get(row.id)?.release()
    await Promise.all(rows.map((row) => this.#park(row, reason, undefined, code)))
  }

  isAtRest(runId: string): boolean {
    return this.#journal.unfinishedTree(runId).every(({ id }) => this.#active.get(id)?.isAtRest ?? true)
  }

  underWay(): string[] {
    return [...this.#active.values()].filter((run) => run.parent === undefined).map((run) => run.runId)
  }

  isUnderWay(runId: string): boolean {
    return this.#active.has(runId) || this.#takingUp.has(runId)
  }

  releasedBy(runId: string): unknown {
    return this.#active.has(runId) ? undefined : this.#endings.strandedBy(runId)
  }

  async cancel(runId: string): Promise<void> {
    this.#row(runId)
    // Synchronously, so that nothing still being written reaches the journal.
    for (const row of this.#journal.unfinishedTree(runId)) this.#cancelHere(row.id)
    await this.#write(
      (log) => {
        const ending: Ending = { status: 'cancelled', reason: 'cancelled' }
        return this.#journal.unfinishedTree(runId).filter((row) => this.#finish(row, ending, log))
      },
      (rows) => {
        for (const row of rows) {
          this.#cancelHere(row.id)
          this.#endings.settle(row.id)
        }
      },
    )
  }

  async resume(runId: string): Promise<RunSummary> {
    this.#refuseIfClosed()
    if (isUnfinished(this.#row(runId))) await this.#takeUpAll(this.#journal.unfinishedTree(runId))
    return (await this.get(runId))!
  }

  async fork(runId: string, options: { fromStep?: number; id?: string } = {}): Promise<RunHandle<unknown>> {
    this.#refuseIfClosed()
    const row = this.#row(runId)
    const workflow = this.#workflows.get(row.workflow)
    if (!workflow) throw unknownWorkflow(row)
    const fromStep = forkPoint(row, this.#journal.steps(row.number), options.fromStep)
    const id = options.id ?? timeOrderedId()
    const { version } = workflow
    const created = this.#clock.now()
    await this.#write(
      (log) => {
        const copy = { id, workflow: row.workflow, version, input: row.input, parent: null, created }
        const inserted = this.#journal.insertRun({ ...copy, forked_from: runId, forked_at: fromStep })
        if (!inserted) {
          if (this.#row(id).forked_from !== runId) throw takenId(id)
          return null
        }
        this.#journal.copySteps(row.number, inserted.number, fromStep)
        log([runForked.create({ stream: runStream(id), run: id }, { from: runId, fromStep })])
        return inserted
      },
      (forked) => {
        if (forked) this.#activate(forked, workflow, true)
      },
    )
    return this.#handle(id)
  }

  async get(runId: string): Promise<RunSummary | null> {
    return this.#journal.summaries({ id: runId })[0] ?? null
  }

  async list(query: RunQuery = {}): Promise<RunSummary[]> {
    return this.#journal.summaries(query)
  }

  async steps(runId: string): Promise<StepRecord[]> {
    return this.#journal.steps(this.#row(runId).number).map((step) => ({ ...step, value: decode(step.value) }))
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const run of this.#active.values()) run.release()
    this.#active.clear()
    this.#endings.close(shuttingDown('the run goes on at the next start'))
  }

  /** What `work` logs is in the same transaction; listeners are notified before `committed` is called. */
  #write<Value>(work: (log: Log) => Value, committed?: (value: Value) => void): Promise<Value> {
    let written: StoredEvent[] = []
    const log: Log = (events) => {
      this.#store.insert(events, written)
    }
    return this.#database.transact(
      () => {
        written = []
        return work(log)
      },
      (value) => {
        this.#store.publish(written)
        committed?.(value)
      },
    )
  }

  async #start<Output>(
    workflow: Workflow<never, Output>,
    input: unknown,
    { id, events = [], parent, record }: { id: string; events?: NewEvent[] } & Partial<ChildStart>,
  ): Promise<RunHandle<Output>> {
    this.#refuseIfClosed()
    if (!this.#workflows.has(workflow.name)) this.register(workflow)
    const { name, version } = workflow
    const text = encode(input, this.#redact, `the input of '${name}'`)
    const data = { workflow: name, version, ...(parent ? { parent: parent.runId } : {}) }
    const row = { id, workflow: name, version, input: text, parent: parent?.runId ?? null, created: this.#clock.now() }
    await this.#write(
      (log) => {
        if (record && !record()) return null
        const inserted = this.#journal.insertRun(row)
        if (inserted) log([...events, runStarted.create({ stream: runStream(id), run: id }, data)])
        else if (this.#row(id).workflow !== name) throw takenId(id)
        return inserted
      },
      (started) => {
        if (started) this.#activate(started, workflow as Workflow<never, unknown>, false)
      },
    )
    return this.#handle<Output>(id, parent)
  }

  async #takeUpAll(rows: RunRow[]): Promise<void> {
    await Promise.all(rows.filter((row) => !this.#active.has(row.id)).map((row) => this.#takeUpOnce(row)))
  }

  #takeUpOnce(row: RunRow): Promise<void> {
    const under = this.#takingUp.get(row.id)
    if (under) return under
    const parked = !isRunning(row)
    const version = parked ? (this.#workflows.get(row.workflow)?.version ?? row.version) : row.version
    const claim = () =>
      parked ? this.#journal.unpark(row.number, version, this.#clock.now()) : isRunning(this.#row(row.id))
    const taking = this.#takeUp({ ...row, version }, claim).finally(() => this.#takingUp.delete(row.id))
    this.#takingUp.set(row.id, taking)
    return taking
  }

  /** `claim` checks, inside the transaction, whether the run can still be continued. */
  async #takeUp(row: RunRow, claim: () => boolean): Promise<void> {
    const workflow = this.#workflows.get(row.workflow)
    const misfit = misfitOf(row, workflow)
    const claimed = await this.#write(
      (log) => {
        if (!claim()) return false
        if (misfit === null) {
          const steps = this.#journal.steps(row.number).length
          log([runRecovered.create({ stream: runStream(row.id), run: row.id }, { steps })])
        }
        return true
      },
      (isOurs) => {
        if (isOurs && workflow && misfit === null) this.#activate(row, workflow, true)
      },
    )
    if (claimed && misfit !== null) await this.#park(row, misfit)
  }

  #activate(row: RunRow, workflow: Workflow<never, unknown>, hasPast: boolean): void {
    if (this.#closed) return
    const past = hasPast ? { steps: this.#journal.steps(row.number), lineage: this.#journal.lineage(row) } : null
    const run = new SqliteRun(row, this.#deps, past)
    // A new run cannot have received signals.
    if (hasPast) for (const signal of this.#journal.waitingSignals(row.id)) run.deliver(signal)
    this.#active.set(row.id, run)
    this.#endings.unstrand(row.id)
    Promise.resolve()
      .then(() => workflow.run(run, decode<never>(row.input)))
      .then(
        (output) => this.#ended(run, () => this.#done(run, output)),
        (error) => this.#ended(run, () => failedEnding(error, this.#redact)),
      )
      .catch((error) => this.#letGo(run, error))
  }

  async #ended(run: SqliteRun, ending: () => Ending): Promise<void> {
    if (!run.active) return
    const leftover = run.leftover()
    if (leftover) {
      const reason = `the code ended after ${run.stepsTaken} steps, but step ${leftover.position} ('${leftover.name}') is recorded`
      return this.#park(run.row, reason, run.stepsTaken)
    }
    const { row } = run
    const how = ending()
    await this.#write(
      // A step recorded ahead could not be written: the run has not ended, and is about to be released.
      (log) => run.active && run.isRecorded && this.#finish(row, how, log),
      (isOver) => {
        if (run.active && !run.isRecorded) return
        run.release()
        this.#forget(run)
        const { status, output = null, reason = null, code = null } = how
        this.#endings.settle(row.id, isOver ? { status, output, reason, code } : undefined)
      },
    )
  }

  #done(run: SqliteRun, output: unknown): Ending {
    try {
      return { status: 'done', output: encode(output, this.#redact, `the result of run ${run.runId}`) }
    } catch (error) {
      return failedEnding(error, this.#redact)
    }
  }

  /** Call it inside a transaction. False if the run had already ended. */
  #finish(row: RunRow, ending: Ending, log: Log): boolean {
    if (!this.#journal.finish(row.number, ending, this.#clock.now())) return false
    const { status, reason } = ending
    const data = { status, ...(reason === undefined ? {} : { reason }) }
    log([runFinished.create({ stream: runStream(row.id), run: row.id }, data)])
    return true
  }

  /** Call it inside a transaction. False if a stop was requested before. */
  #stopOne(row: RunRow, log: Log): boolean {
    if (row.status === 'needs-attention')
      return this.#finish(row, { status: 'cancelled', reason: 'stopped while it needed attention' }, log)
    if (this.#journal.insertSignal(row.id, stopTopic, null, 'stop') === null) return false
    log([runStopRequested.create({ stream: runStream(row.id), run: row.id }, {})])
    return true
  }

  async #park(row: RunRow, reason: string, position?: number, code?: string): Promise<void> {
    const run = this.#active.get(row.id)
    run?.release()
    this.#active.delete(row.id)
    await this.#write(
      (log) => {
        if (!this.#journal.park(row.number, { reason, position, code }, this.#clock.now())) return
        const data = { reason, ...(code === undefined ? {} : { code }) }
        log([runParked.create({ stream: runStream(row.id), run: row.id }, data)])
      },
      () => this.#endings.settle(row.id),
    )
  }

  #cancelHere(runId: string): void {
    this.#active.get(runId)?.cancel()
    this.#active.delete(runId)
  }

  /** Releases a run for which nothing can be recorded now; a later process continues it from the journal. */
  #letGo(run: SqliteRun, error: unknown): void {
    run.release()
    this.#forget(run)
    this.#endings.strand(run.runId, error)
    if (isDatabaseFailure(error)) this.#parkWhenPossible(run.row, error as ConveneError)
  }

  /** TR10: parks a released run as soon as something can be written again, unless it was resumed or this process ends. */
  #parkWhenPossible(row: RunRow, error: ConveneError): void {
    this.#clock.after(parkAgainMs, () => {
      if (this.#closed || this.#active.has(row.id) || this.#takingUp.has(row.id)) return
      this.#park(row, error.message, undefined, error.code).then(
        () => this.#endings.unstrand(row.id),
        () => this.#parkWhenPossible(row, error),
      )
    })
  }

  #forget(run: SqliteRun): void {
    if (this.#active.get(run.runId) === run) this.#active.delete(run.runId)
  }

  #handle<Output>(id: string, inRun?: SqliteRun): RunHandle<Output> {
    return {
      id,
      result: () => {
        const end = this.#endings.wait<Output>(id, inRun)
        // A run may start waiting for a child long before it awaits the result.
        if (inRun) end.catch(() => {})
        return end
      },
    }
  }

  #row(runId: string): RunRow {
    const row = this.#journal.run(runId)
    if (!row) throw unknownRun(runId)
    return row
  }

  #refuseIfClosed(): void {
    if (this.#closed) throw shuttingDown('nothing new is started')
  }
}
