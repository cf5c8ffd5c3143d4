/** Converts the plan configuration to the rules' input, for the plan and for one phase. */
import type { Config } from '../kernel/config/load.ts'
import { type ConvergenceLimits, defaultConvergenceLimits } from '../rules/convergence/convergence-limits.ts'
import { type BreakerLimits, roundsAllowed } from '../rules/plan/breaker.ts'
import {
  type DeliberationLimits,
  type DeliberationVariant,
  type RoundTwoMode,
  usualVariant,
} from '../rules/plan/deliberation.ts'
import {
  type FeatureFlag,
  type FlagName,
  type FlagOverrides,
  type FlagSet,
  resolveFlags,
} from '../rules/plan/feature-flags.ts'
import { type Mode, modes } from '../rules/plan/mode.ts'
import type { PhaseId } from '../rules/plan/phase-table.ts'
import { pickTeam, type Team } from '../rules/plan/preset.ts'
import type { Preset } from '../rules/plan/preset-table.ts'
import type { ReviewLimits } from '../rules/plan/review.ts'
import type { SpecifyLimits } from '../rules/plan/specify.ts'
import type { Strategy, StrategyTable } from '../rules/plan/strategy-table.ts'
import type { PlanInput } from './plan-input.ts'
import { roleLenses } from './roles.ts'

type Settings = Config['plan']

/** Participating agents by name. */
export interface Staff {
  coordinator: string
  panel: string[]
  reviewers: string[]
}

/**
 * The settings of one phase, recorded when it starts: editing the configuration must not change how its finished steps are
 * replayed after a restart (ST4).
 */
export interface PhaseSettings {
  flags: FlagName[]
  team: Pick<Team, 'preset' | 'agents'>
  staff: Staff
  /** The project's own roles, with their lenses. Absent in phases that an earlier version started. */
  lenses?: [string, string][]
  strategies: [PhaseId, Readonly<Record<Mode, Strategy>>][]
  deliberation: {
    variant: DeliberationVariant
    roundTwo: [PhaseId, RoundTwoMode][]
    /** Absent in phases that an earlier version started. */
    limits?: DeliberationLimits
  }
  convergence: ConvergenceLimits
  showsAgreement: boolean
  specify: SpecifyLimits
  review: ReviewLimits
  breakers: { max_consecutive_failures: number; overrides: [string, number][]; keepsCounting: string[] | 'all' }
  context: { fields: ('key_decisions' | 'open_questions' | 'risks_identified')[]; tokens: number }
}

export function phaseSettings(settings: Settings, staff: Staff, input: PlanInput): PhaseSettings {
  const { mpa, specify_gate, expert_review, circuit_breaker, state } = settings
  const flags = flagsIn(settings, input.mode)
  const { preset, agents } = teamOf(settings, flags, input)
  const { threshold, max_iterations, low_score_threshold, degraded_threshold } = specify_gate
  const { confidence_threshold, max_review_iterations, tri_state } = expert_review
  const { decision_propagation } = state.context_protocol
  const propagates =
    flags.has('a6_context_protocol') &&
    decision_propagation.enabled &&
    decision_propagation.inject_into_coordinator_prompt
  const { defaults, overrides } = circuit_breaker
  return {
    flags: [...flags],
    team: { preset, agents },
    staff,
    lenses: Object.entries(settings.roles_extra),
    strategies: [...strategiesIn(settings)],
    deliberation: {
      variant: mpa.deliberation.variant ?? usualVariant(input.mode),
      roundTwo: [
        ['2', mpa.deliberation.round_2_mode],
        ['4', mpa.deliberation.per_phase_override.phase_4],
        ['7', mpa.deliberation.per_phase_override.phase_7],
      ],
      limits: { round_one_tokens: mpa.deliberation.round_1_tokens },
    },
    convergence: convergenceIn(settings),
    showsAgreement: mpa.convergence_detection.output_section,
    specify: { threshold, max_iterations, low_score_threshold, degraded_threshold },
    review: {
      confidence_threshold: flags.has('s13_confidence_gated_review') ? confidence_threshold : 0,
      max_review_iterations,
      pass_max_critical: tri_state.pass.max_critical,
      pass_max_major: tri_state.pass.max_major,
      risk_max_critical: tri_state.pass_with_risk.max_critical,
    },
    breakers: {
      max_consecutive_failures: defaults.max_consecutive_failures,
      overrides: Object.entries(overrides).map(([name, limit]) => [
        name,
        name === 'specify_gate'
          ? roundsAllowed(limit.max_consecutive_failures, max_iterations)
          : limit.max_consecutive_failures,
      ]),
      keepsCounting: defaults.reset_on_success
        ? Object.entries(overrides).flatMap(([name, limit]) => (limit.reset_on_success === false ? [name] : []))
        : 'all',
    },
    context: {
      fields: propagates ? decision_propagation.accumulate_from_summaries : [],
      tokens: decision_propagation.max_accumulated_tokens,
    },
  }
}

