/**
 * One merge at a time into a branch (MG1). Unlike a serial queue, an entry belongs to a run: it survives the run's steps, a
 * resumed run replaces its own, and a stop drops it.
 */

import { isWithin } from '../kernel/run-events.ts'

interface Waiter {
  run: string
  admit: () => void
}

export class MergeQueues {
  readonly #queues = new Map<string, Waiter[]>()

  /** Resolves when this run may merge; call the result when the merge is over. */
  enter(branch: string, run: string): Promise<() => void> {
    const queue = this.#queues.get(branch) ?? []
    this.#queues.set(branch, queue)
    // A run that was released and resumed enters again; its earlier wait never resolves.
    this.#remove(branch, (waiter) => waiter.run === run)
    return new Promise((resolve) => {
      const waiter: Waiter = {
        run,
        admit: () => resolve(() => this.#remove(branch, (other) => other === waiter)),
      }
      queue.push(waiter)
      if (queue[0] === waiter) waiter.admit()
    })
  }

  /** Call it when a tree of runs was stopped or parked: drops their entries. */
  forget(root: string): void {
    for (const branch of this.#queues.keys()) this.#remove(branch, ({ run }) => isWithin(run, root))
  }

  #remove(branch: string, isGone: (waiter: Waiter) => boolean): void {
    const queue = this.#queues.get(branch) ?? []
    const [first] = queue
    queue.splice(0, queue.length, ...queue.filter((waiter) => !isGone(waiter)))
    if (queue[0] && queue[0] !== first) queue[0].admit()
  }
}
