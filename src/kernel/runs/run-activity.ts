/** Which runs of this process are working and which are waiting: work whose runs all wait, with a question open, waits for a person. */
import { isWithin } from '../run-events.ts'

export class RunActivity {
  readonly #runs = new Map<string, 'working' | 'waiting'>()

  begin(run: string): void {
    this.#runs.set(run, 'working')
  }

  end(run: string): void {
    this.#runs.delete(run)
  }

  has(run: string): boolean {
    return this.#runs.has(run)
  }

  /** Counts the run as waiting until `wait` resolves. A wait that rejects ends the run, so it needs no clean-up here. */
  async whileWaiting<Value>(run: string, wait: () => Promise<Value>): Promise<Value> {
    this.#runs.set(run, 'waiting')
    const value = await wait()
    this.#runs.set(run, 'working')
    return value
  }

  /** Whether no run of this tree is working. */
  isIdle(root: string): boolean {
    return [...this.#runs].every(([run, state]) => state === 'waiting' || !isWithin(run, root))
  }

  /** Call it when a tree is parked or cancelled: its runs no longer reach their own `end`. */
  forget(root: string): void {
    for (const run of this.#runs.keys()) if (isWithin(run, root)) this.#runs.delete(run)
  }
}
