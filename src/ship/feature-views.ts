/** The folded views of features. Those with a long history are saved to disk as well. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CachedFolds } from '../kernel/runs/cached-folds.ts'
import type { Store } from '../kernel/store.ts'
import { type FeatureView, featureView, featureViewTypes, snapshotOf } from './view.ts'

/** Fewer events are folded again as quickly as a saved view is read. */
const worthSaving = 1000

export class FeatureViews {
  readonly #folds: CachedFolds<FeatureView>
  /** The last snapshot of each feature: given out again until an event changes the view. */
  readonly #snapshots = new Map<string, { view: FeatureView; lastEvent: number }>()

  constructor(store: Store, folder: string) {
    this.#folds = new CachedFolds(store, {
      fold: featureView,
      query: (feature) => ({ feature, types: featureViewTypes }),
      // Anybody can ask for any name: keep only features that were greenlit.
      isWorthKeeping: ({ issues }) => issues.length > 0,
      disk: {
        file: (feature) => join(folder, `view-${encodeURIComponent(feature)}.json`),
        version: foldVersion,
        everyEvents: worthSaving,
      },
    })
  }

  /** The view as it is now; later events do not change it. Callers share it and must not modify it. */
  read(feature: string): Promise<FeatureView> {
    return this.#folds.read(feature, (view, { lastEvent }) => this.#snapshot(feature, view, lastEvent))
  }

  /** Also returns the `seq` the view stands at, from which a browser continues. */
  readWithSeq(feature: string): Promise<{ view: FeatureView; seq: number }> {
    return this.#folds.read(feature, (view, { seq, lastEvent }) => ({
      view: this.#snapshot(feature, view, lastEvent),
      seq,
    }))
  }

  #snapshot(feature: string, view: FeatureView, lastEvent: number): FeatureView {
    const known = this.#snapshots.get(feature)
    if (known?.lastEvent === lastEvent) return known.view
    const snapshot = snapshotOf(view)
    if (view.issues.length > 0) this.#snapshots.set(feature, { view: snapshot, lastEvent })
    return snapshot
  }
}

/** The code that makes a view: the fold, its rule and its sums, or in the package this chunk, which names the others by their hash. */
const foldModules = import.meta.url.endsWith('.ts')
  ? ['./view.ts', '../rules/issues/issue-size.ts', '../kernel/ask/cost.ts']
  : [import.meta.url]

function foldVersion(): string {
  const hash = createHash('sha256')
  for (const module of foldModules) hash.update(readFileSync(new URL(module, import.meta.url)))
  return hash.digest('hex')
}
