/** The planning part of the configuration in the shapes that the rules take. */
import type { Config } from '../kernel/config.ts'
import type { BreakerLimits } from '../rules/breaker.ts'
import { type ConvergenceLimits, defaultConvergenceLimits } from '../rules/convergence-limits.ts'
import { type FlagSet, resolveFlags } from '../rules/feature-flags.ts'
import { type Mode, modes } from '../rules/mode.ts'
import type { PhaseId } from '../rules/phase-table.ts'
import type { Preset } from '../rules/preset-table.ts'
import type { Strategy, StrategyTable } from '../rules/strategy-table.ts'

type Settings = Config['plan']

export function flagsIn(settings: Settings, mode: Mode): FlagSet {
  const flags = resolveFlags(mode, {}, settings.feature_flags)
  if (!settings.orchestrator.parallel_dispatch.enabled) return flags
  return new Set([...flags, 's11_parallel_dispatch'])
}

export function presetsIn(settings: Settings): ReadonlyMap<string, Preset> {
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

export function strategiesIn(settings: Settings): StrategyTable {
  const rows = Object.entries(settings.mpa.strategy_per_phase).map(([name, chosen]) => {
    const by: Partial<Record<Mode | 'default', Strategy>> = chosen
    const row = modes.map((mode) => [mode, by[mode] ?? by.default ?? 'quick'] as const)
    return [name.replace('phase_', '') as PhaseId, Object.fromEntries(row) as Record<Mode, Strategy>] as const
  })
  return new Map(rows)
}

export function convergenceIn(settings: Settings): ConvergenceLimits {
  const { threshold_high, threshold_low, agreement_weight, stability_weight } = settings.mpa.convergence_detection
  return { ...defaultConvergenceLimits, threshold_high, threshold_low, agreement_weight, stability_weight }
}

export function breakersIn(settings: Settings): BreakerLimits {
  const { defaults, overrides } = settings.circuit_breaker
  return {
    max_consecutive_failures: defaults.max_consecutive_failures,
    overrides: new Map(Object.entries(overrides).map(([name, limit]) => [name, limit.max_consecutive_failures])),
  }
}
