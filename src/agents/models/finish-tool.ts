/** The tool with which a model ends its work: its input is the reply. */
import { z } from 'zod'
import { inputError } from '../../rules/schema/rule.ts'
import type { JsonSchema, ProviderSchema } from './provider-schema.ts'

/** Invalid replies go back to the model; the last of this many is passed on, and the caller decides. */
const maxInvalid = 3

export interface FinishTool {
  description: string
  schema: JsonSchema
  /** Accepts or rejects a reply; `text` is the tool's answer to the model. */
  take(given: unknown): { ok: boolean; text: string }
  /** The reply as JSON text, once accepted. */
  reply(): string | undefined
}

export function finishTool(question: z.ZodType, { schema, restore }: ProviderSchema): FinishTool {
  let reply: string | undefined
  let invalid = 0
  return {
    description: `Sends your reply and ends your part. ${choice(question, schema)}Call it once, alone, as your last call.`,
    schema,
    take(given) {
      const whole = JSON.parse(restore(JSON.stringify(given) ?? 'null')) as unknown
      const bare = question.safeParse(whole).success ? whole : withoutNulls(whole)
      const checked = question.safeParse(bare)
      if (checked.success || ++invalid === maxInvalid) reply = JSON.stringify(bare)
      if (checked.success) return { ok: true, text: 'done' }
      return { ok: false, text: `error: the reply does not fit: ${inputError(checked.error).message}` }
    },
    reply: () => reply,
  }
}

/** Providers see a union of payloads as one object that may hold any of them. */
function choice(question: z.ZodType, { properties = {} }: JsonSchema): string {
  const { anyOf, oneOf } = z.toJSONSchema(question, { unrepresentable: 'any' })
  return anyOf || oneOf ? `Give exactly one of ${Object.keys(properties).join(', ')}. ` : ''
}

/** Models that see a property for every exit set the others to null. */
function withoutNulls(reply: unknown): unknown {
  if (typeof reply !== 'object' || reply === null || Array.isArray(reply)) return reply
  return Object.fromEntries(Object.entries(reply).filter(([, value]) => value !== null))
}
