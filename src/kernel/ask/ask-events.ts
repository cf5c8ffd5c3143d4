/** Facts about asks: what the budget counts and every surface shows. */
import { z } from 'zod'
import { askKinds } from '../agent.ts'
import { defineEvent } from '../events.ts'

const question = {
  /** The same across attempts and restarts. */
  ask: z.string(),
  kind: z.enum(askKinds),
  agent: z.string(),
  rehearsal: z.boolean(),
  node: z.string().optional(),
  path: z.array(z.string()).optional(),
  /** The agent on whose behalf this one is asked, when that is another. */
  for: z.string().optional(),
  attempt: z.number().int(),
}

/** The fields that all events of an ask share. */
export type AboutAsk = z.infer<z.ZodObject<typeof question>>

export const usageSchema = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedInputTokens: z.number().optional(),
  usd: z.number().nullable(),
  estimated: z.boolean().optional(),
  requests: z.number().optional(),
})

/** Written once per ask, after the budget has granted it and before the first call. */
export const askStarted = defineEvent(
  'ask.started',
  1,
  z.object({
    ...question,
    reserved: z.object({ tokens: z.number(), usd: z.number().nullable() }),
    /** The prompt's tokens by section, estimated. */
    prompt: z.record(z.string(), z.number()).optional(),
  }),
)

/** A tool call of an agent in the middle of an ask. A build also says for which node. */
export const toolUsed = defineEvent(
  'tool.used',
  1,
  z.object({
    ask: z.string().optional(),
    agent: z.string().optional(),
    node: z.string().optional(),
    path: z.array(z.string()).optional(),
    tool: z.string(),
    summary: z.string(),
    ok: z.boolean(),
    milliseconds: z.number(),
    /** The file that it showed. */
    file: z.string().optional(),
  }),
)

/** A coding agent asked leave for something. */
export const permissionRequested = defineEvent(
  'permission.requested',
  1,
  z.object({
    /** The same in the event that resolves it. */
    id: z.string(),
    agent: z.string(),
    ask: z.string(),
    node: z.string().optional(),
    /** The kind of tool: `edit`, `execute`, `fetch` … */
    tool: z.string(),
    title: z.string(),
    path: z.string().optional(),
    command: z.string().optional(),
  }),
)

export const permissionResolved = defineEvent(
  'permission.resolved',
  1,
  z.object({
    id: z.string(),
    agent: z.string(),
    ask: z.string(),
    decision: z.enum(['allow', 'deny']),
    /** `policy`, or the person who decided. */
    by: z.string(),
  }),
)

/** A stop or the budget cut a call short; it will be made again. Carries what it used until then. */
export const askInterrupted = defineEvent('ask.interrupted', 1, z.object({ ...question, usage: usageSchema }))

export const askFinished = defineEvent(
  'ask.finished',
  1,
  z.object({
    ...question,
    exit: z.string().optional(),
    /** The reply's JSON stood in a code fence, among other words or in a tool call. */
    loose: z.boolean().optional(),
    /** A tool that the agent called though none was offered. */
    called_tool: z.string().optional(),
    failure: z.object({ reason: z.string(), message: z.string() }).optional(),
    usage: usageSchema,
    tries: z.number().int(),
    milliseconds: z.number(),
  }),
)
