/** The plan floor: all plans, one plan, or the form that starts one. Loaded on the first visit. */
import { Route, Switch, useLocation, useRoute } from 'wouter'
import { planAddress } from '../data/addresses/plan.ts'
import { useList } from '../data/feed/followed-list.ts'
import { FloorFrame } from '../ui/page/floor-frame.tsx'
import { NotFound } from '../ui/page-states.tsx'
import { NewPlanPage } from './new-plan-page.tsx'
import { PlanList } from './plan-list.tsx'
import { PlanPage, type PlanTab } from './plan-page.tsx'
import { PlansPage } from './plans-page.tsx'
import { plans } from './view/plans-store.ts'

export function PlanFloor() {
  const [, navigate] = useLocation()
  const [, inPlan] = useRoute('/plans/:plan/*?')
  const open = inPlan && inPlan.plan !== 'new' ? decodeURIComponent(inPlan.plan) : null
  const known = useList(plans).lines?.plans
  const page = (plan: string, place: PlanTab) => {
    const id = decodeURIComponent(plan)
    return <PlanPage key={id} plan={id} place={place} />
  }
  return (
    <FloorFrame
      label="Plans"
      list={<PlanList open={open} />}
      ids={known?.map(({ id }) => id) ?? []}
      open={open}
      onOpen={(id) => navigate(planAddress(id))}
      onCreate={() => navigate('/plans/new')}
    >
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
        <Route>
          <NotFound title="Page not found" list="/plans" all="plans" />
        </Route>
      </Switch>
    </FloorFrame>
  )
}
