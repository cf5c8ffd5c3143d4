/** The tool by which a model ends its work: what it is given is the reply. */
import { z } from 'zod'
import { inputError } from '../../rules/schema/rule.ts'
import type { JsonSchema, ProviderSchema } from './provider-schema.ts'

/** A reply that does not fit goes back to the model, but not forever: then who asked decides. */
const mostMisfits = 3

export interface FinishTool {
  description: string
  schema: JsonSchema
  /** Takes a reply and says what the model is told. */
  take(given: unknown): { ok: boolean; text: string }
  /** The reply as JSON text, once there is one. */
  reply(): string | undefined
}

export function finishTool(question: z.ZodType, { schema, restore }: ProviderSchema): FinishTool {
  let reply: string | undefined
  let misfits = 0
  return {
    description: `Ends the work with your reply. ${choice(question, schema)}Call it once, alone, when nothing is left to do.`,
    schema,
    take(given) {
      const whole = JSON.parse(restore(JSON.stringify(given) ?? 'null')) as unknown
      const bare = question.safeParse(whole).success ? whole : withoutNulls(whole)
      const checked = question.safeParse(bare)
      if (checked.success || ++misfits === mostMisfits) reply = JSON.stringify(bare)
      if (checked.success) return { ok: true, text: 'done' }
      return { ok: false, text: `error: the reply does not fit: ${inputError(checked.error).message}` }
    },
    reply: () => reply,
  }
}

/** A choice between named payloads reaches providers as one object that may hold any of them. */
function choice(question: z.ZodType, { properties = {} }: JsonSchema): string {
  const { anyOf, oneOf } = z.toJSONSchema(question, { unrepresentable: 'any' })
  return anyOf || oneOf ? `Give exactly one of ${Object.keys(properties).join(', ')}. ` : ''
}

/** Models that see a place for every exit write null into the others. */
function withoutNulls(reply: unknown): unknown {
  if (typeof reply !== 'object' || reply === null || Array.isArray(reply)) return reply
  return Object.fromEntries(Object.entries(reply).filter(([, value]) => value !== null))
}
