/** Events of the forge: what was queued, sent, failed, and changed by people. Browser-safe. */
import { z } from 'zod'
import { defineEvent } from '../kernel/events.ts'
import { issueStates } from '../rules/issues/issue-states.ts'

/** How an issue should look on the forge. Fields that are left out stay as they are. */
export const wantSchema = z.object({
  state: z.enum(issueStates),
  /** Markdown, without its marker. */
  comment: z.string().optional(),
  closed: z.boolean().optional(),
})
export type Want = z.infer<typeof wantSchema>

const about = {
  /** Where: `owner/name`. */
  repo: z.string(),
  feature: z.string(),
  /** The issue's number in the feature. */
  number: z.int(),
  /** Its number on the forge. */
  issue: z.int(),
}

export const forgeQueued = defineEvent(
  'forge.queued',
  1,
  z.object({
    ...about,
    want: wantSchema,
    /** The `seq` of the event it follows from. */
    follows: z.int().optional(),
  }),
)

/** GH5: an issue is to be opened on the forge. */
export const openQueued = defineEvent(
  'forge.open-queued',
  1,
  z.object({ repo: z.string(), feature: z.string(), number: z.int() }),
)
export type OpenQueued = z.infer<typeof openQueued.schema>

export const forgeChangeKinds = ['closed', 'reopened', 'label_added', 'label_removed', 'commented'] as const
export type ForgeChangeKind = (typeof forgeChangeKinds)[number]

/** A person changed something on the forge. */
export const forgeChanged = defineEvent(
  'forge.changed',
  1,
  z.object({
    ...about,
    change: z.enum(forgeChangeKinds),
    by: z.string().optional(),
    label: z.string().optional(),
    /** Closed without having been done. */
    dropped: z.boolean().optional(),
    comment: z.object({ id: z.int(), text: z.string(), url: z.string().optional() }).optional(),
  }),
)

const outcome = {
  ...about,
  /** The last wish included in this result: its id and `seq`. */
  id: z.string(),
  through: z.int(),
}

/** The forge has it. */
export const forgeSent = defineEvent(
  'forge.sent',
  1,
  z.object({ ...outcome, labels: z.array(z.string()), state: z.enum(['open', 'closed']) }),
)

export const forgeFailed = defineEvent(
  'forge.failed',
  1,
  z.object({
    ...outcome,
    code: z.string(),
    message: z.string(),
    retryable: z.boolean(),
    attempt: z.int(),
    /** The forge asked not to be called before this ISO time. */
    not_before: z.string().optional(),
  }),
)

export const forgeStream = 'forge'
