/** Text as it streams in, without secrets. It is never stored: the whole reply is, once it is there. */
import type { TextStream } from '../redaction/redact-stream.ts'

export interface Delta {
  /** Whose words: the same over tries and restarts. */
  ask: string
  /** A higher attempt replaces what a lower one sent. */
  attempt: number
  /** Where in the text as it is sent this piece begins, in UTF-16 units. */
  offset: number
  text: string
}

/** Where a text is shown, as its events are. */
export interface DeltaPlace {
  stream: string
  feature?: string | undefined
}

interface Partial {
  place: DeltaPlace
  attempt: number
  text: string
  redacted: TextStream
}

type Listener = (place: DeltaPlace, delta: Delta) => void

export class Deltas {
  readonly #partials = new Map<string, Partial>()
  readonly #listeners = new Set<Listener>()
  readonly #redacted: () => TextStream

  /** What takes secrets out of one text: a new one for each. */
  constructor(redacted: () => TextStream) {
    this.#redacted = redacted
  }

  /** A new try at an ask: what an earlier one sent no longer counts. */
  begin(stream: string, ask: string, attempt: number, feature?: string): void {
    const place = { stream, feature }
    this.#partials.set(ask, { place, attempt, text: '', redacted: this.#redacted() })
    this.#tell(place, { ask, attempt, offset: 0, text: '' })
  }

  push(ask: string, text: string): void {
    const partial = this.#partials.get(ask)
    if (partial) this.#send(ask, partial, partial.redacted.push(text))
  }

  /** The reply is whole, or will never be. */
  end(ask: string): void {
    const partial = this.#partials.get(ask)
    if (!partial) return
    this.#send(ask, partial, partial.redacted.end())
    this.#partials.delete(ask)
  }

  /** What has streamed so far, for someone who has just come. */
  current(): { place: DeltaPlace; delta: Delta }[] {
    return [...this.#partials].map(([ask, { place, attempt, text }]) => ({
      place,
      delta: { ask, attempt, offset: 0, text },
    }))
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #send(ask: string, partial: Partial, text: string): void {
    if (text === '') return
    const offset = partial.text.length
    partial.text += text
    this.#tell(partial.place, { ask, attempt: partial.attempt, offset, text })
  }

  #tell(place: DeltaPlace, delta: Delta): void {
    for (const listener of this.#listeners) listener(place, delta)
  }
}