export function breakerLimits({ breakers }: PhaseSettings): BreakerLimits {
  return {
    max_consecutive_failures: breakers.max_consecutive_failures,
    overrides: new Map(breakers.overrides),
  }
}

/** ST7: with warnings if it differs from the requested team. */
export function teamOf(settings: Settings, flags: FlagSet, { mode, preset }: Pick<PlanInput, 'mode' | 'preset'>): Team {
  const extra = Object.keys(settings.roles_extra)
  const known = new Set([...roleLenses.keys(), ...extra])
  const asked = preset ?? settings.mpa.preset_suggestion.default
  return pickTeam({ mode, flags, known, extra, preset: asked }, presetsIn(settings))
}

/** A configuration section can narrow its flag by a switch and by modes. */
export function flagsIn(settings: Settings, mode: Mode): FlagSet {
  const { feature_flags: flags, mpa, specify_gate, expert_review, orchestrator } = settings
  const within = (flag: FeatureFlag, section: { enabled?: boolean; modes: readonly Mode[] }): FeatureFlag => ({
    ...flag,
    enabled: flag.enabled && section.enabled !== false,
    modes: flag.modes.filter((one) => section.modes.includes(one)),
  })
  const { parallel_dispatch } = orchestrator
  return resolveFlags(
    mode,
    {},
    {
      ...flags,
      s7_mpa_deliberation: within(flags.s7_mpa_deliberation, mpa.deliberation),
      s8_convergence_detection: within(flags.s8_convergence_detection, mpa.convergence_detection),
      s12_specify_gate: within(flags.s12_specify_gate, specify_gate),
      s13_confidence_gated_review: within(flags.s13_confidence_gated_review, expert_review),
      a4_expert_review: within(flags.a4_expert_review, expert_review),
      // Either place turns it on: a section that is off by default must not disable the flag.
      s11_parallel_dispatch: {
        ...within(flags.s11_parallel_dispatch, { modes: parallel_dispatch.modes }),
        enabled:
          (flags.s11_parallel_dispatch.enabled || parallel_dispatch.enabled) && parallel_dispatch.pairs.length > 0,
      },
    },
  )
}

/** The flags without their modes, for estimates over all modes. */
export function switchesIn(settings: Settings): FlagOverrides {
  return Object.fromEntries(Object.entries(settings.feature_flags).map(([name, { enabled }]) => [name, enabled]))
}

function presetsIn(settings: Settings): ReadonlyMap<string, Preset> {
  return new Map(
    Object.entries(settings.mpa.team_presets).map(([name, preset]) => [
      name,
      {
        ...(preset.description === undefined ? {} : { description: preset.description }),
        agents: {
          ...(preset.phase_2_agents ? { '2': preset.phase_2_agents } : {}),
          '4': preset.phase_4_agents,
          '6b': preset.phase_6b_agents,
          '7': preset.phase_7_agents,
        },
      },
    ]),
  )
}

function strategiesIn(settings: Settings): StrategyTable {
  const rows = Object.entries(settings.mpa.strategy_per_phase).map(([name, chosen]) => {
    const by: Partial<Record<Mode | 'default', Strategy>> = chosen
    const row = modes.map((mode) => [mode, by[mode] ?? by.default ?? 'quick'] as const)
    return [name.replace('phase_', '') as PhaseId, Object.fromEntries(row) as Record<Mode, Strategy>] as const
  })
  return new Map(rows)
}

function convergenceIn(settings: Settings): ConvergenceLimits {
  const { convergence_detection: given } = settings.mpa
  const { threshold_high, threshold_low, agreement_weight, stability_weight, positions_high, positions_low } = given
  const weights = { agreement_weight, stability_weight }
  return { ...defaultConvergenceLimits, threshold_high, threshold_low, positions_high, positions_low, ...weights }
}
