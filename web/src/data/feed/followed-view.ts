/**
 * A view that a page keeps up to date: read as the server folded it, with the `seq` it stands at, then folded on with live
 * events by the server's own code. After a reconnect the missed events are read from the log.
 */
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import { frameBatch } from '../frame-batch.ts'
import { ApiError } from '../request.ts'
import { type Settable, watched } from '../watched.ts'
import { LogReader, type LogReaderOptions } from './log-reader.ts'

type Phase = 'loading' | 'ready' | 'missing' | 'failed'

/** `Shown` is what a page renders. It may be changed in place: `revision` rises with every change. */
export type Followed<Shown> = Shown & {
  phase: Phase
  problem?: string
  revision: number
}

export interface FollowedViewOptions<View, Shown> {
  initial: View
  read(): Promise<{ view: View; seq: number }>
  evolve(view: View, event: StoredEvent): View
  /** Whether a live event belongs to the view; it must match the same events as `log`. */
  includes(event: StoredEvent): boolean
  log: Pick<LogReaderOptions, 'run' | 'feature' | 'types'>
  /** `since` is where the view stood when this page first read it. */
  show(view: View, before: Shown | null, since: number): Shown
}

export class FollowedView<View, Shown extends object> {
  readonly state: Settable<Followed<Shown>>
  readonly #options: FollowedViewOptions<View, Shown>
  readonly #reader: LogReader
  readonly #showSoon = frameBatch(() => this.#show('ready'))
  #view: View
  #seq = 0
  #since = 0

  constructor(options: FollowedViewOptions<View, Shown>) {
    this.#options = options
    this.#view = options.initial
    const shown = options.show(this.#view, null, 0)
    this.state = watched<Followed<Shown>>({ ...shown, phase: 'loading', revision: 0 })
    this.#reader = new LogReader({
      ...options.log,
      lastSeq: () => this.#seq,
      take: (event) => {
        this.#seq = event.seq
        this.#view = options.evolve(this.#view, event)
      },
      first: () => this.#readView(),
      firstTaken: () => this.#show('ready'),
    })
  }

  /** Reads what is missing; safe to call at any time. A failure keeps what is shown already. */
  async catchUp(): Promise<void> {
    try {
      await this.#reader.catchUp()
      this.#show('ready')
    } catch (error) {
      if (this.state.get().phase === 'ready') return
      const isMissing = error instanceof ApiError && error.status === 404
      this.#show(isMissing ? 'missing' : 'failed', error instanceof Error ? error.message : String(error))
    }
  }

  receive(event: StoredEvent): void {
    if (!this.#options.includes(event)) return
    if (this.state.get().phase === 'missing') void this.catchUp()
    else if (this.#reader.receive(event)) this.#showSoon()
  }

  /** Shows again what depends on more than the view. */
  refresh(): void {
    if (this.state.get().phase === 'ready') this.#showSoon()
  }

  async #readView(): Promise<StoredEvent[]> {
    const { view, seq } = await this.#options.read()
    this.#view = view
    this.#seq = seq
    this.#since = seq
    return []
  }

  #show(phase: Phase, problem?: string): void {
    const before = this.state.get()
    const shown = this.#options.show(this.#view, before, this.#since)
    const failure = problem === undefined ? {} : { problem }
    this.state.set({ ...shown, ...failure, phase, revision: before.revision + 1 })
  }
}
