/** The port to who remembers which line of a rehearsal script answered which question. */
import type { CallId } from '../agent.ts'

export interface LineBindings {
  /**
   * The line bound to `question` in `script`. Where there is none yet, `choose` is given the lines that other questions
   * of this script already have and picks one; that choice is on disk before this resolves. `null` (nothing is bound)
   * where it picks none. `choose` is synchronous, so one transaction can hold the look and the write; calls take effect
   * in the order they were made.
   */
  bind(script: string, question: CallId, choose: (used: ReadonlySet<number>) => number | null): Promise<number | null>
}

/** Remembers for as long as the process lives: tests and dry runs. */
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
