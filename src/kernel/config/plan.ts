/** `plan`: modes, gates and panels of the planning pipeline. */
import { z } from 'zod'
import { accumulatedTokens } from '../../rules/context/context.ts'
import { defaultBreakerLimits } from '../../rules/plan/breaker.ts'
import { askedModes } from '../../rules/plan/mode.ts'
import { dimensions } from '../../rules/plan/question-bank.ts'
import { defaultReviewLimits, severities } from '../../rules/plan/review.ts'
import { defaultSpecifyLimits } from '../../rules/plan/specify.ts'
import { featureFlagsSchema } from './plan-flags.ts'
import { mpaSchema } from './plan-panels.ts'
import { everyOneOf, mode, wholeNumber, words } from './values.ts'

const gatedModes = ['complete', 'advanced', 'standard'] as const
const summaryFields = ['key_decisions', 'open_questions', 'risks_identified'] as const
const packSections = ['original_request', 'accumulated_context', 'current_task', 'acceptance_criteria'] as const

const sharedInput = ['.phase-summaries/phase-7-summary.md', 'test-plan.md'] as const

const specifyGate = z
  .strictObject({
    enabled: z.boolean().default(true).describe('Whether to score the requirements before designing the architecture.'),
    threshold: wholeNumber
      .min(0)
      .max(10)
      .default(defaultSpecifyLimits.threshold)
      .describe('The score out of 10 that passes.'),
    max_iterations: wholeNumber
      .min(0)
      .max(10)
      .default(defaultSpecifyLimits.max_iterations)
      .describe('Rounds of questions before planning continues with a warning.'),
    degraded_threshold: wholeNumber
      .min(0)
      .max(10)
      .default(defaultSpecifyLimits.degraded_threshold)
      .describe('The score that passes if research had gaps.'),
    low_score_threshold: wholeNumber
      .min(0)
      .max(10)
      .default(defaultSpecifyLimits.low_score_threshold)
      .describe('Below this score, later phases use more perspectives.'),
    dimensions: everyOneOf(dimensions).describe('The dimensions that are scored: always all of them.'),
    points_per_dimension: z.literal(2).default(2).describe('The most points for one dimension: always 2.'),
    modes: z
      .array(mode)
      .default([...gatedModes])
      .describe('The modes in which the gate applies.'),
  })
  .refine((gate) => gate.low_score_threshold <= gate.threshold, {
    path: ['low_score_threshold'],
    error: 'at most threshold',
  })

const allowed = (fallback: number, of: string) =>
  wholeNumber.min(0).default(fallback).describe(`The most ${of} findings.`)

const expertReview = z.strictObject({
  confidence_threshold: wholeNumber
    .min(0)
    .max(100)
    .default(defaultReviewLimits.confidence_threshold)
    .describe('Findings below this confidence are advisory.'),
  severity_levels: everyOneOf(severities).describe('The severities of a finding: always all three.'),
  tri_state: z
    .strictObject({
      pass: z
        .strictObject({
          max_critical: allowed(defaultReviewLimits.pass_max_critical, 'critical'),
          max_major: allowed(defaultReviewLimits.pass_max_major, 'major'),
        })
        .prefault({})
        .describe('The findings with which a plan passes.'),
      pass_with_risk: z
        .strictObject({ max_critical: allowed(defaultReviewLimits.risk_max_critical, 'critical') })
        .prefault({})
        .describe('The findings with which a plan passes and carries its risks forward.'),
      fail: z.strictObject({}).prefault({}).describe('Everything else.'),
    })
    .refine(({ pass, pass_with_risk }) => pass.max_critical <= pass_with_risk.max_critical, {
      path: ['pass', 'max_critical'],
      error: 'at most pass_with_risk.max_critical',
    })
    .prefault({})
    .describe('The three outcomes.'),
  max_review_iterations: wholeNumber
    .min(1)
    .max(10)
    .default(defaultReviewLimits.max_review_iterations)
    .describe('Review rounds before the user must decide.'),
  modes: z
    .array(mode)
    .default([...gatedModes])
    .describe('The modes that review the plan.'),
})

const breaker = {
  max_consecutive_failures: wholeNumber.min(1).max(100).describe('Consecutive failures that trip the breaker.'),
  reset_on_success: z.boolean().describe('Whether a success resets the count.'),
}
const breakerOverride = z.strictObject({
  max_consecutive_failures: breaker.max_consecutive_failures,
  reset_on_success: breaker.reset_on_success.optional(),
})

