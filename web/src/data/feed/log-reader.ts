/**
 * Reads the log up to now and then follows live events, without gaps or repeats: events that arrive while reading are
 * queued.
 */
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
  /** Read before the log, once. */
  first?: () => Promise<StoredEvent[]>
  /** Called after `first`, before the rest of the log is read. */
  firstTaken?: () => void
  /** Awaited before each page, to let more urgent work run. */
  pause?: () => Promise<void>
  /** Stops after this many pages and follows live events from there. */
  mostPages?: number
}

export class LogReader {
  readonly #options: LogReaderOptions
  readonly #early: StoredEvent[] = []
  #reading: Promise<boolean> | null = null
  #again = false
  #begun = false
  /** No event before the last one taken is missing. */
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

  /** Returns whether the event was taken now; while earlier events may be missing, it is queued. */
  receive(event: StoredEvent): boolean {
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
