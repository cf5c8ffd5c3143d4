/** One durable run under way: gives recorded steps from the journal, does and records the others. */
import { createHash } from 'node:crypto'
import type { Clock } from '../clock.ts'
import {
  type Run,
  RunCancelled,
  type RunHandle,
  type StepContext,
  StepFailed,
  type StepOptions,
  Stopped,
  type WaitOptions,
  type Workflow,
} from '../engine.ts'
import type { NewEvent } from '../events.ts'
import type { Journal, RunRow, SignalRow, StepRow } from './journal.ts'

/** What a run needs of its engine. */
export interface RunSurroundings {
  readonly clock: Clock
  readonly journal: Journal
  redact<Value>(value: Value): Value
  /** Does `work` and writes `events` in one transaction; resolves once it is on disk. */
  write<Value>(work: () => Value, events: NewEvent[]): Promise<Value>
  startChild<Output>(
    workflow: Workflow<never, Output>,
    input: unknown,
    id: string,
    parent: SqliteRun,
    record: () => void,
  ): Promise<RunHandle<Output>>
  handle<Output>(runId: string): RunHandle<Output>
  deliver(runId: string, signal: SignalRow): void
  /** The code no longer fits the journal. */
  park(run: SqliteRun, position: number, reason: string): void
  /** The disk does not take any more. */
  fail(run: SqliteRun, error: unknown): void
  observe(moment: RunMoment): void
}

/** Where a run is; crash tests end the process at each of these. */
export interface RunMoment {
  at: 'before-step' | 'step-done' | 'step-recorded'
  run: string
  position: number
  name: string
}

interface Entry {
  position: number
  name: string
  kind: string
  record: StepRow | undefined
}

interface Waiter {
  take(signal: SignalRow): void
}

type Outcome = { state: 'done' | 'failed'; value: string | null }

const stopTopic = '$stop'

export class SqliteRun implements Run {
  readonly row: RunRow
  readonly #around: RunSurroundings
  readonly #replay: Map<number, StepRow>
  readonly #recovered: boolean
  readonly #stepsRecovered: number
  readonly #abort = new AbortController()
  readonly #inbox = new Map<string, SignalRow[]>()
  readonly #waiters = new Map<string, Waiter[]>()
  readonly #onStop = new Set<() => void>()
  readonly #timers = new Set<() => void>()
  #state: 'active' | 'cancelled' | 'released' = 'active'
  #stopAsked = false
  #position = 0
  #ids = 0

  constructor(row: RunRow, around: RunSurroundings, steps: StepRow[], signals: SignalRow[], recovered: boolean) {
    this.row = row
    this.#around = around
    this.#replay = new Map(steps.map((step) => [step.position, step]))
    this.#recovered = recovered
    this.#stepsRecovered = steps.length
    for (const signal of signals) this.deliver(signal)
  }

  get runId(): string {
    return this.row.id
  }

