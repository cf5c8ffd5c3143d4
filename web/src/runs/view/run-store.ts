/** One run's overview, kept up to date. */
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import { isOfRun } from '../../../../src/kernel/matching-events.ts'
import { type OverviewState, openOverview, type RunOverview, runOverview } from '../../../../src/runs/overview.ts'
import { getOverview } from '../../data/calls/runs.ts'
import { FollowedView } from '../../data/feed/followed-view.ts'
import { live } from '../../data/feed/live.ts'
import { StoresById } from '../../data/feed/stores-by-id.ts'

/** Overviews that stay in memory for the way back. */
const limit = 12

const stores = new StoresById((id) => {
  const fold = runOverview(id)
  return new FollowedView<OverviewState, { view: RunOverview }>({
    initial: fold.initial(),
    evolve: fold.evolve,
    includes: (event) => isOfRun(event, id),
    log: { run: id },
    read: async () => {
      const view = openOverview(await getOverview(id))
      return { view, seq: view.view.seq }
    },
    show: ({ view }) => ({ view }),
  })
}, limit)

live.listen(stores)

export const runStore = (id: string) => stores.get(id)

/** Forwards every live event of a run and its child runs. */
export function listenToRun(run: string, listener: (event: StoredEvent) => void): () => void {
  return live.listen({ event: (event) => isOfRun(event, run) && listener(event), opened: () => {} })
}
