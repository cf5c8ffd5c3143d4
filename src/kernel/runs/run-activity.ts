/** Which runs of this process are working and which are waiting: work whose runs all wait, with a question open, waits for a person. */
import { isWithin } from '../run-events.ts'

export class RunActivity {
  /** One entry per execution: a run that was parked and resumed has a new one. */
  readonly #runs = new Map<string, { isWaiting: boolean }>()

  /** Counts the run as active until `work` settles. */
  async during<Value>(run: string, work: () => Promise<Value>): Promise<Value> {
    const execution = { isWaiting: false }
    this.#runs.set(run, execution)
    try {
      return await work()
    } finally {
      if (this.#runs.get(run) === execution) this.#runs.delete(run)
    }
  }

  has(run: string): boolean {
    return this.#runs.has(run)
  }

  /** Counts an active run as waiting until `wait` settles. */
  async whileWaiting<Value>(run: string, wait: () => Promise<Value>): Promise<Value> {
    const execution = this.#runs.get(run)
    if (execution) execution.isWaiting = true
    try {
      return await wait()
    } finally {
      if (execution) execution.isWaiting = false
    }
  }

  /** Whether no run of this tree is working. */
  isIdle(root: string): boolean {
    return [...this.#runs].every(([run, { isWaiting }]) => isWaiting || !isWithin(run, root))
  }

  /** Call it when a tree is parked or cancelled: its executions may never settle. */
  forget(root: string): void {
    for (const run of this.#runs.keys()) if (isWithin(run, root)) this.#runs.delete(run)
  }
}
