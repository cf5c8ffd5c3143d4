/** Reads a reply by a schema: generously in its form, strictly in its content. */
import type { z } from 'zod'
import { type Fit, type ReadReply, readReply } from '../text/reply-json.ts'
import { inputError } from './rule.ts'

export function readBySchema<Value>(text: string, schema: z.ZodType<Value>): ReadReply<Value> {
  return readReply(text, (value) => fitOf(schema, value))
}

function fitOf<Value>(schema: z.ZodType<Value>, value: unknown): Fit<Value> {
  const checked = schema.safeParse(value)
  if (checked.success) return { ok: true, value: checked.data }
  const { message, expected } = inputError(checked.error)
  return {
    ok: false,
    problem: expected && !message.includes(expected) ? `${message} (expected: ${expected})` : message,
  }
}
