/** When each agent that a run asked last produced output: a token, a tool call, a heartbeat. */
import type { Clock } from '../clock.ts'

export class SignsOfLife {
  readonly #clock: Clock
  readonly #last = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  note(run: string, agent: string): void {
    this.#last.set(`${run} ${agent}`, this.#clock.now())
  }

  last(run: string, agent: string): number | undefined {
    return this.#last.get(`${run} ${agent}`)
  }

  forget(run: string, agent: string): void {
    this.#last.delete(`${run} ${agent}`)
  }
}
