/** One executing run: returns recorded steps from the journal, executes and records the others. */
import { createHash } from 'node:crypto'
import { type Run, RunCancelled, type RunHandle, type StepOptions, type WaitOptions, type Workflow } from '../engine.ts'
import { ConveneError } from '../errors.ts'
import type { EventKey, NewEvent } from '../events.ts'
import { isDatabaseFailure } from '../stores/database-errors.ts'
import type { Task } from '../stores/task.ts'
import type { Beside, Log, Origin, Past, RunRow, SignalRow, StepRow } from './journal.ts'
import { decode, encode, failedOutcome, type Outcome, replayed, stoppedOutcome } from './outcome.ts'
import type { RunDeps, RunMoment } from './run-deps.ts'
import { reservedTopic, unknownRun } from './run-errors.ts'
import type { StepEnding } from './step-ending.ts'
import { executeStep, type StepDeps, type StepFunction } from './step-execution.ts'
import { type Companions, type Entry, StepTasks } from './step-tasks.ts'
import { stopTopic, Waits } from './waits.ts'

/** What to do around the write of a step's record. */
interface Recording extends Companions {
  committed?: () => void
  /** If this cannot be written either, release the run. */
  lastWord?: boolean
}

export class DurableRun implements Run {
  readonly row: RunRow
  /** The runs above it, the nearest first. */
  readonly ancestors: string[]
  readonly #deps: RunDeps
  readonly #replay: Map<number, StepRow>
  readonly #lineage: Origin[]
  readonly #steps: StepDeps
  readonly #tasks: StepTasks
  readonly #underWay = new Set<StepEnding>()
  readonly #waits: Waits
  #state: 'active' | 'cancelled' | 'released' = 'active'
  #position = 0
  #ids = 0
  /** Positions of steps that execute, or whose record is being written. */
  readonly #atWork = new Set<number>()
  /** For writes that concern nothing but this run. */
  readonly #alone: Beside

