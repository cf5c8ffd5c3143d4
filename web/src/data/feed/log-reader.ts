/** Reads the log up to now and then listens, without a gap and without a repeat: what is heard while reading waits its turn. */
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import { eventPages } from './event-pages.ts'

export interface LogReaderOptions {
  room?: string
  /** Only of this run and those below it. */
  run?: string
  feature?: string
  /** Separated by commas; all where none are named. */
  types?: string
  /** The last event that was taken. */
  lastSeq(): number
  take(event: StoredEvent): void
  /** What is taken before anything else, at the first reading. */
  first?: () => Promise<StoredEvent[]>
  /** Those have been taken, and there may be more to read. */
  firstTaken?: () => void
  /** Waited for before each page: lets what is more urgent go first. */
  pause?: () => Promise<void>
  /** More than this many pages are not read; the reader then goes on from what it hears. */
  mostPages?: number
}

export class LogReader {
  readonly #options: LogReaderOptions
  readonly #early: StoredEvent[] = []
  #reading: Promise<boolean> | null = null
  #again = false
  #begun = false
  /** Nothing that happened before the last event taken is missing. */
  #current = false

  constructor(options: LogReaderOptions) {
    this.#options = options
  }

  /** Safe to call at any time. True when the end was reached. */
  catchUp(): Promise<boolean> {
    if (this.#reading) this.#again = true
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null
    })
    return this.#reading
  }

  /** Whether it was taken at once: while something before it may be missing, it waits. */
  hear(event: StoredEvent): boolean {
    if (this.#current && !this.#reading) return this.#take(event)
    this.#early.push(event)
    return false
  }

  async #read(): Promise<boolean> {
    this.#current = false
    const complete = await this.#readPages()
    this.#current = true
    for (const event of this.#early.splice(0)) this.#take(event)
    return complete
  }

  async #readPages(): Promise<boolean> {
    const {
      room,
      run,
      feature,
      types,
      lastSeq,
      first,
      firstTaken,
      pause,
      mostPages = Number.POSITIVE_INFINITY,
    } = this.#options
    if (!this.#begun && first) {
      for (const event of await first()) this.#take(event)
      firstTaken?.()
    }
    this.#begun = true
    let pages = 0
    do {
      this.#again = false
      for await (const events of eventPages({ after: lastSeq(), room, run, feature, types })) {
        for (const event of events) this.#take(event)
        pages += 1
        if (pages >= mostPages) return false
        await pause?.()
      }
    } while (this.#again)
    return true
  }

  #take(event: StoredEvent): boolean {
    if (event.seq <= this.#options.lastSeq()) return false
    this.#options.take(event)
    return true
  }
}
