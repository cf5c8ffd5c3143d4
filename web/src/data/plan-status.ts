/** Whether a plan is running or only waiting for a person. */
import type { PlanStatus, PlanView } from '../../../src/plan/view.ts'

/** No event says that only a person's answer is missing: it follows from the open questions and idle work. */
export function statusOf({ status, questions, phases }: Pick<PlanView, 'status' | 'questions' | 'phases'>): PlanStatus {
  if (status !== 'running' && status !== 'waiting') return status
  const atWork = phases.some(({ state }) => state === 'working')
  return questions.length > 0 && !atWork ? 'waiting' : 'running'
}
