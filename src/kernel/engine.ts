/**
 * The port to durable execution. A run is a plain async function whose steps are recorded: killed at any moment, it goes
 * on where it was. A step that finished never runs again; the one in flight may run a second time.
 */
import type { NewEvent } from './events.ts'

export interface Workflow<Input, Output> {
  readonly name: string
  /** Raise it when the order or names of steps change: waiting runs of another version are parked, not guessed at. */
  readonly version: number
  run(run: Run, input: Input): Promise<Output>
}

export interface Run {
  readonly runId: string
  /** The run that started this one. */
  readonly parent?: string
  readonly startedAt: number
  /**
   * Runs `fn` once and records what it gave; on replay gives the record. Steps are known by position and name, so they
   * must start in the same order every time: start several at once if you like, but a concurrent branch of more than
   * one step belongs in a run of its own. A failure is recorded too, and thrown as `StepFailed`.
   */
  step<Value>(name: string, fn: (context: StepContext) => Value | Promise<Value>, options?: StepOptions): Promise<Value>
  /** Writes facts to the log, once. */
  append(...events: NewEvent[]): Promise<void>
  /** Starts a child run. The same id is the same run, however often it is started. */
  start<Input, Output>(
    workflow: Workflow<Input, Output>,
    input: Input,
    options?: { id?: string },
  ): Promise<RunHandle<Output>>
  /** The next signal on a topic, in the order they were sent; `undefined` when the time is up. */
  receive<Value>(topic: string, options?: WaitOptions & { timeout?: number }): Promise<Value | undefined>
  send(runId: string, topic: string, value?: unknown): Promise<void>
  sleep(milliseconds: number, options?: WaitOptions): Promise<void>
  /** Whether a stop has been asked for; recorded, so a replay decides the same. */
  stopRequested(): Promise<boolean>
  /** The time, recorded. */
  now(): Promise<number>
  /** An id that is new in the world and the same on every replay. */
  id(): string
}

export interface WaitOptions {
  /** A stop ends it: the step or the wait throws `Stopped`. What cleans up after a stop leaves this off. */
  stoppable?: boolean
}

export interface StepOptions extends WaitOptions {
  /** More tries after a failure, each after a longer pause. */
  retries?: number
  retryDelayMs?: number
  /**
   * The run goes on while the record is still on its way to disk; all that it writes later gets there later. For a step
   * after which nothing is done outside before something more is written down and waited for.
   */
  ahead?: boolean
}

export interface StepContext {
  /** Aborts on cancel, on shutdown and, for a stoppable step, on stop. */
  readonly signal: AbortSignal
  /** The same on every try of this step: what effects use to be done once. */
  readonly key: string
  readonly position: number
  readonly attempt: number
  /** True where an earlier try of this step may have begun before a restart. */
  readonly recovered: boolean
  /** Writes a fact down now, before going on; a second try of the step does not write it again. */
  append(event: NewEvent): Promise<void>
  /**
   * Writes a fact down together with the step's record: both are there or neither. What was emitted in a try that was
   * followed by another, or that a stop cut short, is dropped.
   */
  emit(event: NewEvent): void
  /** The step does nothing more until its run is let go of: it no longer counts as at work. */
  hold(): void
}

export interface RunHandle<Output> {
  readonly id: string
  /** Waits for the end. Throws `RunFailed` where the run failed, was cancelled or needs attention. */
  result(): Promise<Output>
}

export const runStatuses = ['running', 'done', 'failed', 'cancelled', 'needs-attention'] as const
export type RunStatus = (typeof runStatuses)[number]

/** Whether the run is over for good: nothing more is recorded for it. A parked run is not. */
export function hasEnded({ status }: Pick<RunSummary, 'status'>): boolean {
  return status === 'done' || status === 'failed' || status === 'cancelled'
}

