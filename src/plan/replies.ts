/** Reads the replies of a plan's agents: structured where possible, otherwise as plain text. */
import { z } from 'zod'
import { criterionKinds } from '../rules/build/spec.ts'
import {
  type IdentifiedRisk,
  type KeyDecision,
  keyDecisionSchema,
  type OpenQuestion,
  openQuestionSchema,
  riskSchema,
} from '../rules/plan/phase-summary.ts'
import { type Dimension, dimensions } from '../rules/plan/question-bank.ts'
import { readBySchema } from '../rules/schema/reply.ts'
import { findingSchema } from './events.ts'
import { readItems } from './reply-items.ts'

const position = z.object({
  question: z.string(),
  choice: z.string(),
  confidence: z.number().min(0).max(1).nullish(),
})

/** For parts that are read later, in whatever shape they came. */
const asGiven = (context?: { value: unknown }) => context?.value as never

/** A member's view of the task. */
export interface Output {
  text: string
  positions: { question: string; choice: string; confidence?: number }[]
}

/** What a provider enforces. A reply in another shape is still read by `readOutput`. */
export const viewSchema = z.looseObject({ output: z.string(), positions: z.array(position).optional().catch(asGiven) })

const outputSchema = z.looseObject({ output: z.string(), positions: z.array(position).catch([]).default([]) })

export function readOutput(text: string): Output {
  const read = readBySchema(text, outputSchema)
  if (!read.ok) return { text: text.trim(), positions: [] }
  const positions = read.value.positions.map(({ confidence, ...stand }) => ({
    ...stand,
    ...(confidence === null || confidence === undefined ? {} : { confidence }),
  }))
  return { text: read.value.output.trim(), positions }
}

const synthesisSchema = z.looseObject({
  artefact: z.string(),
  summary: z.string().catch('').default(''),
  key_decisions: z.unknown().optional(),
  open_questions: z.unknown().optional(),
  risks_identified: z.unknown().optional(),
  files_affected: z.array(z.string()).catch([]).default([]),
})

const level = z.enum(['HIGH', 'MEDIUM', 'LOW'])

const decisionsReply = z
  .array(
    z.object({
      decision: z.string(),
      rationale: z.string(),
      confidence: level,
      supersedes: z.array(z.string()).optional(),
      resolves: z.array(z.string()).optional(),
    }),
  )
  .optional()
  .catch(asGiven)

const riskReply = z.object({
  risk: z.string(),
  severity: z.enum(['CRITICAL', 'MAJOR', 'MINOR']),
  mitigation: z.string(),
})
const risksReply = z.array(riskReply).optional().catch(asGiven)

/** What a provider enforces. Items in another shape are passed on to `readSynthesis` as they came. */
export const synthesisReplySchema = z.looseObject({
  artefact: z.string(),
  summary: z.string().catch(asGiven).optional(),
  key_decisions: decisionsReply,
  open_questions: z
    .array(z.object({ question: z.string(), priority: level }))
    .optional()
    .catch(asGiven),
  risks_identified: risksReply,
  files_affected: z.array(z.string()).optional().catch(asGiven),
})

/** RV4: a question that only the person can answer. */
const personQuestion = z.object({
  text: z.string().min(1),
  options: z.array(
    z.object({
      choice: z.string().min(1),
      follows: z.string(),
      decision: z.string(),
      held_by: z.array(z.string()).optional(),
      as_designed: z.boolean().optional(),
    }),
  ),
  resolves: z.array(z.string()).optional(),
})

/** RV4: how the architect settles points; only the sections that change. */
export const amendmentSchema = z.object({
  points: z.array(
    z.object({
      id: z.string(),
      settled: z.boolean(),
      how: z.string(),
      same_as: z.string().optional(),
      settled_by: z.string().optional(),
      question: personQuestion.optional(),
    }),
  ),
  documents: z
    .array(
      z.object({
        file: z.string(),
        summary: z.string().min(1),
        sections: z.array(z.object({ heading: z.string().min(1), text: z.string().min(1) })).min(1),
      }),
    )
    .default([]),
  key_decisions: decisionsReply,
  /** With the id of an earlier risk it says how that one reads now. */
  risks_identified: z
    .array(riskReply.extend({ id: z.string().optional() }))
    .optional()
    .catch(asGiven),
})

const decidedSchema = z.looseObject({ key_decisions: z.unknown().optional(), risks_identified: z.unknown().optional() })

/** The decisions and risks of a reply, with the names that the agent gave them. */
export function readDecided(
  text: string,
): Pick<Synthesis, 'key_decisions' | 'open_questions' | 'risks_identified' | 'unread'> {
  const read = readBySchema(text, decidedSchema)
  const { key_decisions, risks_identified } = read.ok ? read.value : {}
  const unread: string[] = []
  return {
    key_decisions: readItems(keyDecisionSchema, 'decision', key_decisions, unread),
    risks_identified: readItems(riskSchema, 'risk', risks_identified, unread),
    open_questions: [],
    unread,
  }
}

const statement = z.object({ where: z.string().min(1), says: z.string().min(1) })

/** RV5: pairs of statements that cannot both hold. */
export const contradictionsSchema = z.object({
  contradictions: z.array(z.object({ matter: z.string().min(1), first: statement, second: statement })),
})

