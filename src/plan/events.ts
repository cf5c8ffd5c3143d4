/** Events of the plan floor. Browser-safe. */
import { z } from 'zod'
import { defineEvent } from '../kernel/events.ts'
import { modes } from '../rules/plan/mode.ts'
import { keyDecisionSchema, phaseSummarySchema } from '../rules/plan/phase-summary.ts'
import { phaseIdSchema } from '../rules/plan/phase-table.ts'
import { strategies } from '../rules/plan/strategy-table.ts'

const estimate = z.object({ mode: z.enum(modes), calls: z.number(), tokens: z.number(), cost: z.number().nullable() })

export const planStarted = defineEvent(
  'plan.started',
  1,
  z.object({
    plan: z.string(),
    goal: z.string(),
    mode: z.enum(modes),
    preset: z.string(),
    flags: z.array(z.string()),
    risk_flags: z.array(z.string()),
    suggestion: z.object({ mode: z.enum(modes), message: z.string() }).nullable(),
    estimates: z.array(estimate),
    /** The steps of the plan; phases of one step may run in parallel. */
    steps: z.array(z.array(phaseIdSchema)),
    agents: z.array(z.string()),
    rehearsal: z.boolean(),
    warnings: z.array(z.string()),
  }),
)

export const phaseStarted = defineEvent(
  'phase.started',
  1,
  z.object({
    phase: phaseIdSchema,
    name: z.string(),
    /** How often this phase was started, from 1: a RED rubric or a redesign repeats it. */
    pass: z.number().int(),
    strategy: z.enum(strategies).nullable(),
    override: z.string().optional(),
    cast: z.array(z.string()),
    /** What the strategy was chosen with. */
    chosen_with: z
      .object({
        mode: z.enum(modes),
        planned: z.enum(strategies).optional(),
        flags: z.array(z.string()),
        signals: z.record(z.string(), z.number()),
        limits: z.object({
          security_keywords: z.number(),
          files_affected: z.number(),
          specify_score: z.number(),
          low_specify_score: z.number(),
        }),
      })
      .optional(),
  }),
)

export const outputReceived = defineEvent(
  'output.received',
  1,
  z.object({
    phase: phaseIdSchema,
    round: z.number().int(),
    role: z.string(),
    agent: z.string(),
    ask: z.string(),
    excerpt: z.string(),
    output_ref: z.string(),
    empty: z.boolean(),
  }),
)

/** A member did not answer; the phase continues without it and is flagged. */
export const memberMissing = defineEvent(
  'member.missing',
  1,
  z.object({ phase: phaseIdSchema, round: z.number().int(), role: z.string(), agent: z.string(), reason: z.string() }),
)

const level = z.enum(['high', 'medium', 'low', 'ambiguous'])

export const convergenceMeasured = defineEvent(
  'convergence.measured',
  1,
  z.object({
    phase: phaseIdSchema,
    round: z.number().int(),
    score: z.number().nullable(),
    agreement_ratio: z.number().nullable(),
    stability: z.number().nullable(),
    positions: z.number().nullable(),
    verdict: level.nullable(),
    skipped: z.string().optional(),
    /** The position of each member, by question. */
    stands: z.array(
      z.object({
        question: z.string(),
        choice: z.string(),
        roles: z.array(z.string()),
        kind: z.enum(['agreed', 'conflict', 'alone']).optional(),
        follows: z.string().optional(),
      }),
    ),
    /** CV7: sorted by meaning; otherwise compared as text. */
    aligned: z.boolean().optional(),
    /** How many members are compared, and who is missing. */
    answered: z.number().int().optional(),
    expected: z.number().int().optional(),
    missing: z.array(z.string()).optional(),
    /** The thresholds in force. */
    limits: z
      .object({
        threshold_high: z.number(),
        threshold_low: z.number(),
        positions_high: z.number(),
        positions_low: z.number(),
      })
      .optional(),
  }),
)

export const specifyScored = defineEvent(
  'specify.scored',
  1,
  z.object({
    iteration: z.number().int(),
    scores: z.record(z.string(), z.number()),
    score: z.number(),
    threshold: z.number(),
    passed: z.boolean(),
    weakest: z.string().optional(),
    progress: z.string().optional(),
    /** The gate is off: the score is informational. */
    informational: z.boolean().optional(),
    /** The threshold is lower because research was degraded. */
    relaxed: z.boolean().optional(),
  }),
)

export const panelVoted = defineEvent(
  'panel.voted',
  1,
  z.object({
    phase: phaseIdSchema,
    round: z.number().int(),
    member: z.string(),
    agent: z.string(),
    points: z.number(),
    outOf: z.number(),
    dissent: z.string().optional(),
    reasons: z.string().optional(),
  }),
)

