/** The shapes that come back over HTTP, checked against the types they are made from. */
import { z } from 'zod'
import type { BuildReport } from '../build/graph/builds.ts'
import type { BuildLine } from '../build/view.ts'
import type { Question } from '../kernel/runs/question-events.ts'
import type { PlanReport } from '../plan/pipeline/plans.ts'
import { overrideSchema } from '../room/events.ts'
import type { Room, Session, TranscriptItem } from '../room/view.ts'
import { modes } from '../rules/plan/mode.ts'
import type { InputError } from '../rules/schema/rule.ts'
import type { Origin } from '../runs/origin.ts'
import type { ListedRun } from '../runs/runs.ts'
import type { ProjectDescription } from '../sample.ts'
import type { FeatureReport, FeatureRunReport } from '../ship/feature/features.ts'
import { shipStages } from '../ship/ship/ship-view.ts'
import type { ShipReport } from '../ship/ship/ships.ts'
import type { ShipSettings } from '../ship/ship-settings.ts'
import { noticeKinds } from '../ship/view.ts'

export const errorAnswer: z.ZodType<{ error: InputError }> = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    /** Where, dotted. */
    path: z.string().optional(),
    expected: z.string().optional(),
  }),
})

export const healthAnswer = z.object({ ok: z.literal(true), version: z.string() })

export const agentAnswer = z.object({
  name: z.string(),
  provider: z.string(),
  model: z.string().optional(),
  rehearsal: z.boolean(),
})

const roomFields = { id: z.string(), name: z.string(), agents: z.array(z.string()) }
export const roomAnswer: z.ZodType<Room> = z.object(roomFields)
export const roomWithOverrideAnswer: z.ZodType<Room> = z.object({ ...roomFields, override: overrideSchema.optional() })

export const transcriptItemAnswer: z.ZodType<TranscriptItem> = z.object({
  type: z.enum(['human_message', 'agent_call', 'agent_response']),
  sender: z.string(),
  target: z.string(),
  thread: z.literal('default'),
  text: z.string(),
  call_id: z.string().min(1),
  ts: z.int(),
  session_id: z.string().optional(),
  round: z.int().optional(),
  max_rounds: z.int().optional(),
})

export const postedAnswer = z.object({ message_id: z.string(), session_id: z.string().optional(), run: z.string() })

export const agentMessagePostedAnswer = z.object({ id: z.string(), thread: z.string(), run: z.string() })

export const sessionAnswer: z.ZodType<Session> = z.object({
  id: z.string(),
  goal: z.string(),
  participants: z.array(z.string()),
  round: z.int(),
  max_rounds: z.int(),
  status: z.enum(['running', 'ended']),
  end_reason: z.string().optional(),
})

