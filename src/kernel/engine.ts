/**
 * The port to durable execution. A run is a plain async function whose steps are recorded: killed at any moment, it
 * continues where it was. A finished step never runs again; the one in flight may run a second time.
 */
import type { NewEvent } from './events.ts'

export interface Workflow<Input, Output> {
  readonly name: string
  /** Raise it when the order or names of steps change: runs started with another version are parked. */
  readonly version: number
  run(run: Run, input: Input): Promise<Output>
}

export interface Run {
  readonly runId: string
  /** The run that started this one. */
  readonly parent?: string
  readonly startedAt: number
  /**
   * Runs `fn` once and records its result; on replay returns the record. Steps are identified by position and name, so
   * they must start in the same order every time. Several may start at once, but a concurrent branch of more than one
   * step belongs in a child run. A failure is recorded too, and thrown as `StepFailed`.
   */
  step<Value>(name: string, fn: (context: StepContext) => Value | Promise<Value>, options?: StepOptions): Promise<Value>
  /** Writes facts to the log, once. */
  append(...events: NewEvent[]): Promise<void>
  /**
   * Starts a child run. Starting the same id again returns the same run. With `apart`, another process that shares the
   * database and has room may execute it: whatever it needs must travel by its input, the log or a shared repository.
   */
  start<Input, Output>(
    workflow: Workflow<Input, Output>,
    input: Input,
    options?: { id?: string; apart?: boolean },
  ): Promise<RunHandle<Output>>
  /** Returns the next signal on a topic, in the order sent; `undefined` on timeout. */
  receive<Value>(topic: string, options?: WaitOptions & { timeout?: number }): Promise<Value | undefined>
  send(runId: string, topic: string, value?: unknown): Promise<void>
  sleep(milliseconds: number, options?: WaitOptions): Promise<void>
  /** Whether a stop was requested. Recorded, so that a replay takes the same branch. */
  stopRequested(): Promise<boolean>
  /** The current time. Recorded. */
  now(): Promise<number>
  /** A unique id that is the same on every replay. */
  id(): string
}

export interface WaitOptions {
  /** A stop makes the step or wait throw `Stopped`. Leave it off for clean-up after a stop. */
  stoppable?: boolean
}

export interface StepOptions extends WaitOptions {
  /** Further attempts after a failure, with exponential backoff. */
  retries?: number
  retryDelayMs?: number
  /**
   * Continue the run before the record is on disk; later writes still reach the disk later. Only for a step that is
   * followed by another awaited write before any outside effect.
   */
  ahead?: boolean
}

export interface StepContext {
  /** Aborts on cancel, on shutdown and, for a stoppable step, on stop. */
  readonly signal: AbortSignal
  /** Idempotency key: the same on every attempt of this step. */
  readonly key: string
  readonly position: number
  readonly attempt: number
  /** True when an attempt of this step may have begun before a restart. */
  readonly recovered: boolean
  /**
   * Writes a fact now; a second attempt of the step does not write it again. Facts are told apart by their order, so one that
   * only some attempts write needs a name of its own.
   */
  append(event: NewEvent, options?: { name?: string }): Promise<void>
  /**
   * Writes a fact in the same transaction as the step's record. Facts of an attempt that was retried, or that a stop cut
   * short, are dropped.
   */
  emit(event: NewEvent): void
  /** Declares that the step does nothing more until the engine releases the run: it no longer counts as at work. */
  hold(): void
}

export interface RunHandle<Output> {
  readonly id: string
  /** Waits for the run to end. Throws `RunFailed` if it failed, was cancelled or needs attention. */
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
  /** Its result, when it is done. */
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
  /** Runs of a workflow that is not registered wait. */
  register<Input, Output>(workflow: Workflow<Input, Output>): void
  /** Continues every run that an earlier process left unfinished. `serve` calls it; a single command does not. */
  recover(): Promise<void>
  /**
   * Writes `events` and the run in one transaction; writes nothing for a run that exists already. A run that an earlier
   * process left unfinished is continued, with its children.
   */
  start<Input, Output>(
    workflow: Workflow<Input, Output>,
    input: Input,
    options?: { id?: string; events?: NewEvent[] },
  ): Promise<RunHandle<Output>>
  result<Output>(runId: string): Promise<Output>
  /** Sends a signal. With a `key`, sending it again has no effect. */
  send(runId: string, topic: string, value?: unknown, options?: { key?: string }): Promise<void>
  /** Requests that a run and its children stop. They handle it: post their notice, clean up, end. */
  stop(runId: string): Promise<void>
  /**
   * Releases a run and its children without recording steps in flight, and parks them; `resume` continues them. No effect
   * on a run that has ended.
   */
  pause(runId: string, reason: string, code?: string): Promise<void>
  /** Whether no step of a run or its children is executing or being recorded, apart from steps on hold. */
  isAtRest(runId: string): boolean
  /** The runs that this process executes and no other run started. */
  underWay(): string[]
  /** Whether this process is executing the run, or is about to because it was resumed. */
  isUnderWay(runId: string): boolean
  /** Tells of a running run whether some living process executes it: this one or, with a shared database, another. */
  executed(): Promise<(runId: string) => boolean>
  /** The error for which this process released the run: nothing could be recorded. Undefined once it is taken up or parked. */
  releasedBy(runId: string): unknown
  /** Ends a run and its children at once: no further step is recorded. */
  cancel(runId: string): Promise<void>
  /**
   * Continues a run and its children: one left unfinished by an earlier process, or a parked one with the current code. No
   * effect on a run that is executing or has ended.
   */
  resume(runId: string): Promise<RunSummary>
  /** Starts a new run with the recorded steps of another, up to but not including `fromStep`. */
  fork(runId: string, options?: { fromStep?: number; id?: string }): Promise<RunHandle<unknown>>
  get(runId: string): Promise<RunSummary | null>
  list(query?: RunQuery): Promise<RunSummary[]>
  steps(runId: string): Promise<StepRecord[]>
  /**
   * Starts no further step: those in flight finish and are recorded, and no run continues. With every run at rest, `close`
   * then loses nothing.
   */
  drain(): void
  /** Releases every run without recording steps in flight; a later process continues them. */
  close(): Promise<void>
}

/** A step's failure as recorded: the same the first time and on every replay. */
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

/** A stop was requested during a stoppable step or wait. */
export class Stopped extends Error {
  constructor(step: string) {
    super(`stopped at step '${step}'`)
    this.name = 'Stopped'
  }
}

/** The run was cancelled: every further call on it throws this. */
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
