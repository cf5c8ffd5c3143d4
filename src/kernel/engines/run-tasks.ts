/** What the engine writes about runs, as pieces of a transaction: the rows and the facts that belong to them. */
import type { Clock } from '../clock.ts'
import type { NewEvent } from '../events.ts'
import { runFinished, runForked, runParked, runRecovered, runStopRequested, runStream } from '../run-events.ts'
import type { Task } from '../stores/task.ts'
import type { DurableRun } from './durable-run.ts'
import type { Ending, Journal, Log, NewRun, Past, RunRow } from './journal.ts'
import { isUnfinished } from './run-checks.ts'
import { takenId, unknownRun } from './run-errors.ts'
import { stopTopic } from './waits.ts'

export class RunTasks {
  readonly #journal: Journal
  readonly #clock: Clock

  constructor(journal: Journal, clock: Clock) {
    this.#journal = journal
    this.#clock = clock
  }

  *row(runId: string): Task<RunRow> {
    const row = yield* this.#journal.run(runId)
    if (!row) throw unknownRun(runId)
    return row
  }

  /** Null if a run with this id exists, or the parent no longer executes. */
  *putRun(row: NewRun, facts: NewEvent[], log: Log, record?: () => Task<boolean>): Task<RunRow | null> {
    if (record && !(yield* record())) return null
    const inserted = yield* this.#journal.insertRun(row)
    if (inserted) yield* log(facts)
    else if ((yield* this.row(row.id)).workflow !== row.workflow) throw takenId(row.id)
    return inserted
  }

  *putFork(
    from: RunRow,
    { id, version, fromStep }: { id: string; version: number; fromStep: number },
    log: Log,
  ): Task<{ row: RunRow; past: Past } | null> {
    const copy = { id, workflow: from.workflow, version, input: from.input, parent: null, created: this.#clock.now() }
    const row = yield* this.#journal.insertRun({ ...copy, forked_from: from.id, forked_at: fromStep })
    if (!row) {
      if ((yield* this.row(id)).forked_from !== from.id) throw takenId(id)
      return null
    }
    yield* this.#journal.copySteps(from.number, row.number, fromStep)
    yield* log([runForked.create({ stream: runStream(id), run: id }, { from: from.id, fromStep })])
    return { row, past: yield* this.#journal.past(row) }
  }

  /** Null if the run can no longer be continued here. */
  *putTakeUp(row: RunRow, claim: () => Task<boolean>, fits: boolean, log: Log): Task<Past | null> {
    if (!(yield* claim())) return null
    const past = yield* this.#journal.past(row)
    const data = { steps: past.steps.length }
    if (fits) yield* log([runRecovered.create({ stream: runStream(row.id), run: row.id }, data)])
    return past
  }

  *putSignal(runId: string, topic: string, value: string | null, key: string | null): Task<number | null> {
    yield* this.row(runId)
    return yield* this.#journal.insertSignal(runId, topic, value, key)
  }

  *putEnding(run: DurableRun, ending: Ending, log: Log): Task<boolean> {
    if (!run.active || !(yield* this.#journal.holds(run.row.number))) return false
    // A step recorded ahead could not be written: the run has not ended, and is about to be released.
    if (!run.isRecorded) return false
    return yield* this.#finish(run.row, ending, log)
  }

  /** False if the run had already ended. */
  *#finish(row: RunRow, ending: Ending, log: Log): Task<boolean> {
    if (!(yield* this.#journal.finish(row.number, ending, this.#clock.now()))) return false
    const { status, reason } = ending
    const data = { status, ...(reason === undefined ? {} : { reason }) }
    yield* log([runFinished.create({ stream: runStream(row.id), run: row.id }, data)])
    return true
  }

  *cancelTree(runId: string, log: Log): Task<RunRow[]> {
    yield* this.row(runId)
    const cancelled: RunRow[] = []
    for (const row of yield* this.#journal.unfinishedTree(runId))
      if (yield* this.#finish(row, { status: 'cancelled', reason: 'cancelled' }, log)) cancelled.push(row)
    return cancelled
  }

  /** The runs that a stop reached for the first time. */
  *stopTree(runId: string, log: Log): Task<RunRow[]> {
    if (!isUnfinished(yield* this.row(runId))) return []
    const stopped: RunRow[] = []
    for (const row of yield* this.#journal.unfinishedTree(runId)) if (yield* this.#stopOne(row, log)) stopped.push(row)
    return stopped
  }

  /** False if a stop was requested before. */
  *#stopOne(row: RunRow, log: Log): Task<boolean> {
    if (row.status === 'needs-attention')
      return yield* this.#finish(row, { status: 'cancelled', reason: 'stopped while it needed attention' }, log)
    if ((yield* this.#journal.insertSignal(row.id, stopTopic, null, 'stop')) === null) return false
    yield* log([runStopRequested.create({ stream: runStream(row.id), run: row.id }, {})])
    return true
  }

  /** Only a pause parks what another process executes. */
  *putParked(
    row: RunRow,
    why: { reason: string; position?: number; code?: string; anywhere?: boolean },
    log: Log,
  ): Task<void> {
    if (!why.anywhere && !(yield* this.#journal.holds(row.number))) return
    if (!(yield* this.#journal.park(row.number, why, this.#clock.now()))) return
    const { reason, code } = why
    const data = { reason, ...(code === undefined ? {} : { code }) }
    yield* log([runParked.create({ stream: runStream(row.id), run: row.id }, data)])
  }
}
