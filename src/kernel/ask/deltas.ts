/** Streams reply text to listeners, with secrets redacted. Pieces are never stored; the complete reply is. */
import type { TextStream } from '../redaction/redact-stream.ts'

export interface Delta {
  /** The ask it belongs to: the same across attempts and restarts. */
  ask: string
  /** A higher attempt replaces what a lower one sent. */
  attempt: number
  /** The offset of this piece in the text sent so far, in UTF-16 units. */
  offset: number
  text: string
}

/** Where a text is shown, like its events. */
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

  /** Creates a redactor for one text. */
  constructor(redacted: () => TextStream) {
    this.#redacted = redacted
  }

  /** Starts a new attempt: what an earlier one sent is void. */
  begin(stream: string, ask: string, attempt: number, feature?: string): void {
    const place = { stream, feature }
    this.#partials.set(ask, { place, attempt, text: '', redacted: this.#redacted() })
    this.#emit(place, { ask, attempt, offset: 0, text: '' })
  }

  push(ask: string, text: string): void {
    const partial = this.#partials.get(ask)
    if (partial) this.#send(ask, partial, partial.redacted.push(text))
  }

  /** The reply is complete, or was given up. */
  end(ask: string): void {
    const partial = this.#partials.get(ask)
    if (!partial) return
    this.#send(ask, partial, partial.redacted.end())
    this.#partials.delete(ask)
  }

  /** What has streamed so far, for a new listener. */
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
    this.#emit(partial.place, { ask, attempt: partial.attempt, offset, text })
  }

  #emit(place: DeltaPlace, delta: Delta): void {
    for (const listener of this.#listeners) listener(place, delta)
  }
}
