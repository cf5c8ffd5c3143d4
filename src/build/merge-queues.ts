/** One merge at a time into a branch (MG1). A place in the queue belongs to a run and outlives its steps, not its process. */

import { isWithin } from '../kernel/run-events.ts'

interface Place {
  run: string
  admit: () => void
}

export class MergeQueues {
  readonly #queues = new Map<string, Place[]>()

  /** Resolves when it is this run's turn; call what it gives when the merge is over. */
  enter(branch: string, run: string): Promise<() => void> {
    const queue = this.#queues.get(branch) ?? []
    this.#queues.set(branch, queue)
    // The run was let go of and taken up again: whoever waited on its behalf never hears back.
    this.#remove(branch, (place) => place.run === run)
    return new Promise((resolve) => {
      const place: Place = {
        run,
        admit: () => resolve(() => this.#remove(branch, (other) => other === place)),
      }
      queue.push(place)
      if (queue[0] === place) place.admit()
    })
  }

  /** A run and those below it were stopped: their places are free. */
  forget(root: string): void {
    for (const branch of this.#queues.keys()) this.#remove(branch, ({ run }) => isWithin(run, root))
  }

  #remove(branch: string, isGone: (place: Place) => boolean): void {
    const queue = this.#queues.get(branch) ?? []
    const [first] = queue
    queue.splice(0, queue.length, ...queue.filter((place) => !isGone(place)))
    if (queue[0] && queue[0] !== first) queue[0].admit()
  }
}
