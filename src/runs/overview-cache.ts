/** Caches the overviews of recently viewed runs, and one line for every run. */
import { CachedFolds } from '../kernel/runs/cached-folds.ts'
import type { Store } from '../kernel/store.ts'
import { countEvents, type OverviewState, overviewTypes, type RunOverview, runOverview } from './overview.ts'
import { evolveLine, lineTypes, type RunLine } from './overview-lines.ts'

/** Folding a hundred thousand events takes half a second, so a few cached overviews are enough. */
const maxOverviews = 8

export class RunOverviews {
  readonly #overviews: CachedFolds<OverviewState>
  readonly #lines: CachedFolds<Map<string, RunLine>>

  constructor(store: Store) {
    this.#overviews = new CachedFolds(store, {
      fold: runOverview,
      query: (run) => ({ run, types: overviewTypes }),
      maxEntries: maxOverviews,
      // Most events of a long run are only counted: the database counts them without reading them.
      async caughtUp(run, state, { after, through }) {
        for (const { type, count } of await store.count({ run, after, before: through + 1 }))
          if (!overviewTypes.includes(type)) countEvents(state, type, count)
        state.view.seq = through
      },
    })
    this.#lines = new CachedFolds(store, {
      fold: () => ({
        initial: () => new Map(),
        evolve(lines, event) {
          evolveLine(lines, event, Date.parse(event.ts))
          return lines
        },
      }),
      query: () => ({ types: lineTypes }),
    })
  }

  of(run: string): Promise<RunOverview> {
    return this.#overviews.read(run, ({ view }) => view)
  }

  /** One line for every run in the log. */
  lines(): Promise<ReadonlyMap<string, RunLine>> {
    return this.#lines.read('all runs', (lines) => lines)
  }
}
