/** The engine on any journal; journal and log share its transactions. */
import { type Clock, systemClock } from '../clock.ts'
import type { Engine, RunHandle, RunQuery, RunSummary, StepRecord, Workflow } from '../engine.ts'
import type { ConveneError } from '../errors.ts'
import type { NewEvent } from '../events.ts'
import { runStarted, runStream } from '../run-events.ts'
import { isDatabaseFailure, isFenced } from '../stores/database-errors.ts'
import type { Task } from '../stores/task.ts'
import { timeOrderedId } from '../time-ordered-id.ts'
import { ActiveRuns } from './active-runs.ts'
import { DurableRun } from './durable-run.ts'
import type { Ending, Journal, JournalBase, Past, RunRow, SignalRow } from './journal.ts'
import { decode, encode, type Redact } from './outcome.ts'
import { failedEnding, forkPoint, isRunning, isUnfinished, misfitOf } from './run-checks.ts'
import type { ChildStart, RunDeps, RunMoment } from './run-deps.ts'
import { RunEndings } from './run-endings.ts'
import { reservedTopic, shuttingDown, unknownWorkflow } from './run-errors.ts'
import { RunTasks } from './run-tasks.ts'
import { stopTopic } from './waits.ts'

export interface DurableEngineOptions {
  /** Undefined if a step may begin; else a step waits for it. For engines whose runs others can take over. */
  permission?: () => Promise<void> | undefined
  /** False: runs that are started or resumed here are left to other processes. */
  executes?: boolean
  clock?: Clock
  redact?: Redact
  /** Called synchronously at each point of each run. */
  observe?: (moment: RunMoment) => void
}

const parkAgainMs = 2000

interface Parked {
  reason: string
  position?: number
  code?: string
  anywhere?: boolean
}

export class DurableEngine implements Engine {
  readonly #base: JournalBase
  readonly #journal: Journal
  readonly #tasks: RunTasks
  readonly #clock: Clock
  readonly #redact: Redact
  readonly #workflows = new Map<string, Workflow<never, unknown>>()
  readonly #active = new ActiveRuns()
  readonly #takingUp = new Map<string, Promise<void>>()
  /** Runs that were asked to continue and whose rows are being read. */
  readonly #resuming = new Set<string>()
  /** Released runs that are parked once something can be written again. */
  readonly #toPark = new Set<string>()
  readonly #endings: RunEndings
  readonly #deps: RunDeps
  readonly #executes: boolean
  #closed = false
  #draining = false

