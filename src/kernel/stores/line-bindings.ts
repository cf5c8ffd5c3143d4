/** The port that records which line of a rehearsal script answered which ask. */
import type { CallId } from '../agent.ts'

export interface LineBindings {
  /**
   * The line bound to `question` in `script`. If there is none yet, `choose` gets the lines that other questions of
   * this script have and picks one; the choice is on disk before this resolves. Resolves to `null` and binds nothing
   * if `choose` picks none. `choose` is synchronous, so that one transaction covers the read and the write; calls take
   * effect in the order they were made.
   */
  bind(script: string, question: CallId, choose: (used: ReadonlySet<number>) => number | null): Promise<number | null>
}

/** Keeps bindings in memory, for tests and dry runs. */
export class MemoryLineBindings implements LineBindings {
  readonly #scripts = new Map<string, Map<string, number>>()

  async bind(script: string, question: CallId, choose: (used: ReadonlySet<number>) => number | null) {
    const bound = this.#scripts.get(script) ?? new Map<string, number>()
    this.#scripts.set(script, bound)
    const key = JSON.stringify([question.run, question.step, question.try])
    const before = bound.get(key)
    if (before !== undefined) return before
    const line = choose(new Set(bound.values()))
    if (line !== null) bound.set(key, line)
    return line
  }
}
