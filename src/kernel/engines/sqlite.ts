/** Durable runs on the local database: in process, nothing to install, journal and log written together. */
import { randomUUID } from 'node:crypto'
import { type Clock, systemClock } from '../clock.ts'
import type { Database } from '../database.ts'
import {
  type Engine,
  RunFailed,
  type RunHandle,
  type RunStatus,
  type RunSummary,
  type StepRecord,
  type Workflow,
} from '../engine.ts'
import { ConveneError } from '../errors.ts'
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
import type { SqliteStore } from '../stores/sqlite.ts'
import { Journal, type RunRow, type SignalRow } from './journal.ts'
import { type RunMoment, type RunSurroundings, SqliteRun } from './sqlite-run.ts'

export interface SqliteEngineOptions {
  database: Database
  store: SqliteStore
  clock?: Clock
  redact?: <Value>(value: Value) => Value
  /** Called at each moment of each run, synchronously. */
  observe?: (moment: RunMoment) => void
}

interface EndWaiter {
  /** A parked run may go on later: a parent waits for that, a person is told at once. */
  parkedIsEnd: boolean
  resolve(value: unknown): void
  reject(error: unknown): void
}

export class SqliteEngine implements Engine {
  readonly #database: Database
  readonly #store: SqliteStore
  readonly #journal: Journal
  readonly #clock: Clock
  readonly #redact: <Value>(value: Value) => Value
  readonly #workflows = new Map<string, Workflow<never, unknown>>()
  readonly #active = new Map<string, SqliteRun>()
  readonly #waiters = new Map<string, EndWaiter[]>()
  readonly #surroundings: RunSurroundings
  #closed = false

