/** The reasons behind a question, one line each. */
import type { Question } from '../../../src/kernel/runs/question-events.ts'
import { spaced } from './format.ts'

export interface Detail {
  name: string
  text: string
}

/** Agents give their reasons as a JSON object; people read them one by one. */
export function detailsOf({ text: asked, context: { detail } }: Question): Detail[] {
  if (typeof detail !== 'string' || detail.trim() === '') return []
  const record = recordIn(detail)
  if (!record) return [{ name: '', text: detail }]
  return Object.entries(record).flatMap(([name, value]) => {
    const text =
      typeof value === 'string' ? value : Array.isArray(value) && value.length === 0 ? '' : JSON.stringify(value)
    // Skip what the question already says, and bare numbers.
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
