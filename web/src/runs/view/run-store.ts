/** One run at a glance, kept true: read as the server has folded it, and folded on from there with what is heard. */
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import { isOfRun } from '../../../../src/kernel/matching-events.ts'
import { type OverviewState, openOverview, type RunOverview, runOverview } from '../../../../src/runs/overview.ts'
import { getOverview } from '../../data/calls/runs.ts'
import { live } from '../../data/feed/live.ts'
import { LogReader } from '../../data/feed/log-reader.ts'
import { frameBatch } from '../../data/frame-batch.ts'
import { ApiError } from '../../data/request.ts'
import { type Settable, watched } from '../../data/watched.ts'

export interface RunState {
  phase: 'loading' | 'ready' | 'missing' | 'failed'
  problem?: string
  /** Changed in place; `revision` tells when. */
  view: RunOverview
  revision: number
}

export class RunStore {
  readonly id: string
  readonly state: Settable<RunState>
  readonly #fold
  readonly #reader: LogReader
  readonly #listeners = new Set<(event: StoredEvent) => void>()
  #folded: OverviewState
  readonly #tellSoon = frameBatch(() => this.#tell({ phase: 'ready' }))

  constructor(id: string) {
    this.id = id
    this.#fold = runOverview(id)
    this.#folded = this.#fold.initial()
    this.state = watched<RunState>({ phase: 'loading', view: this.#folded.view, revision: 0 })
    this.#reader = new LogReader({
      run: id,
      lastSeq: () => this.#folded.view.seq,
      take: (event) => {
        this.#folded = this.#fold.evolve(this.#folded, event)
      },
      first: async () => {
        this.#folded = openOverview(await getOverview(id))
        this.#tell({ phase: 'ready' })
        return []
      },
    })
  }

  async catchUp(): Promise<void> {
    try {
      await this.#reader.catchUp()
      this.#tell({ phase: 'ready' })
    } catch (error) {
      if (this.state.get().phase === 'ready') return
      const missing = error instanceof ApiError && error.status === 404
      const problem = error instanceof Error ? error.message : String(error)
      this.#tell({ phase: missing ? 'missing' : 'failed', problem })
    }
  }

  hear(event: StoredEvent): void {
    if (!isOfRun(event, this.id)) return
    if (this.#reader.hear(event)) this.#tellSoon()
    for (const listener of this.#listeners) listener(event)
  }

  /** Tells of every event of the run as it is heard. */
  listen(listener: (event: StoredEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #tell(phase: Pick<RunState, 'phase' | 'problem'>): void {
    this.state.set({ ...phase, view: this.#folded.view, revision: this.state.get().revision + 1 })
  }
}

/** Runs that were looked at are kept true for the way back; of very many, the last ones. */
const mostStores = 12
const stores = new Map<string, RunStore>()

live.listen({
  event: (event) => {
    for (const store of stores.values()) store.hear(event)
  },
  opened: () => {
    for (const store of stores.values()) void store.catchUp()
  },
})

/** The store of a run; it is read the first time it is asked for. */
export function runStore(id: string): RunStore {
  const known = stores.get(id)
  if (known) return known
  const store = new RunStore(id)
  stores.set(id, store)
  for (const [oldest] of stores) if (stores.size > mostStores) stores.delete(oldest)
  void store.catchUp()
  return store
}
