/** Text as it streams in. It is never stored: the whole reply is, once it is there. */

export interface Delta {
  /** Whose words: the same over tries and restarts. */
  ask: string
  /** A higher attempt replaces what a lower one sent. */
  attempt: number
  /** Where in the text this piece begins, in UTF-16 units. */
  offset: number
  text: string
}

interface Partial {
  stream: string
  attempt: number
  text: string
}

type Listener = (stream: string, delta: Delta) => void

export class Deltas {
  readonly #partials = new Map<string, Partial>()
  readonly #listeners = new Set<Listener>()

  /** A new try at an ask: what an earlier one sent no longer counts. */
  begin(stream: string, ask: string, attempt: number): void {
    this.#partials.set(ask, { stream, attempt, text: '' })
    this.#tell(stream, { ask, attempt, offset: 0, text: '' })
  }

  push(ask: string, text: string): void {
    const partial = this.#partials.get(ask)
    if (!partial || text === '') return
    const offset = partial.text.length
    partial.text += text
    this.#tell(partial.stream, { ask, attempt: partial.attempt, offset, text })
  }

  /** The whole reply is in the log now. */
  end(ask: string): void {
    this.#partials.delete(ask)
  }

  /** What has streamed so far, for someone who has just come. */
  current(): { stream: string; delta: Delta }[] {
    return [...this.#partials].map(([ask, { stream, attempt, text }]) => ({
      stream,
      delta: { ask, attempt, offset: 0, text },
    }))
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #tell(stream: string, delta: Delta): void {
    for (const listener of this.#listeners) listener(stream, delta)
  }
}
