/** Where a question can be answered, and what is known about it. */
import type { Question } from '../../../../src/kernel/runs/question-events.ts'
import { buildAddress, buildRunOf } from './build.ts'
import { phaseAddress, planAddress, planRunOf } from './plan.ts'

/** Null: nothing on these pages shows it. */
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

export interface Detail {
  name: string
  text: string
}

/** Agents hand their reasons over as a record; a person reads them one by one. */
export function detailsOf({ text: asked, context: { detail } }: Question): Detail[] {
  if (typeof detail !== 'string' || detail.trim() === '') return []
  const record = recordIn(detail)
  if (!record) return [{ name: '', text: detail }]
  return Object.entries(record).flatMap(([name, value]) => {
    const text =
      typeof value === 'string' ? value : Array.isArray(value) && value.length === 0 ? '' : JSON.stringify(value)
    // What the question says already is not said twice, and a bare number helps nobody.
    const isNews = text !== '' && !asked.includes(text) && typeof value !== 'number'
    return isNews ? [{ name: spaced(name), text }] : []
  })
}

function recordIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

/** `whyUnresolvable` as two words. */
export function spaced(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
}
