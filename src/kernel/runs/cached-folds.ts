/** Folds of runs that are asked for again and again, kept and brought up to date by what was written since. */
import type { RunSummary } from '../engine.ts'
import type { Fold } from '../fold.ts'
import type { Store } from '../store.ts'

interface Kept<State> {
  state: State
  /** The last event in it. */
  seq: number
  /** The run had ended, and nothing is added to it any more. */
  isFinal: boolean
}

export class KeptFolds<State> {
  readonly #store: Store
  readonly #foldOf: (run: string) => Fold<State>
  readonly #kept = new Map<string, Kept<State>>()

  constructor(store: Store, foldOf: (run: string) => Fold<State>) {
    this.#store = store
    this.#foldOf = foldOf
  }

  /** To be read at once, and not to be changed: it goes on being folded. */
  async read({ id, status }: Pick<RunSummary, 'id' | 'status'>): Promise<State> {
    const fold = this.#foldOf(id)
    const kept = this.#kept.get(id) ?? { state: fold.initial(), seq: 0, isFinal: false }
    if (kept.isFinal) return kept.state
    for (const event of await this.#store.read({ run: id, after: kept.seq })) {
      // Two may be reading at once.
      if (event.seq <= kept.seq) continue
      kept.state = fold.evolve(kept.state, event)
      kept.seq = event.seq
    }
    kept.isFinal = status === 'done' || status === 'failed' || status === 'cancelled'
    if (!this.#kept.has(id)) this.#kept.set(id, kept)
    return this.#kept.get(id)!.state
  }
}
