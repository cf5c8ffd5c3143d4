/** One plan's view, kept up to date. */
import { isOfRun } from '../../../../src/kernel/matching-events.ts'
import { type PlanView, planView } from '../../../../src/plan/view.ts'
import type { Budget } from '../../../../src/rules/budget/budget.ts'
import { getPlan } from '../calls/plans.ts'
import { type Followed, FollowedView } from './followed-view.ts'
import { live } from './live.ts'
import { StoresById } from './stores-by-id.ts'

interface ShownPlan {
  view: PlanView
  budget: Budget
}

export type PlanState = Followed<ShownPlan>

/** `id` is the plan's run, or its own name: then the view says which run it is. */
const stores = new StoresById((id) => {
  let fold = planView(id)
  let budget: Budget = {}
  return new FollowedView<PlanView, ShownPlan>({
    initial: fold.initial(),
    evolve: (view, event) => fold.evolve(view, event),
    includes: (event) => isOfRun(event, id),
    log: { run: id },
    read: async () => {
      const { seq, budget: allowed = {}, ...view } = await getPlan(id)
      fold = planView(view.run)
      budget = allowed
      // The fold knows no `waiting`: pages derive it from the phases.
      return { seq, view: { ...view, status: view.status === 'waiting' ? 'running' : view.status } }
    },
    show: (view) => ({ view, budget }),
  })
})

live.listen(stores)

export const planStore = (id: string) => stores.get(id)