export const panelTallied = defineEvent(
  'panel.tallied',
  1,
  z.object({
    phase: phaseIdSchema,
    level: z.enum(['GREEN', 'YELLOW', 'RED']).nullable(),
    points: z.number(),
    outOf: z.number(),
    answered: z.number(),
    members: z.number(),
    missing: z.array(z.string()),
    /** PH4: the gap that two members name; without it the level would be GREEN. */
    shared: z.string().optional(),
    next: z.string(),
  }),
)

export const findingSchema = z.looseObject({
  severity: z.enum(['CRITICAL', 'MAJOR', 'MINOR']),
  confidence: z.number().nullish(),
  title: z.string().nullish(),
  detail: z.string().nullish(),
  by: z.string().nullish(),
})

export const reviewDecided = defineEvent(
  'review.decided',
  1,
  z.object({
    iteration: z.number().int(),
    outcome: z.enum(['pass', 'pass_with_risk', 'fail']),
    action: z.string(),
    blocking: z.array(findingSchema),
    carried: z.array(findingSchema),
    noted: z.array(findingSchema),
    advisory: z.array(findingSchema),
    overridden: z.array(findingSchema),
    degraded: z.boolean(),
    answered: z.number(),
    reviewers: z.number(),
    missing: z.array(z.string()).optional(),
  }),
)

const statement = z.object({ where: z.string(), says: z.string() })

/** RV5: what a comparison of the plan's documents found. Null contradictions: nobody could compare them. */
export const consistencyChecked = defineEvent(
  'consistency.checked',
  1,
  z.object({
    phase: phaseIdSchema,
    round: z.number().int(),
    contradictions: z.array(z.object({ matter: z.string(), first: statement, second: statement })).nullable(),
  }),
)

/** RV5: how the contradictions that were found ended. A later one of the same phase replaces it. */
export const contradictionsSettled = defineEvent(
  'contradictions.settled',
  1,
  z.object({
    phase: phaseIdSchema,
    ends: z.array(
      z.object({
        matter: z.string(),
        first: statement,
        second: statement,
        end: z.enum(['repaired', 'decided', 'open']),
        how: z.string(),
      }),
    ),
  }),
)

/** RV4: the architect amended documents of earlier phases. */
export const planAmended = defineEvent(
  'plan.amended',
  1,
  z.object({
    /** The phase whose findings led to it. */
    phase: phaseIdSchema,
    points: z.array(
      z.object({
        id: z.string(),
        by: z.string(),
        text: z.string(),
        settled: z.boolean(),
        how: z.string(),
        /** The person settled it. */
        decided: z.literal(true).optional(),
      }),
    ),
    /** Files whose text changed, decisions that were replaced and risks that read differently, by id. */
    changed: z
      .object({ files: z.array(z.string()), decisions: z.array(z.string()), risks: z.array(z.string()) })
      .optional(),
    /** What the phases that own the documents now say. */
    amended: z.array(z.object({ phase: phaseIdSchema, summary: phaseSummarySchema, text: z.string() })),
  }),
)

/** A decision of the plan, with the ask it came from. */
export const decisionRecorded = defineEvent(
  'decision.recorded',
  1,
  z.object({ phase: phaseIdSchema, decision: keyDecisionSchema, ask: z.string().optional() }),
)

export const breakerTripped = defineEvent(
  'breaker.tripped',
  1,
  z.object({ context: z.string(), failures: z.number().int(), action: z.string(), description: z.string() }),
)

export const assumptionMade = defineEvent(
  'assumption.made',
  1,
  z.object({ phase: phaseIdSchema, question: z.string(), assumption: z.string() }),
)

export const artefactWritten = defineEvent(
  'artefact.written',
  1,
  z.object({ phase: phaseIdSchema, file: z.string(), bytes: z.number(), artefact_ref: z.string() }),
)

export const phaseFinished = defineEvent(
  'phase.finished',
  1,
  z.object({ phase: phaseIdSchema, pass: z.number().int(), summary: phaseSummarySchema, text: z.string() }),
)

/** The plan goes back; these phases run again. */
export const planReturned = defineEvent(
  'plan.returned',
  1,
  z.object({ from: phaseIdSchema, to: phaseIdSchema, rerun: z.array(phaseIdSchema), reason: z.string() }),
)

export const planFinished = defineEvent(
  'plan.finished',
  1,
  z.object({
    status: z.enum(['done', 'failed']),
    reason: z.string().optional(),
    degraded: z.boolean(),
    issues: z.number().int(),
    assumptions: z.number().int(),
    /** RV5: the contradictions that nobody has settled, in words. */
    contradictions: z.array(z.string()).optional(),
    /** PH6: HIGH and MEDIUM questions that nobody has answered, in words. */
    open_questions: z.array(z.string()).optional(),
  }),
)

export const planStream = (plan: string) => `plan:${plan}`
