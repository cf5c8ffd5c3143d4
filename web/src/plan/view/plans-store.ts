/** All plans of the project, newest first, one line each; and the teams that a plan can have. */
import type { PlanLine, PlanStatus } from '../../../../src/plan/view.ts'
import { planRunOf } from '../../data/addresses/plan.ts'
import { listPlans } from '../../data/calls/plans.ts'
import { FollowedList } from '../../data/feed/followed-list.ts'
import { live } from '../../data/feed/live.ts'
import { newestFirst } from '../../data/newest-first.ts'

const changes = /^(plan\.|question\.|member\.missing$|phase\.(started|finished)$|run\.(parked|recovered|finished)$)/

export const plans = new FollowedList({
  read: async () => {
    const { plans, ...teams } = await listPlans()
    return { plans: newestFirst(plans), teams }
  },
  isChangedBy: ({ type, run }) => run !== undefined && planRunOf(run) !== null && changes.test(type),
})

live.listen(plans)

export const lineStatus = ({ status, questions }: PlanLine): PlanStatus =>
  status === 'running' && questions > 0 ? 'waiting' : status