  async step<Value>(
    name: string,
    fn: (context: StepContext) => Value | Promise<Value>,
    options: StepOptions = {},
  ): Promise<Value> {
    const entry = this.#enter('step', name)
    if (!entry) return never()
    if (entry.record) return replayed<Value>(entry.record)
    if (options.stoppable && this.#stopAsked) return this.#record<Value>(entry, stoppedOutcome(name))
    this.#around.observe({ at: 'before-step', run: this.runId, position: entry.position, name })
    const emitted: NewEvent[] = []
    const outcome = options.stoppable
      ? await this.#untilStop(entry, fn, options, emitted)
      : await this.#execute(entry, fn, options, emitted, this.#abort.signal)
    if (this.#state !== 'active') return this.#leave()
    this.#around.observe({ at: 'step-done', run: this.runId, position: entry.position, name })
    return this.#record<Value>(entry, outcome, { events: emitted })
  }

  async append(...events: NewEvent[]): Promise<void> {
    const entry = this.#enter('append', events[0]?.type ?? 'nothing')
    if (!entry) return never()
    if (entry.record) return
    return this.#record(entry, { state: 'done', value: null }, { events })
  }

  async start<Input, Output>(
    workflow: Workflow<Input, Output>,
    input: Input,
    options: { id?: string } = {},
  ): Promise<RunHandle<Output>> {
    const entry = this.#enter('child', workflow.name)
    if (!entry) return never()
    if (entry.record) return this.#around.handle<Output>(decode<string>(entry.record.value))
    const id = options.id ?? `${this.runId}.${entry.position}`
    const record = () => this.#putStep(entry, { state: 'done', value: JSON.stringify(id) })
    try {
      return await this.#around.startChild<Output>(workflow as Workflow<never, Output>, input, id, this, record)
    } catch (error) {
      this.#around.fail(this, error)
      return never()
    }
  }

  async receive<Value>(topic: string, options: WaitOptions & { timeout?: number } = {}): Promise<Value | undefined> {
    const entry = this.#enter('receive', topic)
    if (!entry) return never()
    if (entry.record && entry.record.state !== 'waiting') return replayed<Value | undefined>(entry.record)
    const signal = this.#inbox.get(topic)?.shift()
    if (signal) return this.#record<Value>(entry, { state: 'done', value: signal.value }, { signal })
    if (options.stoppable && this.#stopAsked) return this.#record(entry, stoppedOutcome(topic))
    if (options.timeout === 0) return this.#record(entry, { state: 'done', value: null })
    const deadline = options.timeout === undefined ? null : this.#deadline(entry, options.timeout)
    const ended = await this.#wait(topic, deadline, options)
    if (this.#state !== 'active') return this.#leave()
    if (ended === 'stopped') return this.#record(entry, stoppedOutcome(topic))
    if (ended === 'time-up') return this.#record(entry, { state: 'done', value: null })
    return this.#record<Value>(entry, { state: 'done', value: ended.value }, { signal: ended })
  }

  async send(runId: string, topic: string, value?: unknown): Promise<void> {
    const entry = this.#enter('send', topic)
    if (!entry) return never()
    if (entry.record) return
    const text = encode(this.#around.redact(value))
    let number: number | null = null
    await this.#record(
      entry,
      { state: 'done', value: null },
      {
        also: () => {
          number = this.#around.journal.insertSignal(runId, topic, text, `${this.runId}/${entry.position}`)
        },
      },
    )
    if (number !== null) this.#around.deliver(runId, { number, topic, value: text })
  }

  async sleep(milliseconds: number, options: WaitOptions = {}): Promise<void> {
    const entry = this.#enter('sleep', String(milliseconds))
    if (!entry) return never()
    if (entry.record?.state === 'failed') return replayed(entry.record)
    if (!entry.record && options.stoppable && this.#stopAsked) return this.#record(entry, stoppedOutcome('sleep'))
    const wake = entry.record ? decode<number>(entry.record.value) : this.#around.clock.now() + milliseconds
    if (!entry.record) await this.#record(entry, { state: 'done', value: JSON.stringify(wake) })
    if (wake <= this.#around.clock.now()) return
    const ended = await this.#wait(null, wake, options)
    if (this.#state !== 'active') return this.#leave()
    if (ended === 'stopped') return this.#record(entry, stoppedOutcome('sleep'))
  }

  async stopRequested(): Promise<boolean> {
    const entry = this.#enter('poll', 'stop')
    if (!entry) return never()
    if (entry.record) return replayed<boolean>(entry.record)
    return this.#record<boolean>(entry, { state: 'done', value: JSON.stringify(this.#stopAsked) })
  }

  async now(): Promise<number> {
    const entry = this.#enter('now', 'now')
    if (!entry) return never()
    if (entry.record) return replayed<number>(entry.record)
    return this.#record<number>(entry, { state: 'done', value: JSON.stringify(this.#around.clock.now()) })
  }

  id(): string {
    const hex = createHash('sha256')
      .update(`${this.runId}#${this.#ids++}`)
      .digest('hex')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  }

  // What the engine calls.

  /** Steps in the journal that the code did not ask for before it ended. */
  leftover(): StepRow | undefined {
    for (const [position, step] of this.#replay) if (position >= this.#position) return step
    return undefined
  }

  /** Steps that an earlier process recorded. */
  get stepsRecovered(): number {
    return this.#stepsRecovered
  }

  get stepsTaken(): number {
    return this.#position
  }

  deliver(signal: SignalRow): void {
    if (signal.topic === stopTopic) {
      this.#stop()
      return
    }
    const waiter = this.#waiters.get(signal.topic)?.shift()
    if (waiter) {
      waiter.take(signal)
      return
    }
    const waiting = this.#inbox.get(signal.topic)
    if (waiting) waiting.push(signal)
    else this.#inbox.set(signal.topic, [signal])
  }

  cancel(): void {
    this.#end('cancelled')
  }

  /** Lets go: nothing that is under way is recorded, and the run's function never hears back. */
  release(): void {
    this.#end('released')
  }

  get active(): boolean {
    return this.#state === 'active'
  }

  #end(state: 'cancelled' | 'released'): void {
    if (this.#state !== 'active') return
    this.#state = state
    this.#abort.abort(new RunCancelled(this.runId))
    for (const cancel of this.#timers) cancel()
    this.#timers.clear()
    this.#waiters.clear()
    this.#onStop.clear()
  }

  #stop(): void {
    this.#stopAsked = true
    const listeners = [...this.#onStop]
    this.#onStop.clear()
    for (const listener of listeners) listener()
  }

  /** The next position, and what the journal has there. Null where the run has been let go of. */
  #enter(kind: string, name: string): Entry | null {
    if (this.#state === 'cancelled') throw new RunCancelled(this.runId)
    if (this.#state === 'released') return null
    const position = this.#position++
    const record = this.#replay.get(position)
    if (record && (record.name !== name || record.kind !== kind)) {
      this.#around.park(
        this,
        position,
        `step ${position} was recorded as ${record.kind} '${record.name}', but the code now has ${kind} '${name}' there`,
      )
      return null
    }
    // A waiting record is needed again: its deadline stands.
    if (record && record.state !== 'waiting') this.#replay.delete(position)
    return { position, name, kind, record }
  }

  async #execute<Value>(
    entry: Entry,
    fn: (context: StepContext) => Value | Promise<Value>,
    options: StepOptions,
    emitted: NewEvent[],
    signal: AbortSignal,
  ): Promise<Outcome> {
    const attempts = 1 + (options.retries ?? 0)
    let appended = 0
    for (let attempt = 1; ; attempt++) {
      emitted.length = 0
      try {
        const value = await fn({
          signal,
          key: `${this.runId}/${entry.position}`,
          position: entry.position,
          attempt,
          recovered: this.#recovered,
          append: async (event) => {
            const key = { run: this.runId, step: String(entry.position), n: appended++ }
            await this.#around.write(() => undefined, [{ ...event, key }])
          },
          emit: (event) => emitted.push(event),
        })
        return { state: 'done', value: encode(this.#around.redact(value)) }
      } catch (error) {
        if (attempt >= attempts || signal.aborted || this.#state !== 'active')
          return this.#around.redact(failedOutcome(error))
        await this.#wait(null, this.#around.clock.now() + (options.retryDelayMs ?? 100) * 2 ** (attempt - 1), options)
      }
    }
  }

  /** A stop does not wait for `fn`: it is told to abort, and whatever it still gives is not kept. */
  async #untilStop<Value>(
    entry: Entry,
    fn: (context: StepContext) => Value | Promise<Value>,
    options: StepOptions,
    emitted: NewEvent[],
  ): Promise<Outcome> {
    const abort = new AbortController()
    const stopped = new Promise<Outcome>((resolve) => {
      const listener = () => {
        abort.abort(new Stopped(entry.name))
        resolve(stoppedOutcome(entry.name))
      }
      this.#onStop.add(listener)
      abort.signal.addEventListener('abort', () => this.#onStop.delete(listener), { once: true })
    })
    const finished = this.#execute(entry, fn, options, emitted, AbortSignal.any([abort.signal, this.#abort.signal]))
    const outcome = await Promise.race([finished, stopped])
    abort.abort()
    return outcome
  }

  #deadline(entry: Entry, timeout: number): number {
    if (entry.record) return decode<number>(entry.record.value)
    const deadline = this.#around.clock.now() + timeout
    const row = {
      position: entry.position,
      name: entry.name,
      kind: entry.kind,
      state: 'waiting' as const,
      value: JSON.stringify(deadline),
      at: this.#around.clock.now(),
    }
    this.#around
      .write(() => this.#around.journal.putStep(this.row.number, row), [])
      .catch((error) => this.#around.fail(this, error))
    return deadline
  }

  /** Waits for a signal on `topic`, for the time `until`, or for a stop, whichever is asked for and comes first. */
  #wait(topic: string | null, until: number | null, options: WaitOptions): Promise<SignalRow | 'time-up' | 'stopped'> {
    return new Promise((resolve) => {
      const waiter: Waiter = { take: (signal) => end(signal) }
      const stop = () => end('stopped')
      let timer: (() => void) | null = null
      const end = (how: SignalRow | 'time-up' | 'stopped') => {
        if (timer) {
          timer()
          this.#timers.delete(timer)
        }
        this.#onStop.delete(stop)
        if (topic !== null) {
          const queue = this.#waiters.get(topic)
          const index = queue?.indexOf(waiter) ?? -1
          if (queue && index >= 0) queue.splice(index, 1)
          if (queue?.length === 0) this.#waiters.delete(topic)
        }
        resolve(how)
      }
      if (topic !== null) {
        const queue = this.#waiters.get(topic)
        if (queue) queue.push(waiter)
        else this.#waiters.set(topic, [waiter])
      }
      if (options.stoppable) this.#onStop.add(stop)
      if (until !== null) {
        timer = this.#around.clock.after(until - this.#around.clock.now(), () => end('time-up'))
        this.#timers.add(timer)
      }
    })
  }

  /** Writes the step down with everything that belongs to it, then gives what the record holds. */
  async #record<Value>(
    entry: Entry,
    outcome: Outcome,
    extra: { events?: NewEvent[]; signal?: SignalRow; also?: () => void } = {},
  ): Promise<Value> {
    const events = (extra.events ?? []).map((event, n) => ({
      ...event,
      key: { run: this.runId, step: `${entry.position}=`, n },
    }))
    try {
      await this.#around.write(() => {
        if (!this.active) return
        this.#putStep(entry, outcome)
        if (extra.signal) this.#around.journal.consumeSignal(extra.signal.number, entry.position)
        extra.also?.()
      }, events)
    } catch (error) {
      this.#around.fail(this, error)
      return never()
    }
    if (!this.active) return this.#leave()
    this.#around.observe({ at: 'step-recorded', run: this.runId, position: entry.position, name: entry.name })
    return replayed<Value>({ name: entry.name, ...outcome })
  }

  #putStep(entry: Entry, outcome: Outcome): void {
    const { position, name, kind } = entry
    this.#around.journal.putStep(this.row.number, { position, name, kind, ...outcome, at: this.#around.clock.now() })
  }

  #leave(): Promise<never> {
    if (this.#state === 'cancelled') throw new RunCancelled(this.runId)
    return never()
  }
}

const never = () => new Promise<never>(() => {})

function replayed<Value>(record: Pick<StepRow, 'name' | 'state' | 'value'>): Value {
  if (record.state !== 'failed') return decode<Value>(record.value)
  const failure = decode<{ name: string; message: string; code?: string }>(record.value)
  if (failure.name === 'Stopped') throw new Stopped(record.name)
  throw new StepFailed(record.name, failure)
}

function encode(value: unknown): string | null {
  return value === undefined ? null : (JSON.stringify(value) ?? null)
}

function decode<Value>(text: string | null): Value {
  return (text === null ? undefined : JSON.parse(text)) as Value
}

function stoppedOutcome(name: string): Outcome {
  return { state: 'failed', value: JSON.stringify({ name: 'Stopped', message: `stopped at step '${name}'` }) }
}

function failedOutcome(error: unknown): Outcome {
  const { name, message, code } =
    error instanceof Error
      ? (error as Error & { code?: unknown })
      : { name: 'Error', message: String(error), code: undefined }
  return { state: 'failed', value: JSON.stringify({ name, message, ...(typeof code === 'string' ? { code } : {}) }) }
}