const ownLimit = (context: string) => ({ max_consecutive_failures: defaultBreakerLimits.overrides.get(context)! })

const circuitBreaker = z.strictObject({
  defaults: z
    .strictObject({
      max_consecutive_failures: breaker.max_consecutive_failures.default(defaultBreakerLimits.max_consecutive_failures),
      reset_on_success: breaker.reset_on_success.default(true),
    })
    .prefault({})
    .describe('For every context without an override.'),
  overrides: z
    .object({
      specify_gate: breakerOverride.prefault(ownLimit('specify_gate')).describe('Rounds of questions to the user.'),
      parallel_dispatch: breakerOverride
        .prefault(ownLimit('parallel_dispatch'))
        .describe('Phases that run in parallel.'),
    })
    .catchall(breakerOverride)
    .prefault({})
    .describe('Limits for one context, by name.'),
})

const state = z.strictObject({
  context_protocol: z
    .strictObject({
      decision_propagation: z
        .strictObject({
          enabled: z.boolean().default(true).describe('Whether later phases receive earlier decisions.'),
          accumulate_from_summaries: z
            .array(z.enum(summaryFields))
            .default([...summaryFields])
            .describe('The parts of a phase summary that later phases receive.'),
          inject_into_coordinator_prompt: z
            .boolean()
            .default(true)
            .describe('Whether the prompts of coordinators contain them.'),
          max_accumulated_tokens: wholeNumber
            .min(50)
            .max(100_000)
            .default(accumulatedTokens)
            .describe('How many tokens of them; what always travels may exceed it.'),
        })
        .prefault({})
        .describe('Decisions, open questions and risks from earlier phases.'),
      context_pack: z
        .strictObject({
          enabled: z.literal(true).default(true).describe('Every call to a coordinator has fixed sections: always on.'),
          mandatory_sections: everyOneOf(packSections).describe('Those sections: always all four.'),
          original_request_source: z
            .literal('state.feature_description')
            .default('state.feature_description')
            .describe('Where the original request comes from.'),
        })
        .prefault({})
        .describe('What every call to a coordinator contains.'),
    })
    .prefault({})
    .describe('What phases pass on to each other.'),
})

const orchestrator = z.strictObject({
  parallel_dispatch: z
    .strictObject({
      enabled: z.boolean().default(false).describe('Whether the pairs below run in parallel.'),
      modes: z.array(mode).default(['complete', 'advanced']).describe('The modes in which they run in parallel.'),
      pairs: z
        .array(
          z.strictObject({
            phases: everyOneOf(['8', '8b']).describe('The two phases: only these are independent.'),
            shared_input: everyOneOf(sharedInput).describe('The files that both read: always these two.'),
            note: words.optional().describe('A remark for the reader: anything.'),
            status: words.optional().describe('A remark for the reader: whether the pair has been verified.'),
          }),
        )
        .default([
          {
            phases: ['8', '8b'],
            shared_input: [...sharedInput],
            status: 'pending_verification',
          },
        ])
        .describe('Independent phases; an empty list runs them one after the other.'),
    })
    .prefault({})
    .describe('Phases in parallel.'),
})

export const planSchema = z.strictObject({
  mode: z
    .enum(askedModes)
    .default('auto')
    .describe('The mode unless the command or the user chooses one; auto sizes the plan by its goal.'),
  tools: z
    .enum(['read', 'off'])
    .default('read')
    .describe('`read`: phases 2, 4, 6b and 7 see the last commit, by map and read-only tools. `off`: facts alone.'),
  roles_extra: z
    .record(z.string().regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/), words)
    .default({})
    .describe("The project's own planning roles: a name, and in a sentence how it looks at the work."),
  feature_flags: featureFlagsSchema.prefault({}).describe('Switches for parts of the pipeline.'),
  mpa: mpaSchema.prefault({}).describe('Panels of agents: deliberation, convergence, strategies, presets.'),
  specify_gate: specifyGate.prefault({}).describe('The gate that checks how well the goal is specified.'),
  expert_review: expertReview.prefault({}).describe('The review of the plan by experts.'),
  circuit_breaker: circuitBreaker.prefault({}).describe('How many failures trip a fallback.'),
  state: state.prefault({}).describe('What phases pass on to each other.'),
  orchestrator: orchestrator.prefault({}).describe('How phases are scheduled.'),
})
