/** The pieces of work that share a transaction on Postgres. */
import { type PostgresBatch, runInTransaction } from './postgres-transaction.ts'
import type { Task } from './task.ts'

export interface Piece {
  work: () => Task<unknown>
  /** Pieces of one lane take place in order. Without one, nothing else takes place meanwhile. */
  lane: string | undefined
}

/** Runs the pieces of a transaction: lanes side by side, pieces of one lane and pieces without one after the other. */
export async function runPieces(batch: Piece[], transaction: PostgresBatch): Promise<unknown[]> {
  // All begin at once: whether a run still executes is then the same for everything that it queued together.
  const begun = batch.map(({ work, lane }, index) => {
    const task = work()
    return { task, first: task.next(), lane, index }
  })
  const values: unknown[] = []
  const runOne = async ({ task, first, index }: (typeof begun)[number]) => {
    values[index] = await runInTransaction(task, transaction.piece(index), first)
  }
  for (let from = 0; from < begun.length; ) {
    const alone = begun.findIndex(({ lane }, index) => index >= from && lane === undefined)
    const until = alone === from ? from + 1 : alone === -1 ? begun.length : alone
    const lanes = Map.groupBy(begun.slice(from, until), ({ lane }) => lane)
    const runLane = async (pieces: typeof begun) => {
      for (const piece of pieces) await runOne(piece)
    }
    await all([...lanes.values()].map(runLane))
    transaction.order()
    from = until
  }
  return values
}

/** Waits for all, then throws the error that caused the others, if there is one. */
export async function all(work: Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).filter((result) => result.status === 'rejected')
  if (failed.length === 0) return
  throw (failed.find(({ reason }) => reason?.code !== abortedTransaction) ?? failed[0]!).reason
}

/** Postgres refuses every statement after one that failed. */
const abortedTransaction = '25P02'
