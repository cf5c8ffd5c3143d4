/** What an executing run needs from its engine. */
import type { Clock } from '../clock.ts'
import type { RunHandle, Workflow } from '../engine.ts'
import type { Task } from '../stores/task.ts'
import type { DurableRun } from './durable-run.ts'
import type { Journal, SignalRow, Write } from './journal.ts'
import type { Redact } from './outcome.ts'

export interface RunDeps {
  readonly clock: Clock
  readonly journal: Journal
  readonly redact: Redact
  write: Write
  startChild<Output>(workflow: Workflow<never, Output>, input: unknown, child: ChildStart): Promise<RunHandle<Output>>
  /** The handle that a parent gets for its child. */
  handle<Output>(runId: string, parent: DurableRun): RunHandle<Output>
  deliver(runId: string, signal: SignalRow): void
  /** Parks the run: the code no longer fits the journal. */
  park(run: DurableRun, position: number, reason: string): void
  /** Releases the run: nothing can be recorded for it now. */
  letGo(run: DurableRun, error: unknown): void
  observe(moment: RunMoment): void
  /** Whether no further step may start. */
  draining(): boolean
  /** Undefined if a step may begin at once. */
  permission(): Promise<void> | undefined
}

export interface ChildStart {
  id: string
  apart: boolean
  parent: DurableRun
  /** Records the step in the parent's journal; false if the parent no longer executes. */
  record(): Task<boolean>
}

/** Points in a run's execution; crash tests end the process at each. */
export interface RunMoment {
  at: 'before-step' | 'step-done' | 'step-recorded' | 'wait-begun'
  run: string
  position: number
  name: string
}
