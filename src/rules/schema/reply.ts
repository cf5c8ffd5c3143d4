/** Reads a reply by a schema: generously in its form, strictly in its content. */
import type { z } from 'zod'
import { type Fit, type ReadReply, readReply } from '../text/reply-json.ts'
import { inputError } from './rule.ts'

export function readBySchema<Value>(text: string, schema: z.ZodType<Value>): ReadReply<Value> {
  return readReply(text, (value) => fitOf(schema, withoutNulls(value), value))
}

/** Null stands for nothing here but itself. */
export function readExactly<Value>(text: string, schema: z.ZodType<Value>): ReadReply<Value> {
  return readReply(text, (value) => fitOf(schema, value, value))
}

function fitOf<Value>(schema: z.ZodType<Value>, read: unknown, value: unknown): Fit<Value> {
  const checked = schema.safeParse(read)
  if (checked.success) return { ok: true, value: checked.data }
  const { message, expected } = inputError(schema.safeParse(value).error ?? checked.error)
  return {
    ok: false,
    problem: expected && !message.includes(expected) ? `${message} (expected: ${expected})` : message,
  }
}

/** Models write null for a field that they leave out. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const given = Object.entries(value).filter(([, field]) => field !== null)
  return Object.fromEntries(given.map(([name, field]) => [name, withoutNulls(field)]))
}
