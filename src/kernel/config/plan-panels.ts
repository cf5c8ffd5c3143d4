/** `plan.mpa`: how a panel of agents deliberates, how agreement is measured, and who sits on it. */
import { z } from 'zod'
import { defaultConvergenceLimits } from '../../rules/convergence/convergence-limits.ts'
import { defaultDeliberationLimits } from '../../rules/plan/deliberation.ts'
import type { Mode } from '../../rules/plan/mode.ts'
import { presets } from '../../rules/plan/preset-table.ts'
import { type Strategy, strategies as strategyNames } from '../../rules/plan/strategy-table.ts'
import { everyOneOf, fraction, mode, wholeNumber, words } from './values.ts'

const strategy = z.enum(strategyNames)
const secondRound = z.enum(['revise', 'critique'])

const deliberation = z.strictObject({
  variant: z
    .enum(['light', 'full'])
    .optional()
    .describe(
      'light: the coordinator lists contradictions; full: agents answer each other. Unless given, full in complete mode.',
    ),
  round_2_mode: secondRound.default('revise').describe('What agents do in the second round of the full variant.'),
  per_phase_override: z
    .strictObject({
      phase_4: secondRound.default('revise').describe('The architecture phase.'),
      phase_7: secondRound.default('critique').describe('The test strategy phase.'),
    })
    .prefault({})
    .describe('The second round by phase.'),
  round_1_tokens: wholeNumber
    .min(0)
    .max(1_000_000)
    .default(defaultDeliberationLimits.round_one_tokens)
    .describe('First drafts longer than this together are not shared in full: light deliberation instead.'),
  modes: z.array(mode).default(['complete', 'advanced']).describe('The modes that deliberate.'),
})

const convergence = z
  .strictObject({
    enabled: z.boolean().default(true).describe('Whether to measure agreement.'),
    threshold_high: fraction
      .default(defaultConvergenceLimits.threshold_high)
      .describe('Agreement is high from this score on.'),
    threshold_low: fraction
      .default(defaultConvergenceLimits.threshold_low)
      .describe('Agreement is low below this score, and Convene asks the user.'),
    agreement_weight: fraction
      .default(defaultConvergenceLimits.agreement_weight)
      .describe('The weight of agreeing words.'),
    stability_weight: fraction
      .default(defaultConvergenceLimits.stability_weight)
      .describe('The weight of shared vocabulary.'),
    positions_high: fraction
      .default(defaultConvergenceLimits.positions_high)
      .describe('Agreement of stated positions is high from this share of questions without a conflict.'),
    positions_low: fraction
      .default(defaultConvergenceLimits.positions_low)
      .describe('Agreement of stated positions is low below this share.'),
    modes: z.array(mode).default(['complete', 'advanced', 'standard']).describe('The modes that measure agreement.'),
    output_section: z.boolean().default(true).describe('Whether the synthesis shows the measurement.'),
  })
  .refine((score) => score.threshold_low <= score.threshold_high, {
    path: ['threshold_low'],
    error: 'at most threshold_high',
  })
  .refine((score) => score.positions_low <= score.positions_high, {
    path: ['positions_low'],
    error: 'at most positions_high',
  })
  .refine((score) => Math.abs(score.agreement_weight + score.stability_weight - 1) < 1e-9, {
    path: ['agreement_weight'],
    error: 'such that agreement_weight and stability_weight add up to 1',
  })

/** Fixed per strategy: choose another strategy with `strategy_per_phase` instead. */
const playedIn = (rounds: number, crossReview: boolean | 'sequential') => ({
  rounds: z.literal(rounds).default(rounds).describe('Its rounds: fixed.'),
  cross_review: z
    .literal(crossReview)
    .default(crossReview)
    .describe('Whether agents review each other, in parallel or in sequence: fixed.'),
})

const strategies = z.strictObject({
  quick: z.strictObject(playedIn(1, false)).prefault({}).describe('One round, no cross-review.'),
  perspectives: z.strictObject(playedIn(2, true)).prefault({}).describe('Different lenses, then cross-review.'),
  red_team: z
    .strictObject({
      ...playedIn(3, 'sequential'),
      severity_levels: everyOneOf(['CRITICAL', 'MAJOR', 'MINOR']).describe(
        'The severities of a challenge: always all three.',
      ),
    })
    .prefault({})
    .describe('Propose, challenge, defend.'),
})

type ByMode = Partial<Record<Mode | 'default', Strategy>>

function byMode(usual: ByMode, phase: string) {
  const choice = (name: keyof ByMode, when: string) => {
    const described = strategy.describe(`The strategy ${when}.`)
    return usual[name] === undefined ? described.optional() : described.default(usual[name])
  }
  return z
    .strictObject({
      default: choice('default', 'in modes not named here'),
      rapid: choice('rapid', 'in rapid mode'),
      standard: choice('standard', 'in standard mode'),
      advanced: choice('advanced', 'in advanced mode'),
      complete: choice('complete', 'in complete mode'),
    })
    .prefault({})
    .describe(`The strategy of the ${phase} phase.`)
}

const strategyPerPhase = z.strictObject({
  phase_2: byMode({ default: 'quick', complete: 'perspectives' }, 'research'),
  phase_4: byMode(
    { rapid: 'quick', standard: 'quick', advanced: 'perspectives', complete: 'perspectives' },
    'architecture',
  ),
  phase_6b: byMode({ default: 'red_team' }, 'expert review'),
  phase_7: byMode(
    { rapid: 'quick', standard: 'quick', advanced: 'perspectives', complete: 'red_team' },
    'test strategy',
  ),
})

const preset = z.strictObject({
  description: words.optional().describe('What the preset is for.'),
  phase_2_agents: z.array(words).optional().describe("Who researches; defaults to those of 'balanced'."),
  phase_4_agents: z.array(words).describe('Who designs the architecture.'),
  phase_7_agents: z.array(words).describe('Who plans the tests.'),
  phase_6b_agents: z.array(words).describe('Who reviews the plan; an empty list skips the review if its flag is off.'),
})

const teamPresets = z
  .object({ balanced: shippedPreset('balanced'), rapid_prototype: shippedPreset('rapid_prototype') })
  .catchall(preset)

function shippedPreset(name: 'balanced' | 'rapid_prototype') {
  const { agents, description = name } = presets.get(name)!
  const team = {
    description,
    ...(agents['2'] ? { phase_2_agents: [...agents['2']] } : {}),
    phase_4_agents: [...agents['4']],
    phase_7_agents: [...agents['7']],
    phase_6b_agents: [...agents['6b']],
  }
  return preset.prefault(team).describe(`${description}.`)
}

export const mpaSchema = z.strictObject({
  deliberation: deliberation.prefault({}).describe('The second round.'),
  convergence_detection: convergence.prefault({}).describe('How agreement is measured.'),
  strategies: strategies.prefault({}).describe('The three ways of working together.'),
  strategy_per_phase: strategyPerPhase.prefault({}).describe('The strategy of each phase, by mode.'),
  team_presets: teamPresets.prefault({}).describe('Who sits on the panels, by preset.'),
  preset_suggestion: z
    .strictObject({ default: words.default('balanced').describe('The preset unless the command names one.') })
    .prefault({})
    .describe('Which preset is suggested.'),
})
