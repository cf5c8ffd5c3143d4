/** Reads a reply by a schema: generously in its form, strictly in its content. */
import type { z } from 'zod'
import { argumentsIn, type Fit, type ReadReply, readReply } from '../text/reply-json.ts'
import { inputError } from './rule.ts'

export function readBySchema<Value>(text: string, schema: z.ZodType<Value>): ReadReply<Value> {
  return readReply(text, (value) => {
    const read = fitOf(schema, withoutNulls(value))
    // A field may hold null as its value, such as what a function returns.
    return read.ok ? read : fitOf(schema, value)
  })
}

/** [AS1] Reads the arguments of a tool call where no tool was offered; the reply may stand in one of them. */
export function readCalledTool<Value>(tool: string, text: string, schema: z.ZodType<Value>): ReadReply<Value> {
  const whole = readBySchema(text, schema)
  const read = whole.ok ? whole : readBySchema(argumentsIn(text).join('\n'), schema)
  if (read.ok) return { ...read, loose: true }
  const problem = `it calls the tool ${JSON.stringify(tool)}, but no tools are offered here`
  return {
    ok: false,
    problem: `${problem}, and the arguments are no reply: ${whole.ok ? read.problem : whole.problem}`,
  }
}

/** Null stands for nothing here but itself. */
export function readExactly<Value>(text: string, schema: z.ZodType<Value>): ReadReply<Value> {
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

/** No schema goes deeper, and hostile text must not overflow the stack. */
const deepest = 100

/** Models write null for a field that they leave out. */
function withoutNulls(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > deepest) return value
  if (Array.isArray(value)) return value.map((one) => withoutNulls(one, depth + 1))
  const given = Object.entries(value).filter(([, field]) => field !== null)
  return Object.fromEntries(given.map(([name, field]) => [name, withoutNulls(field, depth + 1)]))
}
