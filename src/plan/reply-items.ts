/** Reads the decisions, questions and risks that a reply lists, whatever shape the agent gave them. */
import type { z } from 'zod'
import { unnamed } from '../rules/plan/plan-ids.ts'

type Kind = 'decision' | 'question' | 'risk'

/** Items without content are added to `unread` as they came: nothing is dropped silently. */
export function readItems<Schema extends z.ZodType>(
  schema: Schema,
  kind: Kind,
  given: unknown,
  unread: string[],
): z.infer<Schema>[] {
  return listOf(given).flatMap((one) => {
    const read = schema.safeParse(normalised(one, kind))
    if (read.success) return [read.data]
    unread.push(`${kind}: ${typeof one === 'string' ? one : JSON.stringify(one)}`)
    return []
  })
}

/** A list, a single item, or items by id. */
function listOf(given: unknown): unknown[] {
  if (given === undefined || given === null || given === '') return []
  if (Array.isArray(given)) return given
  if (typeof given !== 'object') return [given]
  const values = Object.entries(given)
  const isById = values.every(([, value]) => typeof value === 'object' && value !== null && !Array.isArray(value))
  return isById ? values.map(([id, value]) => ({ id, ...(value as object) })) : [given]
}

function normalised(item: unknown, kind: Kind): unknown {
  if (typeof item === 'string') return { id: unnamed, [kind]: item }
  if (typeof item !== 'object' || item === null) return item
  const { id, ...values } = item as Record<string, unknown>
  const words = [kind, 'text', 'title', 'description', 'summary'].map((key) => values[key]).find(isText)
  const name = typeof id === 'number' ? String(id) : id
  return {
    ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)),
    id: isText(name) ? name : unnamed,
    [kind]: words,
    ...('confidence' in values ? { confidence: levelOf(values.confidence) } : {}),
    ...('priority' in values ? { priority: levelOf(values.priority) } : {}),
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

/** Agents give a level in words, or a share from 0 to 1 or 100. */
function levelOf(value: unknown): string {
  const share = typeof value === 'number' ? value : Number.NaN
  if (!Number.isNaN(share)) {
    const part = share > 1 ? share / 100 : share
    return part >= 0.8 ? 'HIGH' : part >= 0.5 ? 'MEDIUM' : 'LOW'
  }
  const word = typeof value === 'string' ? value.trim().toUpperCase() : ''
  if (['HIGH', 'MEDIUM', 'LOW'].includes(word)) return word
  return ['CRITICAL', 'MAJOR', 'BLOCKER', 'BLOCKING', 'CERTAIN'].includes(word) ? 'HIGH' : 'MEDIUM'
}