export interface RunSummary {
  id: string
  workflow: string
  version: number
  status: RunStatus
  /** Why it failed, was parked or cancelled. */
  reason?: string
  code?: string
  /** What it gave, where it is done. */
  result?: unknown
  parent?: string
  createdAt: number
  updatedAt: number
  steps: number
}

export interface RunQuery {
  status?: RunStatus
  workflow?: string
  parent?: string
  limit?: number
}

export interface StepRecord {
  position: number
  name: string
  kind: string
  state: 'done' | 'failed' | 'waiting'
  value: unknown
  at: number
}

export interface Engine {
  /** Makes a workflow known. Runs of unknown workflows wait. */
  register<Input, Output>(workflow: Workflow<Input, Output>): void
  /** Takes up every run that an earlier process left unfinished. A served Convene does; a single command does not. */
  recover(): Promise<void>
  /**
   * With `events`, those facts and the run are written down together; a run that exists already writes nothing. One that
   * an earlier process left unfinished is taken up, with its children.
   */
  start<Input, Output>(
    workflow: Workflow<Input, Output>,
    input: Input,
    options?: { id?: string; events?: NewEvent[] },
  ): Promise<RunHandle<Output>>
  result<Output>(runId: string): Promise<Output>
  /** Sends a signal. With a `key`, sending it a second time changes nothing. */
  send(runId: string, topic: string, value?: unknown, options?: { key?: string }): Promise<void>
  /** Asks a run and its children to stop. They handle it: post their notice, clean up, end. */
  stop(runId: string): Promise<void>
  /**
   * Lets go of a run and its children without recording anything of steps in flight, and parks them: `resume` takes them
   * up where they were. Nothing happens to a run that has ended.
   */
  pause(runId: string, reason: string, code?: string): Promise<void>
  /** Whether no step of a run or of its children is at work or on its way to the journal, apart from those on hold. */
  isAtRest(runId: string): boolean
  /** Whether this process is executing the run, or is about to because it was resumed. */
  isUnderWay(runId: string): boolean
  /** The hard end of a run and its children: no step after this is recorded. */
  cancel(runId: string): Promise<void>
  /**
   * Takes up one run, and its children, that nobody works on: one left unfinished, or a parked one with the code as it
   * is now. Nothing happens to a run that is under way or has ended.
   */
  resume(runId: string): Promise<RunSummary>
  /** A new run that has the first steps of another, up to `fromStep` (not included), and goes on by itself. */
  fork(runId: string, options?: { fromStep?: number; id?: string }): Promise<RunHandle<unknown>>
  get(runId: string): Promise<RunSummary | null>
  list(query?: RunQuery): Promise<RunSummary[]>
  steps(runId: string): Promise<StepRecord[]>
  /** Lets go of every run without recording anything of steps in flight: a later process takes them up. */
  close(): Promise<void>
}

/** A step's failure as it was recorded: the same at the first time and on every replay. */
export class StepFailed extends Error {
  readonly step: string
  readonly errorName: string
  readonly code?: string

  constructor(step: string, failure: { name: string; message: string; code?: string }, cause?: unknown) {
    super(failure.message, cause === undefined ? undefined : { cause })
    this.name = 'StepFailed'
    this.step = step
    this.errorName = failure.name
    this.code = failure.code
  }
}

/** A stop was asked for while a stoppable step or wait was under way. */
export class Stopped extends Error {
  constructor(step: string) {
    super(`stopped at step '${step}'`)
    this.name = 'Stopped'
  }
}

/** The run was cancelled; whatever it calls next throws this. */
export class RunCancelled extends Error {
  constructor(runId: string) {
    super(`run ${runId} was cancelled`)
    this.name = 'RunCancelled'
  }
}

export class RunFailed extends Error {
  readonly runId: string
  readonly status: RunStatus
  readonly code?: string

  constructor(runId: string, status: RunStatus, reason: string, code?: string) {
    super(reason)
    this.name = 'RunFailed'
    this.runId = runId
    this.status = status
    this.code = code
  }
}
