/** Whether a plan runs, or only waits for a person. */
import type { PlanStatus, PlanView } from '../../../src/plan/view.ts'

/** The log does not say when all that is left is to wait for a person; it can be seen. */
export function statusOf({ status, questions, phases }: Pick<PlanView, 'status' | 'questions' | 'phases'>): PlanStatus {
  if (status !== 'running' && status !== 'waiting') return status
  const atWork = phases.some(({ state }) => state === 'working')
  return questions.length > 0 && !atWork ? 'waiting' : 'running'
}
