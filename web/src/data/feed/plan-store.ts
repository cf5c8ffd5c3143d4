/** One plan, kept true: read as the server has folded it, and folded on from there with what the live connection tells. */
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import { type PlanView, planView } from '../../../../src/plan/view.ts'
import type { Budget } from '../../../../src/rules/budget/budget.ts'
import { getPlan } from '../calls/plans.ts'
import { frameBatch } from '../frame-batch.ts'
import { ApiError } from '../request.ts'
import { type Settable, watched } from '../watched.ts'
import { live } from './live.ts'
import { LogReader } from './log-reader.ts'

export interface PlanState {
  phase: 'loading' | 'ready' | 'missing' | 'failed'
  problem?: string
  /** Changed in place; `revision` tells when. */
  view: PlanView
  budget: Budget
  revision: number
}

export class PlanStore {
  /** The run, or the plan's own name. */
  readonly id: string
  readonly state: Settable<PlanState>
  #fold
  #view: PlanView
  #budget: Budget = {}
  #lastSeq = 0
  readonly #reader: LogReader
  readonly #tellSoon = frameBatch(() => this.#tell({ phase: 'ready' }))

  constructor(id: string) {
    this.id = id
    this.#fold = planView(id)
    this.#view = this.#fold.initial()
    this.state = watched<PlanState>({ phase: 'loading', view: this.#view, budget: {}, revision: 0 })
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
    const { seq, budget, ...view } = await getPlan(this.id)
    // Whether it only waits for a person can be seen from its phases, now and later.
    this.#view = { ...view, status: view.status === 'waiting' ? 'running' : view.status }
    this.#fold = planView(view.run)
    this.#budget = budget ?? {}
    this.#lastSeq = seq
    return []
  }

  #take(event: StoredEvent): void {
    this.#lastSeq = event.seq
    this.#view = this.#fold.evolve(this.#view, event)
  }

  #tell(phase: Pick<PlanState, 'phase' | 'problem'>): void {
    const { revision } = this.state.get()
    this.state.set({ ...phase, view: this.#view, budget: this.#budget, revision: revision + 1 })
  }
}

const stores = new Map<string, PlanStore>()

live.listen({
  event: (event) => {
    for (const store of stores.values()) store.hear(event)
  },
  opened: () => {
    for (const store of stores.values()) void store.catchUp()
  },
})

/** The store of a plan; it is read the first time it is asked for. */
export function planStore(id: string): PlanStore {
  const known = stores.get(id)
  if (known) return known
  const store = new PlanStore(id)
  stores.set(id, store)
  void store.catchUp()
  return store
}
