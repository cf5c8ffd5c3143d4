/** The folded views of features, kept and brought up to date by what was written since: a long log is read once. */
import type { Store } from '../kernel/store.ts'
import { type FeatureView, featureView, featureViewTypes, snapshotOf } from './view.ts'

interface Kept {
  view: FeatureView
  /** The last event in it. */
  seq: number
  /** What was given out; a new one is made when something has changed since. */
  given?: FeatureView
}

export class FeatureViews {
  readonly #store: Store
  readonly #kept = new Map<string, Kept>()

  constructor(store: Store) {
    this.#store = store
  }

  /** As it is now; what happens later does not change what was given. Not to be changed: others are given the same. */
  async read(feature: string): Promise<FeatureView> {
    return givenOut(await this.#current(feature))
  }

  /** With the place in the log that it stands at: a browser goes on from there. */
  async readWithSeq(feature: string): Promise<{ view: FeatureView; seq: number }> {
    const before = await this.#store.lastSeq()
    const kept = await this.#current(feature)
    // Something may have been written between the two looks: it is in the view, and must not be folded in again.
    return { view: givenOut(kept), seq: Math.max(before, kept.seq) }
  }

  async #current(feature: string): Promise<Kept> {
    const kept = this.#kept.get(feature) ?? { view: featureView(feature).initial(), seq: 0 }
    const events = await this.#store.read({ feature, after: kept.seq, types: featureViewTypes })
    const { evolve } = featureView(feature)
    for (const event of events) {
      // Two may be reading at once.
      if (event.seq <= kept.seq) continue
      kept.view = evolve(kept.view, event)
      kept.seq = event.seq
      kept.given = undefined
    }
    // A name that nobody has greenlit is not kept: anybody can ask for any.
    if (kept.view.issues.length > 0 && !this.#kept.has(feature)) this.#kept.set(feature, kept)
    return kept
  }
}

function givenOut(kept: Kept): FeatureView {
  kept.given ??= snapshotOf(kept.view)
  return kept.given
}
