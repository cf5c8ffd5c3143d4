/** Keeps the overviews of runs that somebody looked at, and lets each catch up with the log when it is asked for again. */
import type { StoredEvent } from '../kernel/events.ts'
import type { EventQuery, Store } from '../kernel/store.ts'
import { countEvents, type OverviewState, overviewTypes, type RunOverview, runOverview } from './overview.ts'
import { evolveLine, lineTypes, type RunLine } from './overview-lines.ts'

/** A run of a hundred thousand events is folded in half a second: one that nobody looks at is let go of. */
const mostKept = 8
/** So much is read at once; others get their turn in between. */
const pageSize = 20_000

interface Bookmark {
  /** What is in the log up to here has been taken. */
  seq: number
}

interface Kept extends Bookmark {
  state: OverviewState
  reading: Promise<void>
}

export class RunOverviews {
  readonly #store: Store
  /** The one that was asked for last stands last. */
  readonly #kept = new Map<string, Kept>()
  readonly #lines = new Map<string, RunLine>()
  readonly #linesMark: Bookmark = { seq: 0 }
  #readingLines: Promise<void> = Promise.resolve()

  constructor(store: Store) {
    this.#store = store
  }

  async of(run: string): Promise<RunOverview> {
    const kept = this.#kept.get(run) ?? { state: runOverview(run).initial(), seq: 0, reading: Promise.resolve() }
    this.#kept.delete(run)
    this.#kept.set(run, kept)
    for (const [oldest] of this.#kept) if (this.#kept.size > mostKept) this.#kept.delete(oldest)
    const catchUp = () => this.#catchUp(run, kept)
    kept.reading = kept.reading.then(catchUp, catchUp)
    await kept.reading
    return kept.state.view
  }

  /** One line for every run there ever was. */
  async lines(): Promise<ReadonlyMap<string, RunLine>> {
    const catchUp = () => this.#catchUpLines()
    this.#readingLines = this.#readingLines.then(catchUp, catchUp)
    await this.#readingLines
    return this.#lines
  }

  /** Most of a long log only counts: it is counted where it lies. */
  async #catchUp(run: string, kept: Kept): Promise<void> {
    const before = kept.seq
    const { evolve } = runOverview(run)
    await this.#readOn(kept, { run, types: overviewTypes }, (event) => {
      kept.state = evolve(kept.state, event)
    })
    for (const { type, count } of await this.#store.count({ run, after: before, before: kept.seq + 1 }))
      if (!overviewTypes.includes(type)) countEvents(kept.state, type, count)
    kept.state.view.seq = kept.seq
  }

  #catchUpLines(): Promise<void> {
    return this.#readOn(this.#linesMark, { types: lineTypes }, (event) => {
      evolveLine(this.#lines, event, Date.parse(event.ts))
    })
  }

  /** From the bookmark up to where the log ends now. */
  async #readOn(mark: Bookmark, wanted: EventQuery, take: (event: StoredEvent) => void): Promise<void> {
    const end = await this.#store.lastSeq()
    while (mark.seq < end) {
      const page = await this.#store.read({ ...wanted, after: mark.seq, before: end + 1, limit: pageSize })
      for (const event of page) take(event)
      mark.seq = page.length < pageSize ? end : page.at(-1)!.seq
      if (mark.seq < end) await new Promise<void>((resolve) => setImmediate(resolve))
    }
  }
}