  constructor(base: JournalBase, options: DurableEngineOptions) {
    this.#base = base
    this.#executes = options.executes ?? true
    this.#clock = options.clock ?? systemClock
    this.#redact = options.redact ?? ((value) => value)
    this.#journal = base.journal
    this.#tasks = new RunTasks(base.journal, this.#clock)
    this.#endings = new RunEndings(
      (id) => base.read(this.#journal.run(id)),
      (id) => this.#active.has(id),
      (run, error) => this.#letGo(run, error),
    )
    this.#deps = {
      clock: this.#clock,
      journal: this.#journal,
      redact: this.#redact,
      write: (work, committed, beside) => base.write(work, committed, beside),
      startChild: (workflow, input, child) => this.#start(workflow, input, child),
      handle: (id, parent) => this.#handle(id, parent),
      deliver: (runId, signal) => this.#active.get(runId)?.deliver(signal),
      park: (run, position, reason) => {
        this.#park(run.row, { reason, position }).catch(() => {})
      },
      letGo: (run, error) => this.#letGo(run, error),
      observe: options.observe ?? (() => {}),
      draining: () => this.#draining,
      permission: options.permission ?? (() => undefined),
    }
  }

  register<Input, Output>(workflow: Workflow<Input, Output>): void {
    const known = this.#workflows.get(workflow.name)
    if (known && known !== (workflow as unknown)) throw new Error(`two workflows are named '${workflow.name}'`)
    this.#workflows.set(workflow.name, workflow as Workflow<never, unknown>)
  }

  async recover(): Promise<void> {
    this.refuseIfClosed()
    await this.#takeUpAll(await this.#base.read(this.#journal.abandoned()))
  }

  async start<Input, Output>(
    workflow: Workflow<Input, Output>,
    input: Input,
    options: { id?: string; events?: NewEvent[] } = {},
  ): Promise<RunHandle<Output>> {
    const { id = timeOrderedId(), events = [] } = options
    const handle = await this.#start(workflow as Workflow<never, Output>, input, { id, events })
    // An earlier process may have left it unfinished: without this the caller would wait forever.
    if (this.#executes && !this.#active.has(id) && isRunning(await this.#base.read(this.#tasks.row(id))))
      await this.takeUpTree(id)
    return handle
  }

  result<Output>(runId: string): Promise<Output> {
    return this.#endings.wait<Output>(runId)
  }

  async send(runId: string, givenTopic: string, value?: unknown, options: { key?: string } = {}): Promise<void> {
    const topic = givenTopic.toWellFormed()
    if (topic === stopTopic) throw reservedTopic(topic)
    const text = encode(value, this.#redact, `the signal '${topic}'`)
    const key = options.key === undefined ? null : `sent:${options.key}`
    await this.#base.write(
      () => this.#tasks.putSignal(runId, topic, text, key),
      (number) => {
        if (number !== null) this.#active.get(runId)?.deliver({ number, topic, value: text })
      },
    )
  }

  async stop(runId: string): Promise<void> {
    await this.#base.write(
      (log) => this.#tasks.stopTree(runId, log),
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
    // Release all before recording any: a parent must not see a child's end that is not one.
    for (const run of this.#active.tree(runId)) run.release()
    await this.#base.read(this.#tasks.row(runId))
    const rows = (await this.#base.read(this.#journal.unfinishedTree(runId))).filter(isRunning)
    for (const row of rows) this.#active.get(row.id)?.release()
    await Promise.all(rows.map((row) => this.#park(row, { reason, code, anywhere: true })))
  }

  isAtRest(runId: string): boolean {
    return this.#active.isAtRest(runId)
  }

  underWay(): string[] {
    return this.#active.tops()
  }

  isUnderWay(runId: string): boolean {
    return this.#active.has(runId) || this.#takingUp.has(runId) || this.#resuming.has(runId)
  }

  async executed(): Promise<(runId: string) => boolean> {
    return (runId) => this.isUnderWay(runId)
  }

  releasedBy(runId: string): unknown {
    return this.#active.has(runId) ? undefined : this.#endings.strandedBy(runId)
  }

  async cancel(runId: string): Promise<void> {
    // Synchronously, so that nothing still being written reaches the journal.
    for (const run of this.#active.tree(runId)) this.#active.cancel(run.runId)
    await this.#base.write(
      (log) => this.#tasks.cancelTree(runId, log),
      (rows) => {
        for (const row of rows) {
          this.#active.cancel(row.id)
          this.#endings.settle(row.id)
        }
      },
    )
  }

  async resume(runId: string): Promise<RunSummary> {
    this.refuseIfClosed()
    this.#resuming.add(runId)
    try {
      if (isUnfinished(await this.#base.read(this.#tasks.row(runId))))
        await this.#takeUpAll(await this.#base.read(this.#journal.unfinishedTree(runId)))
    } finally {
      this.#resuming.delete(runId)
    }
    return (await this.get(runId))!
  }

  async fork(runId: string, options: { fromStep?: number; id?: string } = {}): Promise<RunHandle<unknown>> {
    this.refuseIfClosed()
    const row = await this.#base.read(this.#tasks.row(runId))
    const workflow = this.#workflows.get(row.workflow)
    if (!workflow) throw unknownWorkflow(row)
    const fromStep = forkPoint(row, await this.#base.read(this.#journal.steps(row.number)), options.fromStep)
    const id = options.id ?? timeOrderedId()
    await this.#base.write(
      (log) => this.#tasks.putFork(row, { id, version: workflow.version, fromStep }, log),
      (forked) => {
        if (forked && this.#executes) this.#activate(forked.row, workflow, forked.past)
      },
    )
    return this.#handle(id)
  }

  async get(runId: string): Promise<RunSummary | null> {
    return (await this.#base.read(this.#journal.summaries({ id: runId })))[0] ?? null
  }

  async list(query: RunQuery = {}): Promise<RunSummary[]> {
    return this.#base.read(this.#journal.summaries(query))
  }

  async steps(runId: string): Promise<StepRecord[]> {
    const { number } = await this.#base.read(this.#tasks.row(runId))
    const steps = await this.#base.read(this.#journal.steps(number))
    return steps.map((step) => ({ ...step, value: decode(step.value) }))
  }

  drain(): void {
    this.#draining = true
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const run of this.#active.values()) run.release()
    this.#active.clear()
    this.#endings.close(shuttingDown('the run continues at the next start'))
  }

  // For engines whose runs other processes execute too.

  /** Whether another process has room for a run of this workflow. */
  protected async othersTake(_workflow: Pick<Workflow<never, unknown>, 'name' | 'version'>): Promise<boolean> {
    return false
  }

  /** Called when a run begins to execute here. */
  protected activated(_runId: string): void {}

  /** Why the code of this process cannot continue the run, or null. */
  protected misfit(row: RunRow): string | null {
    return misfitOf(row, this.#workflows.get(row.workflow))
  }

  /** The versions of all registered workflows, by name. */
  protected versions(): Record<string, number> {
    return Object.fromEntries([...this.#workflows.values()].map(({ name, version }) => [name, version]))
  }

  /** Continues what nobody executes of a run and of those below it. */
  protected async takeUpTree(runId: string): Promise<void> {
    await this.#takeUpAll((await this.#base.read(this.#journal.unfinishedTree(runId))).filter(isRunning))
  }

  /** The runs that this process executes. */
  protected executing(): string[] {
    return [...this.#active.keys()]
  }

  protected unitsAtWork(): number {
    return this.#active.unitsAtWork()
  }

  protected deliver(runId: string, signal: SignalRow): void {
    this.#active.get(runId)?.deliver(signal)
  }

  /** Another process ended or parked the run, or this one did and hears of it. */
  protected endedElsewhere(runId: string): void {
    const run = this.#active.get(runId)
    if (run) {
      run.release()
      this.#active.forget(run)
    }
    this.#endings.settle(runId)
  }

  /** Continues runs that no living process executes, of those that `wanted` accepts. */
  protected async takeUpAbandoned(wanted: (rows: RunRow[]) => Promise<RunRow[]>): Promise<void> {
    if (this.#closed) return
    await this.#takeUpAll(await wanted(await this.#base.read(this.#journal.abandoned())))
  }

  /** Continues a run that this process has claimed. */
  protected adopt(row: RunRow, past: Past): void {
    this.#activate(row, this.#workflows.get(row.workflow)!, past)
  }

  /** Releases everything: this process may record nothing more. */
  protected releaseAll(error: unknown): void {
    for (const run of [...this.#active.values()]) this.#letGo(run, error)
  }

  async #start<Output>(
    workflow: Workflow<never, Output>,
    input: unknown,
    { id, events = [], parent, record, apart = false }: { id: string; events?: NewEvent[] } & Partial<ChildStart>,
  ): Promise<RunHandle<Output>> {
    this.refuseIfClosed()
    if (!this.#workflows.has(workflow.name)) this.register(workflow)
    const { name, version } = workflow
    const text = encode(input, this.#redact, `the input of '${name}'`)
    const data = { workflow: name, version, ...(parent ? { parent: parent.runId } : {}) }
    const left = apart && (await this.othersTake(workflow))
    const created = this.#clock.now()
    const row = { id, workflow: name, version, input: text, parent: parent?.runId ?? null, created, apart, left }
    const facts = [...events, runStarted.create({ stream: runStream(id), run: id }, data)]
    const ancestors = parent ? [parent.runId, ...parent.ancestors] : []
    await this.#base.write(
      (log) => this.#tasks.putRun(row, facts, log, record),
      (started) => {
        if (started && this.#executes && !left)
          this.#activate(started, workflow as Workflow<never, unknown>, null, ancestors)
      },
      { lane: parent?.runId ?? id, exclusive: false },
    )
    return this.#handle<Output>(id, parent)
  }

  async #takeUpAll(rows: RunRow[]): Promise<void> {
    // Without executing, a parked run is only released: others take it up.
    const here = rows.filter((row) => !this.#active.has(row.id) && (this.#executes || !isRunning(row)))
    await Promise.all(here.map((row) => this.#takeUpOnce(row)))
  }

  #takeUpOnce(row: RunRow): Promise<void> {
    const under = this.#takingUp.get(row.id)
    if (under) return under
    const parked = !isRunning(row)
    const version = parked ? (this.#workflows.get(row.workflow)?.version ?? row.version) : row.version
    const claim = () =>
      parked ? this.#journal.unpark(row.number, version, this.#clock.now()) : this.#journal.claim(row)
    const taking = this.#takeUp({ ...row, version }, claim).finally(() => this.#takingUp.delete(row.id))
    this.#takingUp.set(row.id, taking)
    return taking
  }

  /** `claim` checks, inside the transaction, whether the run can still be continued. */
  async #takeUp(row: RunRow, claim: () => Task<boolean>): Promise<void> {
    const workflow = this.#workflows.get(row.workflow)
    const misfit = misfitOf(row, workflow)
    const claimed = await this.#base.write(
      (log) => this.#tasks.putTakeUp(row, claim, misfit === null && this.#executes, log),
      (past) => {
        if (past && workflow && misfit === null && this.#executes) this.#activate(row, workflow, past)
      },
      { lane: row.id },
    )
    if (claimed && misfit !== null) await this.#park(row, { reason: misfit })
  }

  #activate(
    row: RunRow,
    workflow: Workflow<never, unknown>,
    past: Past | null,
    ancestors: string[] = past?.ancestors ?? [],
  ): void {
    if (this.#closed || this.#active.has(row.id)) return
    const run = new DurableRun(row, this.#deps, past, ancestors)
    for (const signal of past?.signals ?? []) run.deliver(signal)
    this.#active.set(row.id, run)
    this.#endings.unstrand(row.id)
    this.activated(row.id)
    Promise.resolve()
      .then(() => workflow.run(run, decode<never>(row.input)))
      .then(
        (output) => this.#ended(run, () => this.#done(run, output)),
        (error) => this.#ended(run, () => failedEnding(error, this.#redact)),
      )
      .catch((error) => this.#letGo(run, error))
  }

  async #ended(run: DurableRun, ending: () => Ending): Promise<void> {
    if (!run.active) return
    const leftover = run.leftover()
    if (leftover) {
      const reason = `the code ended after ${run.stepsTaken} steps, but step ${leftover.position} ('${leftover.name}') is recorded`
      return this.#park(run.row, { reason, position: run.stepsTaken })
    }
    const { row } = run
    const how = ending()
    await this.#base.write(
      (log) => this.#tasks.putEnding(run, how, log),
      (isOver) => {
        if (run.active && !run.isRecorded) return
        run.release()
        this.#active.forget(run)
        const { status, output = null, reason = null, code = null } = how
        this.#endings.settle(row.id, isOver ? { status, output, reason, code } : undefined)
      },
      { lane: row.id, exclusive: false },
    )
  }

  #done(run: DurableRun, output: unknown): Ending {
    try {
      return { status: 'done', output: encode(output, this.#redact, `the result of run ${run.runId}`) }
    } catch (error) {
      return failedEnding(error, this.#redact)
    }
  }

  /** Throws if nothing can be written: the run is released, and parked as soon as that is possible. */
  async #park(row: RunRow, why: Parked): Promise<void> {
    const run = this.#active.get(row.id)
    run?.release()
    this.#active.delete(row.id)
    try {
      await this.#base.write(
        (log) => this.#tasks.putParked(row, why, log),
        () => this.#endings.settle(row.id),
      )
    } catch (error) {
      this.#parkWhenPossible(row, error, why)
      this.#endings.strand(row.id, error)
      throw error
    }
  }

  /**
   * Releases a run for which nothing can be recorded now; a later process continues it from the journal. The runs above it
   * cannot end without it, also where they wait for a signal instead of its result.
   */
  #letGo(run: DurableRun, error: unknown): void {
    run.release()
    this.#active.forget(run)
    const { message, code } = error as ConveneError
    this.#parkWhenPossible(run.row, error, { reason: message, code })
    this.#endings.strand(run.runId, error)
    if (!isDatabaseFailure(error)) return
    for (const id of run.ancestors) {
      const above = this.#active.get(id)
      if (above) this.#letGo(above, error)
    }
  }

  /** TR10: parks a released run as soon as something can be written again, unless it was resumed or this process ends. */
  #parkWhenPossible(row: RunRow, error: unknown, why: Parked): void {
    if (!isDatabaseFailure(error) || isFenced(error) || this.#toPark.has(row.id)) return
    this.#toPark.add(row.id)
    this.#clock.after(parkAgainMs, () => {
      this.#toPark.delete(row.id)
      if (this.#closed || this.#active.has(row.id) || this.#takingUp.has(row.id)) return
      this.#park(row, why).then(
        () => this.#endings.unstrand(row.id),
        () => {},
      )
    })
  }

  #handle<Output>(id: string, inRun?: DurableRun): RunHandle<Output> {
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

  protected refuseIfClosed(): void {
    if (this.#closed) throw shuttingDown('nothing new is started')
  }
}