  constructor(row: RunRow, deps: RunDeps, past: Past | null, ancestors: string[]) {
    this.row = row
    this.ancestors = ancestors
    this.#deps = deps
    this.#alone = { lane: row.id, exclusive: false }
    this.#replay = new Map(past?.steps.map((step) => [step.position, step]))
    this.#lineage = past?.lineage ?? [{ id: row.id, forkedAt: 0 }]
    this.#waits = new Waits(deps.clock)
    this.#tasks = new StepTasks(this, deps)
    this.#steps = {
      runId: row.id,
      recovered: past !== null,
      clock: deps.clock,
      redact: deps.redact,
      waits: this.#waits,
      underWay: this.#underWay,
      append: (event, key, ending) => this.#appendNow(event, key, ending),
      rest: (position) => this.#atWork.delete(position),
    }
  }

  get runId(): string {
    return this.row.id
  }

  get parent(): string | undefined {
    return this.row.parent ?? undefined
  }

  get startedAt(): number {
    return this.row.created
  }

  step<Value>(name: string, fn: StepFunction<Value>, options: StepOptions = {}): Promise<Value> {
    return handled(this.#step(name, fn, options))
  }

  append(...events: NewEvent[]): Promise<void> {
    return handled(this.#append(events))
  }

  start<Input, Output>(
    workflow: Workflow<Input, Output>,
    input: Input,
    options: { id?: string; apart?: boolean } = {},
  ): Promise<RunHandle<Output>> {
    return handled(this.#start(workflow as Workflow<never, Output>, input, options))
  }

  receive<Value>(topic: string, options: WaitOptions & { timeout?: number } = {}): Promise<Value | undefined> {
    return handled(this.#receive<Value>(topic.toWellFormed(), options))
  }

  send(runId: string, topic: string, value?: unknown): Promise<void> {
    return handled(this.#send(runId, topic.toWellFormed(), value))
  }

  sleep(milliseconds: number, options: WaitOptions = {}): Promise<void> {
    return handled(this.#sleep(milliseconds, options))
  }

  stopRequested(): Promise<boolean> {
    return handled(this.#note('poll', 'stop', () => this.#waits.stopAsked))
  }

  now(): Promise<number> {
    return handled(this.#note('now', 'now', () => this.#deps.clock.now()))
  }

  /** A fork that replays another run's steps must also reproduce the ids they used. */
  id(): string {
    const owner = this.#lineage.find((origin) => this.#position >= origin.forkedAt) ?? this.#lineage.at(-1)!
    const hex = createHash('sha256')
      .update(`${owner.id}#${this.#ids++}`)
      .digest('hex')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  }

  // Called by the engine.

  /** Recorded steps that the code did not reach before it ended. */
  leftover(): StepRow | undefined {
    for (const [position, step] of this.#replay) if (position >= this.#position) return step
    return undefined
  }

  get stepsTaken(): number {
    return this.#position
  }

  get active(): boolean {
    return this.#state === 'active'
  }

  get isAtRest(): boolean {
    return this.#atWork.size === 0
  }

  /** Whether the journal has every step whose result the code received. Call it inside a transaction. */
  get isRecorded(): boolean {
    return this.#tasks.isComplete
  }

  deliver(signal: SignalRow): void {
    this.#waits.deliver(signal)
  }

  cancel(): void {
    this.#end('cancelled', () => new RunCancelled(this.runId))
  }

  /** Releases the run: steps in flight are not recorded, and the run's function is never continued. */
  release(): void {
    const words = `run ${this.runId} continues at the next start`
    this.#end('released', () => new ConveneError('released', words, { status: 503 }))
  }

  #end(state: 'cancelled' | 'released', reason: () => Error): void {
    if (!this.active) return
    this.#state = state
    if (this.#underWay.size > 0) {
      const error = reason()
      for (const ending of this.#underWay) ending.end(error)
    }
    this.#waits.letGo()
  }

  async #step<Value>(name: string, fn: StepFunction<Value>, options: StepOptions): Promise<Value> {
    const entry = this.#enter('step', name)
    if (!entry) return never()
    if (entry.record) return replayed<Value>(entry.record)
    if (options.stoppable && this.#waits.stopAsked) return this.#record<Value>(entry, stoppedOutcome(entry.name))
    if (this.#deps.draining()) return never()
    const permission = this.#deps.permission()
    if (permission) await permission
    if (!this.active) return this.#leave()
    this.#observe('before-step', entry)
    this.#atWork.add(entry.position)
    const { outcome, emitted } = await executeStep(this.#steps, entry, fn, options)
    if (!this.active) return this.#leave()
    this.#observe('step-done', entry)
    if (options.ahead) return this.#recordAhead<Value>(entry, outcome, emitted)
    return this.#record<Value>(entry, outcome, { events: emitted })
  }

  async #note<Value>(kind: string, name: string, look: () => Value): Promise<Value> {
    const entry = this.#enter(kind, name)
    if (!entry) return never()
    if (entry.record) return replayed<Value>(entry.record)
    return this.#record<Value>(entry, { state: 'done', value: JSON.stringify(look()) })
  }

  async #append(events: NewEvent[]): Promise<void> {
    const entry = this.#enter('append', events[0]?.type ?? 'nothing')
    if (!entry) return never()
    if (entry.record) return replayed<void>(entry.record)
    return this.#record(entry, { state: 'done', value: null }, { events })
  }

  async #start<Output>(
    workflow: Workflow<never, Output>,
    input: unknown,
    options: { id?: string; apart?: boolean },
  ): Promise<RunHandle<Output>> {
    const entry = this.#enter('child', workflow.name)
    if (!entry) return never()
    if (entry.record) return this.#deps.handle<Output>(replayed<string>(entry.record), this)
    const id = options.id ?? `${this.runId}.${entry.position}`
    const record = () => this.#tasks.putChild(entry, id)
    try {
      const handle = await this.#deps.startChild<Output>(workflow, input, {
        id,
        apart: options.apart ?? false,
        parent: this,
        record,
      })
      if (!this.active) return this.#leave()
      this.#observe('step-recorded', entry)
      return handle
    } catch (error) {
      return this.#unrecorded(entry, error)
    }
  }

  async #receive<Value>(topic: string, options: WaitOptions & { timeout?: number }): Promise<Value | undefined> {
    const entry = this.#enter('receive', topic)
    if (!entry) return never()
    if (entry.record && entry.record.state !== 'waiting') return replayed<Value | undefined>(entry.record)
    const signal = this.#waits.take(topic)
    if (signal) return this.#record<Value>(entry, { state: 'done', value: signal.value }, { signal })
    if (options.stoppable && this.#waits.stopAsked) return this.#record(entry, stoppedOutcome(topic))
    const until = options.timeout === undefined ? undefined : this.#deadline(entry, options.timeout)
    if (until !== undefined && until <= this.#deps.clock.now())
      return this.#record(entry, { state: 'done', value: null })
    this.#noteDeadline(entry, until)
    const end = await this.#waits.wait({ topic, until, stoppable: options.stoppable })
    if (!this.active || end === 'let-go') return this.#leave()
    if (end === 'stopped') return this.#record(entry, stoppedOutcome(topic))
    if (end === 'time-up') return this.#record(entry, { state: 'done', value: null })
    return this.#record<Value>(entry, { state: 'done', value: end.value }, { signal: end })
  }

  async #send(runId: string, topic: string, value: unknown): Promise<void> {
    const entry = this.#enter('send', topic)
    if (!entry) return never()
    if (entry.record) return replayed<void>(entry.record)
    let text: string | null
    try {
      if (topic === stopTopic) throw reservedTopic(topic)
      text = encode(value, this.#deps.redact, `the signal '${topic}'`)
    } catch (error) {
      return this.#record(entry, failedOutcome(error, this.#deps.redact))
    }
    const key = `step:${this.runId}/${entry.position}`
    let number: number | null = null
    const { journal } = this.#deps
    function* insertSignal(): Task<void> {
      if (!(yield* journal.run(runId))) throw unknownRun(runId)
      number = yield* journal.insertSignal(runId, topic, text, key)
    }
    return this.#record(
      entry,
      { state: 'done', value: null },
      {
        also: () => insertSignal(),
        committed: () => {
          if (number !== null) this.#deps.deliver(runId, { number, topic, value: text })
        },
      },
    )
  }

  async #sleep(milliseconds: number, options: WaitOptions): Promise<void> {
    const entry = this.#enter('sleep', 'sleep')
    if (!entry) return never()
    if (entry.record && entry.record.state !== 'waiting') return replayed<void>(entry.record)
    if (options.stoppable && this.#waits.stopAsked) return this.#record(entry, stoppedOutcome('sleep'))
    const until = this.#deadline(entry, milliseconds)
    if (until > this.#deps.clock.now()) {
      this.#noteDeadline(entry, until)
      const end = await this.#waits.wait({ until, stoppable: options.stoppable })
      if (!this.active) return this.#leave()
      if (end === 'stopped') return this.#record(entry, stoppedOutcome('sleep'))
    }
    return this.#record(entry, { state: 'done', value: null })
  }

  /** The next position and its record, if any. Null if the run was released. */
  #enter(kind: string, givenName: string): Entry | null {
    if (this.#state === 'cancelled') throw new RunCancelled(this.runId)
    if (this.#state === 'released') return null
    // Text in the journal is well-formed Unicode; a name that is not would differ from its own record.
    const name = givenName.toWellFormed()
    const position = this.#position++
    const record = this.#replay.get(position)
    if (!record) return { position, name, kind, record }
    if (record.name !== name || record.kind !== kind) {
      this.#deps.park(
        this,
        position,
        `step ${position} was recorded as ${record.kind} '${record.name}', but the code now has ${kind} '${name}' there. Fork the run to start again from that step`,
      )
      return null
    }
    this.#replay.delete(position)
    return { position, name, kind, record }
  }

  async #appendNow(event: NewEvent, key: EventKey, ending: StepEnding): Promise<void> {
    try {
      await this.#deps.write((log) => this.#tasks.putFact(log, event, key, ending), undefined, this.#alone)
    } catch (error) {
      if (!isDatabaseFailure(error)) throw error
      this.#deps.letGo(this, error)
      return never()
    }
    if (ending.ended) throw ending.reason
  }

  /** When a wait ends; the deadline first recorded holds across restarts. */
  #deadline(entry: Entry, milliseconds: number): number {
    if (entry.record) return decode<number>(entry.record.value)
    const wanted = this.#deps.clock.now() + (Number.isNaN(milliseconds) ? 0 : milliseconds)
    // JSON has no infinity.
    return Math.min(wanted, Number.MAX_SAFE_INTEGER)
  }

  #noteDeadline(entry: Entry, until: number | undefined): void {
    if (entry.record || until === undefined) return
    this.#deps
      .write(
        () => this.#tasks.putDeadline(entry, until),
        () => {
          if (this.active) this.#observe('wait-begun', entry)
        },
        this.#alone,
      )
      .catch((error) => this.#deps.letGo(this, error))
  }

  #observe(at: RunMoment['at'], { position, name }: Entry): void {
    this.#deps.observe({ at, run: this.runId, position, name })
  }

  /** Records the step with everything that belongs to it, then returns what the record holds. */
  async #record<Value>(entry: Entry, outcome: Outcome, recording: Recording = {}): Promise<Value> {
    try {
      const record = (log: Log) => this.#tasks.putRecord(log, entry, outcome, recording)
      // A signal concerns a run that another process may execute.
      await this.#deps.write(record, recording.committed, { ...this.#alone, exclusive: recording.also !== undefined })
    } catch (error) {
      return this.#unrecorded(entry, error, recording.lastWord)
    } finally {
      this.#atWork.delete(entry.position)
    }
    if (!this.active) return this.#leave()
    this.#observe('step-recorded', entry)
    return replayed<Value>({ name: entry.name, ...outcome })
  }

  /**
   * Queues the record in the order of this run's writes and returns at once: later writes reach the disk later. If it
   * cannot be written the run is released, since its code has already continued.
   */
  #recordAhead<Value>(entry: Entry, outcome: Outcome, events: NewEvent[]): Value {
    const written = this.#deps.write(
      (log) => this.#tasks.putRecordAhead(log, entry, outcome, events),
      () => {
        this.#atWork.delete(entry.position)
        if (this.active) this.#observe('step-recorded', entry)
      },
      this.#alone,
    )
    written.catch((error) => this.#deps.letGo(this, error))
    return replayed<Value>({ name: entry.name, ...outcome })
  }

  /** Releases the run if the database fails; facts or input that cannot be encoded fail the step instead. */
  #unrecorded(entry: Entry, error: unknown, lastWord = false): Promise<never> {
    if (!this.active) return this.#leave()
    if (lastWord || isDatabaseFailure(error)) {
      this.#deps.letGo(this, error)
      return never()
    }
    return this.#record<never>(entry, failedOutcome(error, this.#deps.redact), { lastWord: true })
  }

  #leave(): Promise<never> {
    return this.#state === 'cancelled' ? Promise.reject(new RunCancelled(this.runId)) : never()
  }
}

const never = () => new Promise<never>(() => {})

/** Prevents an unhandled rejection: the run awaits this promise later, or has ended. */
function handled<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {})
  return promise
}