const runFields = {
  id: z.string(),
  kind: z.string(),
  status: z.string(),
  reason: z.string().optional(),
  code: z.string().optional(),
  parent: z.string().optional(),
  steps: z.int(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
}
export const runAnswer = z.object(runFields)
export const listedRunAnswer: z.ZodType<ListedRun> = z.object({
  ...runFields,
  title: z.string().optional(),
  feature: z.string().optional(),
  issue: z.int().optional(),
  room: z.string().optional(),
  cost: z.object({ calls: z.int(), tokens: z.number(), usd: z.number().nullable() }).optional(),
})

/** The folded view; `seq` is where it stands in the log. */
export const runOverviewAnswer = z.looseObject({
  run: z.string(),
  seq: z.int(),
  events: z.int(),
  runs: z.array(z.looseObject({ id: z.string(), kind: z.string(), status: z.string() })),
  lanes: z.array(z.looseObject({ run: z.string(), kind: z.string() })),
})
export const runWithJournalAnswer = z.object({
  ...runFields,
  result: z.unknown().optional(),
  journal: z.array(
    z.object({
      position: z.int(),
      name: z.string(),
      kind: z.string(),
      state: z.string(),
      at: z.iso.datetime(),
    }),
  ),
})

export const eventAnswer = z.object({
  seq: z.int(),
  id: z.string(),
  ts: z.iso.datetime(),
  type: z.string(),
  version: z.int(),
  stream: z.string(),
  run: z.string().optional(),
  feature: z.string().optional(),
  actor: z.string().optional(),
  data: z.unknown(),
  payload_ref: z.string().optional(),
})

/** `next` is the `after` of the following page; null at the end. */
export const eventPageAnswer = z.object({ events: z.array(eventAnswer), next: z.int().nullable() })

export const questionAnswer: z.ZodType<Question> = z.object({
  id: z.string(),
  run: z.string(),
  text: z.string(),
  choices: z.array(z.string()).optional(),
  context: z.record(z.string(), z.unknown()),
})

const buildStatus = z.enum(['running', 'waiting', 'stopped', 'done', 'failed'])

const buildLineAnswer: z.ZodType<BuildLine> = z.object({
  id: z.string(),
  spec: z.string(),
  description: z.string(),
  status: buildStatus,
  strategy: z.enum(['graph', 'solo']).nullable(),
  rehearsal: z.boolean(),
  cost: z.object({ calls: z.number(), tokens: z.number(), usd: z.number().nullable() }),
  nodes: z.number(),
  merged: z.number(),
  questions: z.number(),
  started: z.string().optional(),
  finished: z.string().optional(),
  reason: z.string().optional(),
})

export const buildListAnswer = z.object({ builds: z.array(buildLineAnswer) })

/** The folded view; `seq` is where it stands in the log. */
export const buildAnswer = z.looseObject({ id: z.string(), spec: z.string(), status: buildStatus, seq: z.int() })

export const buildReportAnswer: z.ZodType<BuildReport> = z.object({
  run: z.string(),
  status: buildStatus,
  reason: z.string().optional(),
  code: z.string().optional(),
  branch: z.string(),
  commit: z.string().nullable(),
  tree: z.string().nullable(),
  questions: z.array(questionAnswer).optional(),
  merged: z.boolean().optional(),
})

export const diffAnswer = z.object({ text: z.string(), cut: z.boolean() })

const mode = z.enum(modes)

export const planListAnswer = z.object({
  plans: z.array(
    z.object({
      id: z.string(),
      plan: z.string(),
      goal: z.string(),
      status: buildStatus,
      reason: z.string().optional(),
      mode: mode.nullable(),
      degraded: z.boolean(),
      rehearsal: z.boolean(),
      at: z.string().nullable(),
      phases: z.int(),
      done: z.int(),
      issues: z.int(),
      questions: z.int(),
      cost: z.object({ calls: z.int(), tokens: z.number(), usd: z.number().nullable() }),
      started: z.string().optional(),
      finished: z.string().optional(),
    }),
  ),
  presets: z.array(z.object({ name: z.string(), description: z.string().optional() })),
  preset: z.string(),
})

export const planAdviceAnswer = z.object({
  flags: z.array(z.string()),
  suggestion: z.object({ mode, message: z.string() }).nullable(),
  estimates: z.array(z.object({ mode, calls: z.number(), tokens: z.number(), cost: z.number().nullable() })),
})

/** The folded view; `seq` is where it stands in the log. */
export const planAnswer = z.looseObject({ id: z.string(), goal: z.string(), status: buildStatus, seq: z.int() })

export const planReportAnswer: z.ZodType<PlanReport> = z.object({
  run: z.string(),
  plan: z.string(),
  feature: z.string(),
  folder: z.string(),
  status: buildStatus,
  reason: z.string().optional(),
  code: z.string().optional(),
  degraded: z.boolean(),
  issues: z.number(),
  assumptions: z.array(z.string()).optional(),
  questions: z.array(questionAnswer).optional(),
  risk_flags: z.array(z.string()),
  suggestion: z.object({ mode: mode, message: z.string() }).nullable(),
  estimates: z.array(z.object({ mode: mode, calls: z.number(), tokens: z.number(), cost: z.number().nullable() })),
  warnings: z.array(z.string()),
  cost: z.object({ calls: z.number(), tokens: z.number(), usd: z.number().nullable() }),
})

const issueLine = z.object({
  number: z.int(),
  title: z.string(),
  state: z.string(),
  reason: z.string().optional(),
  commit: z.string().optional(),
  evidence: z.array(z.object({ kind: z.string(), detail: z.string() })),
  elsewhere: z.array(z.object({ branch: z.string(), commit: z.string() })),
  reviewed: z.boolean().optional(),
  notices: z
    .array(
      z.object({
        ts: z.string(),
        change: z.enum(noticeKinds),
        by: z.string().optional(),
        label: z.string().optional(),
        text: z.string().optional(),
        url: z.string().optional(),
      }),
    )
    .optional(),
})

const leftFields = {
  left: z.array(z.int()).optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
}

const featureFields = {
  feature: z.string(),
  issues: z.array(issueLine),
  synced: z.int(),
  reason: z.string().optional(),
  forge_off: z.string().optional(),
  /** What makes the answer less sure than it looks, as in a shallow clone. */
  warnings: z.array(z.string()).optional(),
}

export const featureReportAnswer: z.ZodType<FeatureReport> = z.object(featureFields)

export const featureRunReportAnswer: z.ZodType<FeatureRunReport> = z.object({
  ...featureFields,
  ...leftFields,
  run: z.string(),
  status: buildStatus,
  code: z.string().optional(),
  branch: z.string(),
  questions: z.array(questionAnswer).optional(),
  merged: z.boolean().optional(),
  pull_request: z.object({ number: z.int(), url: z.string() }).optional(),
})

export const shipSettingsAnswer: z.ZodType<ShipSettings> = z.object({
  budget: z.record(z.string(), z.number().nullable()),
  tries: z.int(),
  max_unreviewed: z.int().nullable(),
  forge: z.object({ repo: z.string().nullable(), off: z.string().nullable(), issues_url: z.string().nullable() }),
})

export const featureListAnswer = z.object({
  features: z.array(
    z.object({ feature: z.string(), issues: z.int(), done: z.int(), blocked: z.int(), run: z.string().optional() }),
  ),
})

/** The folded view; `seq` is where it stands in the log. */
export const featureAnswer = z.looseObject({
  feature: z.string(),
  issues: z.array(z.looseObject({ number: z.int() })),
  seq: z.int(),
})

export const shipListAnswer = z.object({
  ships: z.array(z.object({ id: z.string(), goal: z.string(), feature: z.string(), status: z.string() })),
})

const shipCost = z.object({ calls: z.int(), tokens: z.number(), usd: z.number().nullable() })

const shipFields = {
  run: z.string(),
  status: buildStatus,
  reason: z.string().optional(),
  code: z.string().optional(),
  goal: z.string(),
  feature: z.string(),
  plan: z.string(),
  branch: z.string(),
  issues: z.array(issueLine.omit({ evidence: true, elsewhere: true, reviewed: true, notices: true })),
  ...leftFields,
  questions: z.array(questionAnswer).optional(),
  merged: z.boolean().optional(),
  cost: shipCost.optional(),
  seconds: z.number().optional(),
}

export const shipReportAnswer: z.ZodType<ShipReport> = z.object(shipFields)

/** With how far it is, folded; `seq` is where that stands in the log. */
export const shipAnswer = z.object({
  ...shipFields,
  progress: z.looseObject({ run: z.string(), stage: z.enum(shipStages), status: z.string() }),
  seq: z.int(),
})

export const projectAnswer: z.ZodType<ProjectDescription> = z.object({
  name: z.string(),
  command: z.string(),
  sample: z
    .object({
      goal: z.string(),
      mode: z.enum(modes),
      answers: z.array(z.object({ match: z.string(), answer: z.string() })),
      played: z.boolean(),
    })
    .nullable(),
})

export const originAnswer: z.ZodType<Origin> = z.object({
  commit: z.string().nullable(),
  subject: z.string().optional(),
  author: z.string().optional(),
  issue: z.object({ feature: z.string(), number: z.number() }).nullable(),
  node: z.string().optional(),
  spec: z.string().optional(),
  criteria: z.array(z.string()),
  run: z.string().nullable(),
  events: z.array(
    z.object({ seq: z.number(), ts: z.string(), type: z.string(), actor: z.string().optional(), summary: z.string() }),
  ),
  cost: z.object({ calls: z.number(), tokens: z.number(), usd: z.number().nullable() }).optional(),
})

export const replayAnswer = z.object({
  run: z.string(),
  decisions: z.number(),
  differences: z.array(z.object({ seq: z.number(), type: z.string(), was: z.unknown(), is: z.unknown() })),
})
