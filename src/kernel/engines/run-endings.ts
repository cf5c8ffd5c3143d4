/** Who waits for the end of which run, and what they are told. */
import { RunFailed } from '../engine.ts'
import type { RunRow } from './journal.ts'
import { decode } from './outcome.ts'
import { unknownRun } from './run-errors.ts'
import type { SqliteRun } from './sqlite-run.ts'

export type EndedRow = Pick<RunRow, 'status' | 'output' | 'reason' | 'code'>

interface Waiter {
  /** The run that waits. It replays, so it must never hear of anything that is not in the journal. */
  inRun: SqliteRun | undefined
  resolve(value: unknown): void
  reject(error: unknown): void
}

export class RunEndings {
  readonly #read: (runId: string) => RunRow | undefined
  /** Whether this process is at work on it: then there is no need to read how it stands. */
  readonly #isUnderWay: (runId: string) => boolean
  readonly #letGo: (run: SqliteRun, error: unknown) => void
  readonly #waiters = new Map<string, Waiter[]>()
  /** Runs that this process had to let go of, and why: nobody here will bring them to an end. */
  readonly #stranded = new Map<string, unknown>()

  constructor(
    read: (runId: string) => RunRow | undefined,
    isUnderWay: (runId: string) => boolean,
    letGo: (run: SqliteRun, error: unknown) => void,
  ) {
    this.#read = read
    this.#isUnderWay = isUnderWay
    this.#letGo = letGo
  }

  wait<Output>(runId: string, inRun?: SqliteRun): Promise<Output> {
    return new Promise<Output>((resolve, reject) => {
      const waiter: Waiter = { inRun, resolve: resolve as (value: unknown) => void, reject }
      const waiters = this.#waiters.get(runId)
      if (waiters) waiters.push(waiter)
      else this.#waiters.set(runId, [waiter])
      if (!this.#isUnderWay(runId)) this.tell(runId)
    })
  }

  /**
   * Call it whenever a run may have ended, with its row where that is known. A parked run may go on later: a parent waits
   * for that, a person is told.
   */
  tell(runId: string, known?: EndedRow): void {
    const waiters = this.#waiters.get(runId)
    if (!waiters) return
    const row = known ?? this.#read(runId)
    if (row?.status === 'running') {
      if (this.#stranded.has(runId)) this.strand(runId, this.#stranded.get(runId))
      return
    }
    const staying = row?.status === 'needs-attention' ? waiters.filter((waiter) => waiter.inRun) : []
    if (staying.length > 0) this.#waiters.set(runId, staying)
    else this.#waiters.delete(runId)
    for (const waiter of waiters) if (!staying.includes(waiter)) settle(waiter, runId, row)
  }

  /** The run was let go of: outsiders hear why; runs that wait for it are let go of as well. */
  strand(runId: string, error: unknown): void {
    this.#stranded.set(runId, error)
    const waiters = this.#waiters.get(runId) ?? []
    this.#waiters.delete(runId)
    for (const waiter of waiters) {
      if (waiter.inRun) this.#letGo(waiter.inRun, error)
      else waiter.reject(error)
    }
  }

  /** The run has been taken up again. */
  unstrand(runId: string): void {
    this.#stranded.delete(runId)
  }

  close(error: unknown): void {
    for (const waiters of this.#waiters.values()) for (const waiter of waiters) if (!waiter.inRun) waiter.reject(error)
    this.#waiters.clear()
  }
}

function settle(waiter: Waiter, runId: string, row: EndedRow | undefined): void {
  if (!row) waiter.reject(unknownRun(runId))
  else if (row.status === 'done') waiter.resolve(decode(row.output))
  else waiter.reject(new RunFailed(runId, row.status, row.reason ?? row.status, row.code ?? undefined))
}
