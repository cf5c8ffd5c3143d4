/** The page where a question can be answered. */
import type { Question } from '../../../../src/kernel/runs/question-events.ts'
import { buildAddress, buildRunOf } from './build.ts'
import { phaseAddress, planAddress, planRunOf } from './plan.ts'

/** Null: no page shows it. */
export function questionAddress({ run, context }: Question): string | null {
  const plan = planRunOf(run)
  if (plan) return typeof context.phase === 'string' ? phaseAddress(plan, context.phase) : planAddress(plan)
  const build = buildRunOf(run)
  if (build) {
    const path = pathOf(context)
    return `${buildAddress(build)}${path ? `/nodes/${path.map(encodeURIComponent).join('/')}` : ''}`
  }
  const { feature, issue } = context
  if (typeof feature !== 'string') return null
  return `/features/${encodeURIComponent(feature)}${typeof issue === 'number' ? `/issues/${issue}` : ''}`
}

export function pathOf(context: Question['context']): string[] | null {
  const { path } = context
  return Array.isArray(path) && path.every((id) => typeof id === 'string') ? path : null
}
