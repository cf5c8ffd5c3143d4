/** Facts about questions put to agents: what the budget counts, and what every surface shows. */
import { z } from 'zod'
import { askKinds } from '../agent.ts'
import { defineEvent } from '../events.ts'

const question = {
  /** The same over tries and restarts. */
  ask: z.string(),
  kind: z.enum(askKinds),
  agent: z.string(),
  rehearsal: z.boolean(),
  node: z.string().optional(),
  path: z.array(z.string()).optional(),
  /** On whose behalf, where it is not the agent's own. */
  for: z.string().optional(),
  attempt: z.number().int(),
}

/** What both events of an ask say of it. */
export type AboutAsk = z.infer<z.ZodObject<typeof question>>

export const usageSchema = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedInputTokens: z.number().optional(),
  usd: z.number().nullable(),
  estimated: z.boolean().optional(),
})

/** Written once for each ask, after the budget has granted it and before anyone is called. */
export const askStarted = defineEvent(
  'ask.started',
  1,
  z.object({ ...question, reserved: z.object({ tokens: z.number(), usd: z.number().nullable() }) }),
)

/** A call was cut short, by a stop or by the budget, and will be put again: what it used until then. */
export const askInterrupted = defineEvent('ask.interrupted', 1, z.object({ ...question, usage: usageSchema }))

export const askFinished = defineEvent(
  'ask.finished',
  1,
  z.object({
    ...question,
    exit: z.string().optional(),
    failure: z.object({ reason: z.string(), message: z.string() }).optional(),
    usage: usageSchema,
    tries: z.number().int(),
    milliseconds: z.number(),
  }),
)
