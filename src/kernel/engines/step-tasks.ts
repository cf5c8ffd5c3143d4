/** What a run writes about its steps, as pieces of a transaction. Once the run is no longer active they write nothing. */
import type { Clock } from '../clock.ts'
import type { EventKey, NewEvent } from '../events.ts'
import type { Task } from '../stores/task.ts'
import type { Journal, Log, RunRow, SignalRow, StepRow } from './journal.ts'
import type { Outcome } from './outcome.ts'
import { takenOver } from './run-errors.ts'
import type { StepEnding } from './step-ending.ts'

/** A step on its way into the journal; `record` is what an earlier process left of it. */
export interface Entry {
  position: number
  name: string
  kind: string
  record: StepRow | undefined
}

/** Written in the same transaction as a step's record. */
export interface Companions {
  events?: NewEvent[]
  signal?: SignalRow
  also?: () => Task<void>
}

interface ExecutingRun {
  readonly row: RunRow
  readonly active: boolean
}

interface TaskDeps {
  readonly journal: Journal
  readonly clock: Clock
}

export class StepTasks {
  readonly #run: ExecutingRun
  readonly #deps: TaskDeps
  /** Positions of steps recorded ahead whose record could not be written. */
  readonly #lost = new Set<number>()

  constructor(run: ExecutingRun, deps: TaskDeps) {
    this.#run = run
    this.#deps = deps
  }

  /** Whether the journal has every step that was recorded ahead. Call it inside a transaction. */
  get isComplete(): boolean {
    return this.#lost.size === 0
  }

  *putRecord(log: Log, entry: Entry, outcome: Outcome, { events, signal, also }: Companions): Task<void> {
    if (!this.#run.active) return
    yield* this.#putStep(entry, outcome)
    yield* this.#logEmitted(log, entry, events)
    if (signal) yield* this.#deps.journal.consumeSignal(signal.number, entry.position)
    if (also) yield* also()
  }

  *putRecordAhead(log: Log, entry: Entry, outcome: Outcome, events: NewEvent[]): Task<void> {
    if (!this.#run.active) return
    this.#lost.add(entry.position)
    yield* this.#putStep(entry, outcome)
    yield* this.#logEmitted(log, entry, events)
    this.#lost.delete(entry.position)
  }

  /** False if the run is no longer active. */
  *putChild(entry: Entry, id: string): Task<boolean> {
    if (!this.#run.active) return false
    yield* this.#putStep(entry, { state: 'done', value: JSON.stringify(id) })
    return true
  }

  *putDeadline(entry: Entry, until: number): Task<void> {
    if (this.#run.active) yield* this.#putStep(entry, { state: 'waiting', value: JSON.stringify(until) })
  }

  /** A fact of a step that is executing. */
  *putFact(log: Log, event: NewEvent, key: EventKey, ending: StepEnding): Task<void> {
    if (!ending.ended) yield* log([{ ...event, key }])
  }

  *#logEmitted(log: Log, entry: Entry, events: NewEvent[] = []): Task<void> {
    if (events.length === 0) return
    const step = `${entry.position}=`
    yield* log(events.map((event, n) => ({ ...event, key: { run: this.#run.row.id, step, n } })))
  }

  *#putStep(entry: Entry, outcome: Pick<StepRow, 'state' | 'value'>): Task<void> {
    const { row } = this.#run
    const { journal, clock } = this.#deps
    const { position, name, kind } = entry
    const step = { position, name, kind, ...outcome, at: clock.now() }
    if (!(yield* journal.putStep(row.number, step))) throw takenOver(row.id, position)
  }
}
