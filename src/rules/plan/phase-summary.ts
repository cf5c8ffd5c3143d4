/** The front matter of a phase summary: all that the orchestrator reads of a phase. SPEC.md § PH2, PH3. */
import { z } from 'zod'
import { modes } from './mode.ts'
import { phaseIdSchema } from './phase-table.ts'
import { strategies } from './strategy-table.ts'

const confidence = z.preprocess(
  (value) => (typeof value === 'string' ? value.toUpperCase() : (value ?? 'MEDIUM')),
  z.enum(['HIGH', 'MEDIUM', 'LOW']),
)
const oneOrMore = z.preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(z.string()))

/** What the agent called the item, if it is not the id that Convene gave it. */
const called = z.string().optional()

export const keyDecisionSchema = z.object({
  id: z.string().min(1),
  called,
  decision: z.string(),
  rationale: z.string().optional(),
  confidence,
  /** Ids of earlier decisions that this one replaces. */
  supersedes: oneOrMore.optional(),
  /** Ids of open questions that this one answers, and of risks that it removes. */
  resolves: oneOrMore.optional(),
  /** Ids of earlier decisions that this one contradicts without replacing them. */
  contradicts: oneOrMore.optional(),
  /** The ask or question that made it. */
  ask: z.string().optional(),
  /** What the person was asked and said, if it is their answer. */
  question: z.string().optional(),
  answer: z.string().optional(),
})

export const openQuestionSchema = z.object({
  id: z.string().min(1),
  called,
  question: z.string(),
  priority: confidence,
  candidates: z.array(z.string()).optional(),
})

export const closedQuestionSchema = z.object({
  question: z.string(),
  answer: z.string(),
  /** Ids of open questions that it closes. */
  resolves: z.array(z.string()).optional(),
})

export const riskSchema = z.object({
  id: z.string().min(1),
  called,
  risk: z.string(),
  severity: z.string().default('MEDIUM'),
  mitigation: z.string().optional(),
})

export const phaseSummarySchema = z
  .object({
    phase: phaseIdSchema,
    status: z.enum(['completed', 'needs-user-input', 'skipped', 'failed']),
    /** Why the user is needed. Only the orchestrator asks the user. */
    block_reason: z.string().min(1).optional(),
    flags: z.array(z.string()).default([]),
    key_decisions: z.array(keyDecisionSchema).default([]),
    /** In a file: decisions that a later one replaced, and by which. */
    replaced_decisions: z.array(keyDecisionSchema.extend({ by: z.string() })).optional(),
    open_questions: z.array(openQuestionSchema).default([]),
    /** What the person answered without deciding anything: left to the team. */
    closed_questions: z.array(closedQuestionSchema).optional(),
    risks_identified: z.array(riskSchema).default([]),
    mode: z.enum(modes).optional(),
    strategy: z.enum(strategies).nullish(),
    strategy_override: z.string().nullish(),
    specify_score: z.number().int().min(0).max(10).nullish(),
    specify_dimensions: z.record(z.string(), z.number()).nullish(),
    /** How many of the asked agents answered: `2 of 3`. */
    answered: z.string().nullish(),
    /** The names of the others (CV6). */
    missing: z.array(z.string()).nullish(),
    outcome: z.enum(['pass', 'pass_with_risk', 'fail', 'GREEN', 'YELLOW', 'RED']).nullish(),
    /** Objections of a panel's members (PH4). */
    dissents: z.array(z.object({ member: z.string(), text: z.string() })).nullish(),
    risk_flags: z.array(z.string()).default([]),
    preset: z.string().nullish(),
    parallel_pairs_completed: z.array(z.tuple([phaseIdSchema, phaseIdSchema])).default([]),
    consensus_skipped: z.boolean().default(false),
  })
  .refine((summary) => summary.status !== 'needs-user-input' || summary.block_reason !== undefined, {
    path: ['block_reason'],
    message: 'A phase that needs the user must give a reason',
  })

export type KeyDecision = z.infer<typeof keyDecisionSchema>
export type OpenQuestion = z.infer<typeof openQuestionSchema>
export type ClosedQuestion = z.infer<typeof closedQuestionSchema>
export type IdentifiedRisk = z.infer<typeof riskSchema>
export type PhaseSummary = z.infer<typeof phaseSummarySchema>