export interface Synthesis {
  artefact: string
  summary: string
  key_decisions: KeyDecision[]
  open_questions: OpenQuestion[]
  risks_identified: IdentifiedRisk[]
  files_affected: string[]
  /** Listed items that have no readable content, as they came. */
  unread: string[]
  structured: boolean
}

/** A reply without structure becomes the artefact; its decisions are unknown, and the phase is flagged. */
export function readSynthesis(text: string): Synthesis {
  const read = readBySchema(text, synthesisSchema)
  const { artefact, summary, key_decisions, open_questions, risks_identified, files_affected } = read.ok
    ? read.value
    : synthesisSchema.parse({ artefact: text.trim() })
  const unread: string[] = []
  return {
    artefact,
    summary,
    key_decisions: readItems(keyDecisionSchema, 'decision', key_decisions, unread),
    open_questions: readItems(openQuestionSchema, 'question', open_questions, unread),
    risks_identified: readItems(riskSchema, 'risk', risks_identified, unread),
    files_affected,
    unread,
    structured: read.ok,
  }
}

/** Optional remarks by name; whatever else an agent adds is ignored. */
const words = <Name extends string>(names: readonly Name[]) =>
  z
    .object(
      Object.fromEntries(names.map((name) => [name, z.string().optional()])) as Record<
        Name,
        z.ZodOptional<z.ZodString>
      >,
    )
    .optional()
    .catch(undefined)

const points = z.number().int().min(0).max(2)

export const scoresSchema = z.object({
  scores: z.object({ value: points, scope: points, acceptance: points, constraints: points, risk: points }),
  /** Details that make the questions concrete. */
  research: words(['edge_case', 'error_condition', 'related_feature', 'system', 'unknown', 'risk']),
  reasons: words(['value', 'scope', 'acceptance', 'constraints', 'risk']),
  /** SG2: questions in the project's own terms. */
  questions: z
    .object(
      Object.fromEntries(dimensions.map((name) => [name, z.array(z.string()).optional()])) as Record<
        Dimension,
        z.ZodOptional<z.ZodArray<z.ZodString>>
      >,
    )
    .optional()
    .catch(undefined),
  answered: z
    .array(z.object({ question: z.string(), by: z.string() }))
    .optional()
    .catch(undefined),
})

export const ballotSchema = z.object({
  points: z.number(),
  out_of: z.number().positive().default(10),
  dissent: z.string().nullish(),
  reasons: z.string().nullish(),
})

/** Tolerates lower case, and treats a confidence that is not a number as absent. */
const finding = z.preprocess((value) => {
  if (typeof value !== 'object' || value === null) return value
  const { severity, confidence, ...rest } = value as Record<string, unknown>
  const sure = Number.isFinite(confidence) ? { confidence: Math.min(100, Math.max(0, Number(confidence))) } : {}
  return { severity: typeof severity === 'string' ? severity.toUpperCase() : severity, ...sure, ...rest }
}, findingSchema)

export const findingsSchema = z.object({ findings: z.array(finding) })
export type PlanFinding = z.infer<typeof findingSchema>

/** RV6: groups of findings that mean the same. */
export const findingGroupsSchema = z.object({ same: z.array(z.array(z.string())) })

/** RV4: how the coordinator rates findings after challenge and defence. */
export const weighedSchema = z.object({
  findings: z.array(
    z.object({ id: z.string(), severity: z.enum(['CRITICAL', 'MAJOR', 'MINOR', 'NONE']), reason: z.string() }),
  ),
})

/** The findings in a reply; null for plain text. */
export function readFindings(text: string): PlanFinding[] | null {
  const read = readBySchema(text, findingsSchema)
  return read.ok ? read.value.findings : null
}

const size = z.enum(['small', 'medium', 'large'])
const fraction = z.number().min(0).max(1)
const strings = z.array(z.string()).optional().catch(undefined)

/** Loose: contradictions that nobody asked for are read too. */
export const issuesSchema = z.looseObject({
  issues: z
    .array(
      z.object({
        number: z.int().positive().optional(),
        title: z.string().min(1),
        body: z.string().default(''),
        acceptance_criteria: z
          .array(
            z.object({
              id: z.string().min(1),
              text: z.string().min(1),
              kind: z.enum(criterionKinds).optional().catch(undefined),
            }),
          )
          .min(1),
        depends_on: z.array(z.int()).default([]),
        size: size.default('medium'),
        business_value: fraction.default(0),
        risk: fraction.default(0),
        target_path: z.string().optional(),
        test_path: z.string().optional(),
        files: strings,
        decisions: strings,
        interface: z.string().optional().catch(undefined),
        tests: strings,
      }),
    )
    .min(1),
  summary: z.string().optional(),
})

/** RV5: a small plan is compared by the agent that writes its issues. */
export const comparedIssuesSchema = issuesSchema.extend({
  contradictions: contradictionsSchema.shape.contradictions.optional().catch(undefined),
})

export function readContradictions(reply: unknown): z.infer<typeof contradictionsSchema>['contradictions'] {
  const read = contradictionsSchema.safeParse(reply)
  return read.success ? read.data.contradictions : []
}

export type PlannedIssue = z.infer<typeof issuesSchema>['issues'][number]
