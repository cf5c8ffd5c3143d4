/** The journal's port: the rows of runs, steps and signals. Its tasks run inside a transaction, or alone as reads. */
import type { RunQuery, RunStatus, RunSummary, StepRecord } from '../engine.ts'
import type { NewEvent } from '../events.ts'
import type { Task } from '../stores/task.ts'

export interface RunRow {
  number: number
  id: string
  workflow: string
  version: number
  status: RunStatus
  input: string | null
  output: string | null
  reason: string | null
  code: string | null
  parked_at: number | null
  parent: string | null
  forked_from: string | null
  forked_at: number | null
  created: number
  updated: number
  /** Not executed together with the run that started it: any process may take it. */
  apart?: boolean
}

export type NewRun = Pick<RunRow, 'id' | 'workflow' | 'version' | 'input' | 'parent' | 'created'> &
  Partial<Pick<RunRow, 'forked_from' | 'forked_at' | 'apart'>> & {
    /** For another process: this one does not execute it. */
    left?: boolean
  }

export interface Ending {
  status: 'done' | 'failed' | 'cancelled'
  output?: string | null
  reason?: string
  code?: string
}

export interface StepRow {
  position: number
  name: string
  kind: string
  state: StepRecord['state']
  value: string | null
  at: number
}

export interface SignalRow {
  number: number
  topic: string
  value: string | null
}

export interface Origin {
  id: string
  /** Steps before this one belong to the run it was forked from; 0 if it was not forked. */
  forkedAt: number
}

/** What an earlier process left of a run. */
export interface Past {
  steps: StepRow[]
  lineage: Origin[]
  /** Signals that no step has consumed. */
  signals: SignalRow[]
  /** The runs above it, the nearest first. */
  ancestors: string[]
}

export interface Journal {
  run(id: string): Task<RunRow | undefined>
  /** Runs that no living process executes. */
  abandoned(): Task<RunRow[]>
  /** The run and all runs below it that have not ended. */
  unfinishedTree(root: string): Task<RunRow[]>
  summaries(query: RunQuery & { id?: string }): Task<RunSummary[]>
  steps(run: number): Task<StepRow[]>
  past(row: RunRow): Task<Past>

  // The tasks below must run inside a transaction.

  /** The new run's row, or null if one with this id exists. */
  insertRun(run: NewRun): Task<RunRow | null>
  /** Takes a run that is running. False if it is not, or if another living process executes it. */
  claim(run: RunRow): Task<boolean>
  /** Whether the run is running, and this process executes it. */
  holds(run: number): Task<boolean>
  /** False if the run had already ended. */
  finish(run: number, ending: Ending, at: number): Task<boolean>
  /** False if the run was not running. */
  park(run: number, why: { reason: string; position?: number; code?: string }, at: number): Task<boolean>
  /** False if the run was not parked. */
  unpark(run: number, version: number, at: number): Task<boolean>
  /** False if the step is recorded already, or the run is no longer this process's: another executes it, or it has ended. */
  putStep(run: number, step: StepRow): Task<boolean>
  copySteps(from: number, to: number, before: number): Task<void>
  /** The signal's number, or null if one with this key was sent to this run before. */
  insertSignal(runId: string, topic: string, value: string | null, key: string | null): Task<number | null>
  consumeSignal(number: number, position: number): Task<void>
}

export type Log = (events: NewEvent[]) => Task<unknown>

/**
 * Runs `work` in one transaction with the facts it passes to `log`, and resolves once all is on disk. Calls `committed`
 * synchronously at that moment, in commit order, after listeners were notified.
 */
export type Write = <Value>(
  work: (log: Log) => Task<Value>,
  committed?: (value: Value) => void,
  beside?: Beside,
) => Promise<Value>

/** What may take place at the same time as a piece of work; nothing, unless it says so. */
export interface Beside {
  /** Work of other lanes in this process. Work of one lane takes place in order. */
  lane: string
  /** False: also what other processes write about the runs that they execute. */
  exclusive?: boolean
}

/** What an engine stands on. */
export interface JournalBase {
  readonly journal: Journal
  write: Write
  read<Value>(task: Task<Value>): Promise<Value>
}

/** The runs whose steps this one replays: itself, the run it was forked from, that one's origin. */
export function* lineageOf(journal: Journal, row: RunRow): Task<Origin[]> {
  const origins: Origin[] = []
  for (let next = row; ; ) {
    origins.push({ id: next.id, forkedAt: next.forked_at ?? 0 })
    if (next.forked_from === null) return origins
    const origin = yield* journal.run(next.forked_from)
    if (!origin) return [...origins, { id: next.forked_from, forkedAt: 0 }]
    next = origin
  }
}

export function* ancestorsOf(journal: Journal, row: RunRow): Task<string[]> {
  const ancestors: string[] = []
  for (let parent = row.parent; parent !== null; ) {
    ancestors.push(parent)
    parent = (yield* journal.run(parent))?.parent ?? null
  }
  return ancestors
}

export function toSummary(row: RunRow & { steps: number }): RunSummary {
  return {
    id: row.id,
    workflow: row.workflow,
    version: row.version,
    status: row.status,
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(row.code === null ? {} : { code: row.code }),
    ...(row.output === null ? {} : { result: JSON.parse(row.output) }),
    ...(row.parent === null ? {} : { parent: row.parent }),
    createdAt: row.created,
    updatedAt: row.updated,
    steps: row.steps,
  }
}