  constructor(options: SqliteEngineOptions) {
    this.#database = options.database
    this.#store = options.store
    this.#clock = options.clock ?? systemClock
    this.#redact = options.redact ?? ((value) => value)
    this.#journal = new Journal(options.database)
    this.#surroundings = {
      clock: this.#clock,
      journal: this.#journal,
      redact: this.#redact,
      write: (work, events) => this.#write(work, events),
      startChild: (workflow, input, id, parent, record) => this.#start(workflow, input, id, parent.runId, record, true),
      handle: (id) => this.#handle(id, false),
      deliver: (runId, signal) => this.#active.get(runId)?.deliver(signal),
      park: (run, position, reason) => void this.#park(run.row, reason, position),
      fail: (run, error) => this.#letGo(run, error),
      observe: options.observe ?? (() => {}),
    }
  }

  register<Input, Output>(workflow: Workflow<Input, Output>): void {
    const known = this.#workflows.get(workflow.name)
    if (known && known !== (workflow as unknown)) throw new Error(`two workflows are called '${workflow.name}'`)
    this.#workflows.set(workflow.name, workflow as Workflow<never, unknown>)
  }

  async recover(): Promise<void> {
    for (const row of this.#journal.runsWithStatus('running')) if (!this.#active.has(row.id)) await this.#takeUp(row)
  }

  start<Input, Output>(
    workflow: Workflow<Input, Output>,
    input: Input,
    options: { id?: string } = {},
  ): Promise<RunHandle<Output>> {
    const id = options.id ?? randomUUID()
    return this.#start(workflow as Workflow<never, Output>, input, id, null, () => {}, false)
  }

  result<Output>(runId: string): Promise<Output> {
    return this.#end<Output>(runId, true)
  }

  async send(runId: string, topic: string, value?: unknown, options: { key?: string } = {}): Promise<void> {
    this.#row(runId)
    const text = value === undefined ? null : JSON.stringify(this.#redact(value))
    const number = await this.#write(() => this.#journal.insertSignal(runId, topic, text, options.key ?? null), [])
    if (number !== null) this.#active.get(runId)?.deliver({ number, topic, value: text })
  }

  async stop(runId: string): Promise<void> {
    const row = this.#row(runId)
    if (row.status === 'needs-attention') return this.cancel(runId)
    if (row.status !== 'running') return
    const key = { run: runId, step: 'stop', n: 0 }
    const signal: SignalRow = { number: 0, topic: '$stop', value: null }
    const number = await this.#write(
      () => this.#journal.insertSignal(runId, signal.topic, null, `stop:${runId}`),
      [{ ...runStopRequested.create({ stream: runStream(runId), run: runId }, {}), key }],
    )
    if (number !== null) this.#active.get(runId)?.deliver({ ...signal, number })
    for (const child of this.#journal.unfinishedChildren(runId)) await this.stop(child)
  }

  async cancel(runId: string): Promise<void> {
    const row = this.#row(runId)
    this.#active.get(runId)?.cancel()
    this.#active.delete(runId)
    await this.#finish(row, 'cancelled', { reason: 'cancelled' })
    for (const child of this.#journal.unfinishedChildren(runId)) await this.cancel(child)
  }

  async resume(runId: string): Promise<RunSummary> {
    const row = this.#row(runId)
    if (row.status === 'needs-attention') {
      const version = this.#workflows.get(row.workflow)?.version ?? row.version
      await this.#write(() => {
        this.#journal.setStatus(row.number, 'running', this.#clock.now())
        this.#journal.setVersion(row.number, version)
      }, [])
      await this.#takeUp(this.#row(runId))
    }
    return (await this.get(runId))!
  }

  async fork(runId: string, options: { fromStep?: number; id?: string } = {}): Promise<RunHandle<unknown>> {
    const row = this.#row(runId)
    const workflow = this.#workflows.get(row.workflow)
    if (!workflow) throw unknownWorkflow(row)
    const recorded = this.#journal.steps(row.number)
    const last = recorded.length === 0 ? 0 : recorded[recorded.length - 1]!.position + 1
    const fromStep = options.fromStep ?? row.parked_at ?? last
    if (!Number.isInteger(fromStep) || fromStep < 0 || fromStep > last) {
      throw new ConveneError(
        'invalid_input',
        `run ${runId} has ${last} steps; it cannot be forked from step ${fromStep}`,
        { path: 'from', expected: `0 to ${last}` },
      )
    }
    const id = options.id ?? randomUUID()
    const created = this.#clock.now()
    const copy = { id, workflow: row.workflow, version: workflow.version, input: row.input, parent: null, created }
    const forked = await this.#write(() => {
      const inserted = this.#journal.insertRun(copy)
      if (inserted) this.#journal.copySteps(row.number, inserted.number, fromStep)
      return inserted
    }, [
      {
        ...runForked.create({ stream: runStream(id), run: id }, { from: runId, fromStep }),
        key: { run: id, step: 'fork', n: 0 },
      },
    ])
    if (forked) this.#activate(forked, workflow, true)
    return this.#handle(id, true)
  }

  async get(runId: string): Promise<RunSummary | null> {
    return this.#journal.summaries({ id: runId })[0] ?? null
  }

  async list(query: { status?: RunStatus; workflow?: string; limit?: number } = {}): Promise<RunSummary[]> {
    return this.#journal.summaries(query)
  }

  async steps(runId: string): Promise<StepRecord[]> {
    return this.#journal
      .steps(this.#row(runId).number)
      .map((step) => ({ ...step, value: step.value === null ? undefined : JSON.parse(step.value) }))
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const run of this.#active.values()) run.release()
    this.#active.clear()
    const closing = new ConveneError('closed', 'Convene is shutting down; the run goes on at the next start', {
      status: 503,
    })
    for (const waiters of this.#waiters.values()) for (const waiter of waiters) waiter.reject(closing)
    this.#waiters.clear()
  }

  #write<Value>(work: () => Value, events: NewEvent[]): Promise<Value> {
    if (events.length === 0) return this.#database.transact(work)
    let written: StoredEvent[] = []
    return this.#database.transact(
      () => {
        written = []
        const value = work()
        this.#store.insert(events, written)
        return value
      },
      () => this.#store.publish(written),
    )
  }

  async #start<Output>(
    workflow: Workflow<never, Output>,
    input: unknown,
    id: string,
    parent: string | null,
    record: () => void,
    inRun: boolean,
  ): Promise<RunHandle<Output>> {
    if (this.#closed) throw new ConveneError('closed', 'Convene is shutting down', { status: 503 })
    if (!this.#workflows.has(workflow.name)) this.register(workflow)
    const { name, version } = workflow
    const created = this.#clock.now()
    const text = input === undefined ? null : JSON.stringify(this.#redact(input))
    const started = runStarted.create(
      { stream: runStream(id), run: id },
      { workflow: name, version, ...(parent === null ? {} : { parent }) },
    )
    const row = await this.#write(() => {
      const inserted = this.#journal.insertRun({ id, workflow: name, version, input: text, parent, created })
      record()
      return inserted
    }, [{ ...started, key: { run: id, step: 'start', n: 0 } }])
    if (row) this.#activate(row, workflow as Workflow<never, unknown>, false)
    return this.#handle<Output>(id, !inRun)
  }

  async #takeUp(row: RunRow): Promise<void> {
    const workflow = this.#workflows.get(row.workflow)
    if (!workflow) return this.#park(row, unknownWorkflow(row).message)
    if (workflow.version !== row.version) {
      return this.#park(
        row,
        `it was started with version ${row.version} of '${row.workflow}'; this is version ${workflow.version}`,
      )
    }
    const run = this.#activate(row, workflow, true)
    await this.#write(() => {}, [
      runRecovered.create({ stream: runStream(row.id), run: row.id }, { steps: run.stepsRecovered }),
    ])
  }

  #activate(row: RunRow, workflow: Workflow<never, unknown>, recovered: boolean): SqliteRun {
    const steps = recovered ? this.#journal.steps(row.number) : []
    const run = new SqliteRun(row, this.#surroundings, steps, this.#journal.waitingSignals(row.id), recovered)
    this.#active.set(row.id, run)
    const input = row.input === null ? undefined : JSON.parse(row.input)
    Promise.resolve()
      .then(() => workflow.run(run, input as never))
      .then(
        (output) => this.#ended(run, { status: 'done', output }),
        (error) => this.#ended(run, { status: 'failed', error }),
      )
      .catch((error) => this.#letGo(run, error))
    return run
  }

  async #ended(
    run: SqliteRun,
    how: { status: 'done'; output: unknown } | { status: 'failed'; error: unknown },
  ): Promise<void> {
    if (!run.active) return
    const leftover = run.leftover()
    if (leftover) {
      return this.#park(
        run.row,
        `the code ended after ${run.stepsTaken} steps, but step ${leftover.position} ('${leftover.name}') is recorded`,
        run.stepsTaken,
      )
    }
    if (how.status === 'done') {
      const output = how.output === undefined ? null : JSON.stringify(this.#redact(how.output))
      await this.#finish(run.row, 'done', { output }, () => run.active)
    } else {
      const error = this.#redact(describe(how.error))
      await this.#finish(run.row, 'failed', error, () => run.active)
    }
    run.release()
    this.#active.delete(run.runId)
  }

  async #finish(
    row: RunRow,
    status: RunStatus,
    fields: { output?: string | null; reason?: string; code?: string },
    stillWanted = () => true,
  ): Promise<void> {
    const data = { status, ...(fields.reason === undefined ? {} : { reason: fields.reason }) }
    const event = {
      ...runFinished.create({ stream: runStream(row.id), run: row.id }, data),
      key: { run: row.id, step: 'finish', n: 0 },
    }
    let written: StoredEvent[] = []
    const changed = await this.#database.transact(
      () => {
        written = []
        if (!stillWanted() || !this.#journal.setStatus(row.number, status, this.#clock.now(), fields)) return false
        this.#store.insert([event], written)
        return true
      },
      () => this.#store.publish(written),
    )
    if (changed) this.#tellWaiters(row.id)
  }

  async #park(row: RunRow, reason: string, position?: number): Promise<void> {
    this.#active.get(row.id)?.release()
    this.#active.delete(row.id)
    await this.#write(
      () => this.#journal.setStatus(row.number, 'needs-attention', this.#clock.now(), { reason, parkedAt: position }),
      [runParked.create({ stream: runStream(row.id), run: row.id }, { reason })],
    )
    this.#tellWaiters(row.id)
  }

  /** Nothing more can be recorded for this run now; the journal has it as it was, and a later process takes it up. */
  #letGo(run: SqliteRun, error: unknown): void {
    run.release()
    this.#active.delete(run.runId)
    for (const waiter of this.#waiters.get(run.runId) ?? []) waiter.reject(error)
    this.#waiters.delete(run.runId)
  }

  #handle<Output>(id: string, parkedIsEnd: boolean): RunHandle<Output> {
    return { id, result: () => this.#end<Output>(id, parkedIsEnd) }
  }

  #end<Output>(runId: string, parkedIsEnd: boolean): Promise<Output> {
    return new Promise<Output>((resolve, reject) => {
      const waiter: EndWaiter = { parkedIsEnd, resolve: resolve as (value: unknown) => void, reject }
      const waiters = this.#waiters.get(runId)
      if (waiters) waiters.push(waiter)
      else this.#waiters.set(runId, [waiter])
      this.#tellWaiters(runId)
    })
  }

  #tellWaiters(runId: string): void {
    const waiters = this.#waiters.get(runId)
    if (!waiters) return
    const row = this.#journal.run(runId)
    if (row?.status === 'running') return
    const staying = row?.status === 'needs-attention' ? waiters.filter((waiter) => !waiter.parkedIsEnd) : []
    if (staying.length > 0) this.#waiters.set(runId, staying)
    else this.#waiters.delete(runId)
    for (const waiter of waiters) {
      if (staying.includes(waiter)) continue
      if (!row) waiter.reject(unknownRun(runId))
      else if (row.status === 'done') waiter.resolve(row.output === null ? undefined : JSON.parse(row.output))
      else waiter.reject(new RunFailed(runId, row.status, row.reason ?? row.status, row.code ?? undefined))
    }
  }

  #row(runId: string): RunRow {
    const row = this.#journal.run(runId)
    if (!row) throw unknownRun(runId)
    return row
  }
}

function describe(error: unknown): { reason: string; code?: string } {
  if (!(error instanceof Error)) return { reason: String(error) }
  const code = (error as { code?: unknown }).code
  return { reason: error.message, ...(typeof code === 'string' ? { code } : {}) }
}

function unknownRun(runId: string): ConveneError {
  return new ConveneError('unknown_run', `there is no run '${runId}'. 'convene runs' lists them.`, { status: 404 })
}

function unknownWorkflow(row: RunRow): ConveneError {
  return new ConveneError('unknown_workflow', `this version of Convene has no workflow '${row.workflow}'`, {
    status: 409,
  })
}
