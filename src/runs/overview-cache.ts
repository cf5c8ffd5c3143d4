/** The overviews of runs that somebody looked at recently, and one line for every run. */
import { CachedFolds } from '../kernel/runs/cached-folds.ts'
import type { Store } from '../kernel/store.ts'
import { countEvents, type OverviewState, overviewTypes, type RunOverview, runOverview } from './overview.ts'
import { evolveLine, lineTypes, type RunLine } from './overview-lines.ts'

/** A run of a hundred thousand events is folded in half a second, so few need to be kept. */
const maxOverviews = 8

export class RunOverviews {
  readonly #overviews: CachedFolds<OverviewState>
  readonly #lines: CachedFolds<Map<string, RunLine>>

  constructor(store: Store) {
    this.#overviews = new CachedFolds(store, {
      fold: runOverview,
      query: (run) => ({ run, types: overviewTypes }),
      maxEntries: maxOverviews,
      // Most events of a long run are only counted: the database does that without reading them.
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
