/** The plan floor: the list of plans, one plan, or the form that begins one. Comes with the first visit to it. */
import { Route, Switch, useLocation, useRoute } from 'wouter'
import { planAddress } from '../data/addresses/plan.ts'
import { useList } from '../data/feed/followed-list.ts'
import { useKeys } from '../ui/keyboard/use-keys.ts'
import { narrowScreen, useMedia } from '../ui/use-media.ts'
import { NewPlanPage } from './new-plan-page.tsx'
import { PlanList } from './plan-list.tsx'
import { PlanPage, type PlanTab } from './plan-page.tsx'
import { PlansPage } from './plans-page.tsx'
import { plans } from './view/plans-store.ts'

export function PlanFloor() {
  const narrow = useMedia(narrowScreen)
  const [, navigate] = useLocation()
  const [, inPlan] = useRoute('/plans/:plan/*?')
  const open = inPlan && inPlan.plan !== 'new' ? decodeURIComponent(inPlan.plan) : null
  const known = useList(plans).lines?.plans
  const step = (by: number) => {
    const at = known?.findIndex(({ id }) => id === open) ?? -1
    const next = known?.[Math.min(known.length - 1, Math.max(0, at + by))]
    if (next && next.id !== open) navigate(planAddress(next.id))
  }
  useKeys({
    n: () => navigate('/plans/new'),
    j: () => step(1),
    k: () => step(-1),
    'Alt+ArrowDown': () => step(1),
    'Alt+ArrowUp': () => step(-1),
  })
  const page = (plan: string, place: PlanTab) => {
    const id = decodeURIComponent(plan)
    return <PlanPage key={id} plan={id} place={place} />
  }
  return (
    <>
      {narrow ? null : (
        <section aria-label="Plans" className="flex w-58 shrink-0 flex-col border-r border-line max-[900px]:w-48">
          <PlanList open={open} />
        </section>
      )}
      <div className="flex min-h-0 min-w-0 flex-1">
        <Switch>
          <Route path="/plans">
            <PlansPage />
          </Route>
          <Route path="/plans/new">
            <NewPlanPage />
          </Route>
          <Route path="/plans/:plan/phases/:phase">
            {({ plan, phase }) => page(plan, { kind: 'phase', phase: decodeURIComponent(phase) })}
          </Route>
          <Route path="/plans/:plan/decisions">{({ plan }) => page(plan, { kind: 'decisions' })}</Route>
          <Route path="/plans/:plan/issues">{({ plan }) => page(plan, { kind: 'issues' })}</Route>
          <Route path="/plans/:plan">{({ plan }) => page(plan, { kind: 'overview' })}</Route>
        </Switch>
      </div>
    </>
  )
}
