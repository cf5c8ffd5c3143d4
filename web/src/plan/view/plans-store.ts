/** All plans of the project, one line each; read again whenever one of them moves on, ends or asks. */
import type { PlanLine, PlanStatus } from '../../../../src/plan/view.ts'
import { planRunOf } from '../../data/addresses/plan.ts'
import { listPlans, type Teams } from '../../data/calls/plans.ts'
import { live } from '../../data/feed/live.ts'
import { type Settable, watched } from '../../data/watched.ts'

export interface PlansState {
  plans: readonly PlanLine[] | null
  teams?: Teams
  problem?: string
}

export const plans: Settable<PlansState> = watched<PlansState>({ plans: null })

const changes = /^(plan\.|question\.|member\.missing$|phase\.(started|finished)$|run\.(parked|recovered|finished)$)/
/** Many things change at once; the list is read once for all of them. */
const gatherMs = 250

let reading = false
let again = false
let timer: ReturnType<typeof setTimeout> | undefined

export async function readPlans(): Promise<void> {
  if (reading) {
    again = true
    return
  }
  reading = true
  try {
    const { plans: found, ...teams } = await listPlans()
    plans.set({
      teams,
      plans: found.toSorted((one, other) => (other.started ?? '~').localeCompare(one.started ?? '~')),
    })
  } catch (error) {
    const { plans: shown } = plans.get()
    if (shown === null) plans.set({ plans: null, problem: error instanceof Error ? error.message : String(error) })
  } finally {
    reading = false
  }
  if (!again) return
  again = false
  await readPlans()
}

function readSoon(): void {
  clearTimeout(timer)
  timer = setTimeout(() => void readPlans(), gatherMs)
}

live.listen({
  event: ({ type, run }) => {
    if (run !== undefined && planRunOf(run) !== null && changes.test(type)) readSoon()
  },
  opened: readSoon,
})

/** A plan that asks waits for whoever answers. */
export const lineStatus = ({ status, questions }: PlanLine): PlanStatus =>
  status === 'running' && questions > 0 ? 'waiting' : status
