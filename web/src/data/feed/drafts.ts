/** The replies that are streaming now, by ask. Each has its own listeners, so one stream re-renders one row. */
import { frameBatch } from '../frame-batch.ts'
import { addDelta, type Delta, type Draft } from './draft.ts'

export class Drafts {
  readonly #drafts = new Map<string, Draft>()
  readonly #listeners = new Map<string, Set<() => void>>()
  readonly #changed = new Set<string>()
  readonly #publishSoon = frameBatch(() => this.#publish())

  add(delta: Delta): void {
    const draft = addDelta(this.#drafts.get(delta.ask), delta)
    if (draft === undefined) return
    this.#drafts.set(delta.ask, draft)
    this.#changed.add(delta.ask)
    this.#publishSoon()
  }

  /** The complete reply is in the log, or there will be none. */
  forget(ask: string): void {
    if (!this.#drafts.delete(ask)) return
    this.#changed.add(ask)
    this.#publishSoon()
  }

  text(ask: string): string | undefined {
    return this.#drafts.get(ask)?.text
  }

  subscribe(ask: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(ask) ?? new Set()
    this.#listeners.set(ask, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#listeners.delete(ask)
    }
  }

  #publish(): void {
    const changed = [...this.#changed]
    this.#changed.clear()
    for (const ask of changed) for (const listener of this.#listeners.get(ask) ?? []) listener()
  }
}
