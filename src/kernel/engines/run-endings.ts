/** Callers that wait for a run to end, and how each is settled. */
import { RunFailed } from '../engine.ts'
import type { DurableRun } from './durable-run.ts'
import type { RunRow } from './journal.ts'
import { decode } from './outcome.ts'
import { unknownRun } from './run-errors.ts'

export type EndedRow = Pick<RunRow, 'status' | 'output' | 'reason' | 'code'>

interface Waiter {
  /** The run that waits. It replays, so it must never see anything that is not in the journal. */
  inRun: DurableRun | undefined
  resolve(value: unknown): void
  reject(error: unknown): void
}

export class RunEndings {
  readonly #read: (runId: string) => Promise<RunRow | undefined>
  /** Whether this process executes the run: then its row need not be read. */
  readonly #isUnderWay: (runId: string) => boolean
  readonly #letGo: (run: DurableRun, error: unknown) => void
  readonly #waiters = new Map<string, Waiter[]>()
  /** Runs that this process released after an error, and the error: they will not end here. */
  readonly #stranded = new Map<string, unknown>()

  constructor(
    read: (runId: string) => Promise<RunRow | undefined>,
    isUnderWay: (runId: string) => boolean,
    letGo: (run: DurableRun, error: unknown) => void,
  ) {
    this.#read = read
    this.#isUnderWay = isUnderWay
    this.#letGo = letGo
  }

  wait<Output>(runId: string, inRun?: DurableRun): Promise<Output> {
    return new Promise<Output>((resolve, reject) => {
      const waiter: Waiter = { inRun, resolve: resolve as (value: unknown) => void, reject }
      const waiters = this.#waiters.get(runId)
      if (waiters) waiters.push(waiter)
      else this.#waiters.set(runId, [waiter])
      if (!this.#isUnderWay(runId)) this.settle(runId)
    })
  }

  /**
   * Call it whenever a run may have ended, with its row if known. A parked run may be resumed: a waiting parent run keeps
   * waiting, every other waiter is settled.
   */
  settle(runId: string, known?: EndedRow): void {
    if (!this.#waiters.has(runId)) return
    if (known) this.#settleAll(runId, known)
    else
      this.#read(runId).then(
        (row) => this.#settleAll(runId, row),
        (error) => this.#giveUp(runId, error),
      )
  }

  #settleAll(runId: string, row: EndedRow | undefined): void {
    const waiters = this.#waiters.get(runId)
    if (!waiters) return
    if (row?.status === 'running') {
      if (this.#stranded.has(runId)) this.strand(runId, this.#stranded.get(runId))
      return
    }
    const staying = row?.status === 'needs-attention' ? waiters.filter((waiter) => waiter.inRun) : []
    if (staying.length > 0) this.#waiters.set(runId, staying)
    else this.#waiters.delete(runId)
    for (const waiter of waiters) if (!staying.includes(waiter)) settleWaiter(waiter, runId, row)
  }

  /** The run was released after an error: rejects outside waiters, releases the runs that wait for it. */
  strand(runId: string, error: unknown): void {
    this.#stranded.set(runId, error)
    this.#giveUp(runId, error)
  }

  #giveUp(runId: string, error: unknown): void {
    const waiters = this.#waiters.get(runId) ?? []
    this.#waiters.delete(runId)
    for (const waiter of waiters) {
      if (waiter.inRun) this.#letGo(waiter.inRun, error)
      else waiter.reject(error)
    }
  }

  /** The error for which the run was released. */
  strandedBy(runId: string): unknown {
    return this.#stranded.get(runId)
  }

  /** The run was resumed, or parked. */
  unstrand(runId: string): void {
    this.#stranded.delete(runId)
  }

  close(error: unknown): void {
    for (const waiters of this.#waiters.values()) for (const waiter of waiters) if (!waiter.inRun) waiter.reject(error)
    this.#waiters.clear()
  }
}

function settleWaiter(waiter: Waiter, runId: string, row: EndedRow | undefined): void {
  if (!row) waiter.reject(unknownRun(runId))
  else if (row.status === 'done') waiter.resolve(decode(row.output))
  else waiter.reject(new RunFailed(runId, row.status, row.reason ?? row.status, row.code ?? undefined))
}
