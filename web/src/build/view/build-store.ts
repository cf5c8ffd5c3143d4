/** One build, kept true: read as the server has folded it, and folded on from there with what the live connection tells. */
import { type BuildView, buildView } from '../../../../src/build/view.ts'
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import { getBuild } from '../../data/calls/builds.ts'
import { live } from '../../data/feed/live.ts'
import { LogReader } from '../../data/feed/log-reader.ts'
import { frameBatch } from '../../data/frame-batch.ts'
import { ApiError } from '../../data/request.ts'
import { type Settable, watched } from '../../data/watched.ts'
import { cardsOf, type NodeCard } from './node-card.ts'

export interface BuildState {
  phase: 'loading' | 'ready' | 'missing' | 'failed'
  problem?: string
  /** Changed in place; `revision` tells when. */
  view: BuildView
  cards: NodeCard[]
  revision: number
  /** What came after this was seen to happen. */
  since: number
}

export class BuildStore {
  readonly id: string
  readonly state: Settable<BuildState>
  readonly #fold
  readonly #reader: LogReader
  #view: BuildView
  #lastSeq = 0
  readonly #tellSoon = frameBatch(() => this.#tell({ phase: 'ready' }))

  constructor(id: string) {
    this.id = id
    this.#fold = buildView(id)
    this.#view = this.#fold.initial()
    this.state = watched<BuildState>({ phase: 'loading', view: this.#view, cards: [], revision: 0, since: 0 })
    this.#reader = new LogReader({
      run: id,
      lastSeq: () => this.#lastSeq,
      take: (event) => this.#take(event),
      first: () => this.#readView(),
    })
  }

  async catchUp(): Promise<void> {
    try {
      await this.#reader.catchUp()
      this.#tell({ phase: 'ready' })
    } catch (error) {
      if (this.state.get().phase === 'ready') return
      const missing = error instanceof ApiError && error.status === 404
      this.#tell({
        phase: missing ? 'missing' : 'failed',
        problem: error instanceof Error ? error.message : String(error),
      })
    }
  }

  hear(event: StoredEvent): void {
    if (event.run !== this.id && !event.run?.startsWith(`${this.id}/`)) return
    if (this.#reader.hear(event)) this.#tellSoon()
  }

  async #readView(): Promise<StoredEvent[]> {
    const { seq, ...view } = await getBuild(this.id)
    // Whether it only waits for a person can be seen from its nodes, now and later.
    this.#view = { ...view, status: view.status === 'waiting' ? 'running' : view.status }
    this.#lastSeq = seq
    this.state.set({ ...this.state.get(), since: seq })
    return []
  }

  #take(event: StoredEvent): void {
    this.#lastSeq = event.seq
    this.#view = this.#fold.evolve(this.#view, event)
  }

  #tell(phase: Pick<BuildState, 'phase' | 'problem'>): void {
    const { revision, cards, since } = this.state.get()
    this.state.set({ ...phase, view: this.#view, cards: cardsOf(this.#view, cards), revision: revision + 1, since })
  }
}

const stores = new Map<string, BuildStore>()

live.listen({
  event: (event) => {
    for (const store of stores.values()) store.hear(event)
  },
  opened: () => {
    for (const store of stores.values()) void store.catchUp()
  },
})

/** The store of a build; it is read the first time it is asked for. */
export function buildStore(id: string): BuildStore {
  const known = stores.get(id)
  if (known) return known
  const store = new BuildStore(id)
  stores.set(id, store)
  void store.catchUp()
  return store
}
