/** Who works and who waits, among the runs of one piece of work: where all wait, and a question is open, it waits for a person. */
export class Attendance {
  readonly #runs = new Map<string, 'working' | 'waiting'>()

  arrive(run: string): void {
    this.#runs.set(run, 'working')
  }

  leave(run: string): void {
    this.#runs.delete(run)
  }

  knows(run: string): boolean {
    return this.#runs.has(run)
  }

  /** While `wait` lasts the run counts as waiting. */
  async during<Value>(run: string, wait: () => Promise<Value>): Promise<Value> {
    this.#runs.set(run, 'waiting')
    const value = await wait()
    this.#runs.set(run, 'working')
    return value
  }

  isIdle(root: string): boolean {
    const states = [...this.#runs].filter(([run]) => run === root || run.startsWith(`${root}/`))
    return states.every(([, state]) => state === 'waiting')
  }

  forget(root: string): void {
    for (const run of this.#runs.keys()) if (run === root || run.startsWith(`${root}/`)) this.#runs.delete(run)
  }
}
