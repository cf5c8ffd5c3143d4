/** The shapes that travel over HTTP. Browser-safe. */
import { z } from 'zod'
import { buildStrategies, specSchema } from '../rules/build/spec.ts'
import { modes } from '../rules/plan/mode.ts'
import { agentMessageKinds } from '../rules/room/agent-message.ts'
import { mostRounds } from '../rules/turns/turn.ts'
import { issueSchema } from '../ship/events.ts'

export const bodyLimit = 1024 * 1024

export const newRoom = z.strictObject({
  name: z.string().trim().min(1).max(100).optional(),
  agents: z.array(z.string()).min(1).optional(),
})

export const newMessage = z.object({
  text: z.string().refine((text) => text.trim() !== '', 'must not be empty'),
  /** Who is called, in a single call. */
  target: z.string().optional(),
  mode: z.enum(['single', 'coordinate', 'collaborate', 'autopilot']).optional(),
  participants: z.array(z.string()).optional(),
  speaker: z.string().optional(),
  max_rounds: z.int().min(1).max(mostRounds).optional(),
  /** `both`, or `only <agent>`: against the rule, for this message. */
  override: z.string().optional(),
  /** Chosen by a client that may have to send again: the same id is the same message. */
  message_id: z.uuid().optional(),
})

export const roomOverride = z.strictObject({ override: z.string().nullable() })

export const newAgentMessage = z.strictObject({
  kind: z.enum(agentMessageKinds),
  from: z.string(),
  to: z.string().optional(),
  topic: z.string().min(1).optional(),
  content: z.string().min(1),
  expects_reply: z.boolean().optional(),
  thread: z.string().min(1).optional(),
})

export const newBuild = z.strictObject({
  spec: specSchema,
  strategy: z.enum(buildStrategies).optional(),
  merge: z.boolean().optional(),
  /** Chosen by a client that may have to send again: the same id is the same build. */
  id: z
    .string()
    .regex(/^build-[0-9a-f-]{36}$/)
    .optional(),
})

const goal = z.string()

export const planAdviceRequest = z.strictObject({ goal, preset: z.string().optional() })

export const newPlan = z.strictObject({
  goal,
  mode: z.enum(modes).optional(),
  preset: z.string().optional(),
  /** Answers to questions that will come: the first whose `match` is part of a question answers it. */
  answers: z.array(z.strictObject({ match: z.string().min(1), answer: z.string().min(1) })).optional(),
  /** Ask nothing: go on with assumptions, which the plan lists. */
  yes: z.boolean().optional(),
  id: z
    .string()
    .regex(/^plan-[0-9a-f-]{36}$/)
    .optional(),
})

export const newShip = z.strictObject({
  ...newPlan.omit({ id: true }).shape,
  merge: z.boolean().optional(),
  smart: z.boolean().optional(),
  /** It is said in this room, which then hears how it goes. */
  room: z.string().optional(),
  /** False: the agents of the room are not asked about it first. */
  discuss: z.boolean().optional(),
  id: z
    .string()
    .regex(/^ship-[0-9a-f-]{36}$/)
    .optional(),
})

export const greenlightRequest = z.strictObject({
  issues: z.array(issueSchema).optional(),
  /** Issues of the forge: `label:name`. */
  from_github: z.string().optional(),
})

export const featureRunRequest = z.strictObject({
  issue: z.int().min(1).optional(),
  smart: z.boolean().optional(),
  merge: z.boolean().optional(),
  /** For the finished feature; the configuration decides where it is left out. */
  pull_request: z.boolean().optional(),
  id: z
    .string()
    .regex(/^run-[0-9a-f-]{36}$/)
    .optional(),
})

/** Which finished issues were looked at: one, some, or all that wait for it. */
export const reviewedRequest = z
  .strictObject({
    issue: z.int().min(1).optional(),
    issues: z.array(z.int().min(1)).min(1).optional(),
    all: z.literal(true).optional(),
  })
  .refine((given) => Object.keys(given).length === 1, { error: 'one of issue, issues and all' })

export const unblockRequest = z.strictObject({ issue: z.int().min(1) })

export const newAnswer = z.strictObject({ choice: z.string().optional(), text: z.string().optional() })

export const forkRequest = z.strictObject({ from: z.union([z.number().int().min(0), z.string().min(1)]).optional() })

export const whyQuery = z.object({ what: z.string().min(1) })

/** Part of a payload: from `start` up to `end`, which is not in it. */
export const byteRange = z.object({
  start: z.coerce.number().int().min(0).optional(),
  end: z.coerce.number().int().min(0).optional(),
})

export const eventQuery = z.object({
  after: z.coerce.number().int().min(0).optional(),
  room: z.string().optional(),
  run: z.string().optional(),
  feature: z.string().optional(),
  actor: z.string().optional(),
  /** Separated by commas. */
  types: z.string().optional(),
  /** What must be in their type or data. */
  text: z.string().max(500).optional(),
  limit: z.coerce.number().int().min(1).max(10_000).optional(),
  /** Of a page: only what came before this one. */
  before: z.coerce.number().int().min(0).optional(),
  /** Of a page: the last so many, for who wants to see the end first. */
  last: z.coerce.number().int().min(1).max(10_000).optional(),
})
export type EventQueryParameters = z.infer<typeof eventQuery>
