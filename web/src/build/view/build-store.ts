/** One build's view, kept up to date. */
import { type BuildView, buildView } from '../../../../src/build/view.ts'
import { isOfRun } from '../../../../src/kernel/matching-events.ts'
import { getBuild } from '../../data/calls/builds.ts'
import { type Followed, FollowedView } from '../../data/feed/followed-view.ts'
import { live } from '../../data/feed/live.ts'
import { StoresById } from '../../data/feed/stores-by-id.ts'
import { cardsOf, type NodeCard } from './node-card.ts'

interface ShownBuild {
  view: BuildView
  cards: NodeCard[]
  /** Events up to this one happened before the page was opened. */
  since: number
}

export type BuildState = Followed<ShownBuild>

const stores = new StoresById((id) => {
  const fold = buildView(id)
  return new FollowedView<BuildView, ShownBuild>({
    initial: fold.initial(),
    evolve: fold.evolve,
    includes: (event) => isOfRun(event, id),
    log: { run: id },
    read: async () => {
      const { seq, ...view } = await getBuild(id)
      // The fold knows no `waiting`: pages derive it from the nodes.
      return { seq, view: { ...view, status: view.status === 'waiting' ? 'running' : view.status } }
    },
    show: (view, before, since) => ({ view, cards: cardsOf(view, before?.cards), since }),
  })
})

live.listen(stores)

export const buildStore = (id: string) => stores.get(id)
