/** The feature flags of planning, and which of them are on in a mode. SPEC.md § ST4. */
import { z } from 'zod'
import { editDistance } from '../text/nearest.ts'
import { type Mode, modes } from './mode.ts'

export interface FeatureFlag {
  readonly enabled: boolean
  /** Always off in other modes. */
  readonly modes: readonly Mode[]
  /** Off unless all of these are on. */
  readonly requires: readonly FlagName[]
  readonly description?: string
}

export const flagNames = [
  's7_mpa_deliberation',
  's8_convergence_detection',
  's9_multi_strategy',
  's10_team_presets',
  's11_parallel_dispatch',
  's12_specify_gate',
  's13_confidence_gated_review',
  'a4_expert_review',
  'a6_context_protocol',
] as const

export type FlagName = (typeof flagNames)[number]

export type FlagTable = Readonly<Record<FlagName, FeatureFlag>>

/** The flags that are on. */
export type FlagSet = ReadonlySet<FlagName>

const fromStandard: readonly Mode[] = ['standard', 'advanced', 'complete']
const fromAdvanced: readonly Mode[] = ['advanced', 'complete']

export const featureFlags: FlagTable = {
  s7_mpa_deliberation: flag(fromAdvanced, 'Agents read each other’s first drafts before the synthesis'),
  s8_convergence_detection: flag(fromStandard, 'Convene measures how far the agents agree and adapts the synthesis'),
  s9_multi_strategy: {
    ...flag(fromAdvanced, 'Each phase plays its own strategy: quick, perspectives or red_team'),
    requires: ['s7_mpa_deliberation', 's8_convergence_detection'],
  },
  s10_team_presets: flag(fromStandard, 'The team of each phase comes from a preset'),
  s11_parallel_dispatch: { ...flag(fromAdvanced, 'Phases 8 and 8b run in parallel'), enabled: false },
  s12_specify_gate: flag(
    fromStandard,
    'Requirements are scored out of ten, and questions asked until they are clear enough',
  ),
  s13_confidence_gated_review: flag(
    fromStandard,
    'Review findings have a confidence and lead to one of three outcomes',
  ),
  a4_expert_review: flag(fromStandard, 'Specialists review the design in phase 6b'),
  // Rapid too: what the person said, HIGH decisions and MAJOR risks always travel (CX2).
  a6_context_protocol: flag(modes, 'Later phases get the decisions, open questions and risks of earlier ones'),
}

/** Overrides by flag name. An unknown name is an error that suggests the nearest known one. */
export const flagOverridesSchema = z.record(z.string(), z.boolean()).check((context) => {
  for (const name of Object.keys(context.value)) {
    if (isFlagName(name)) continue
    const nearest = nearestFlag(name)
    context.issues.push({
      code: 'invalid_value',
      values: [nearest],
      input: name,
      path: [name],
      message: `Unknown flag; did you mean ${nearest}?`,
    })
  }
})

export type FlagOverrides = Readonly<Record<string, boolean>>

/** The flags that are on in a mode: enabled, inside their modes, and with every required flag on (ST4). */
export function resolveFlags(mode: Mode, overrides: FlagOverrides = {}, table: FlagTable = featureFlags): FlagSet {
  const isOn = (name: FlagName, above: readonly FlagName[]): boolean => {
    if (above.includes(name)) return true // flags that require each other must not recurse forever
    const { enabled, modes, requires } = table[name]
    const wanted = Object.hasOwn(overrides, name) ? overrides[name]! : enabled
    return wanted && modes.includes(mode) && requires.every((required) => isOn(required, [...above, name]))
  }
  return new Set(flagNames.filter((name) => isOn(name, [])))
}

export function isFlagName(name: string): name is FlagName {
  return (flagNames as readonly string[]).includes(name)
}

/** The known flag with the smallest edit distance. Compares at most 64 characters. */
export function nearestFlag(name: string): FlagName {
  const start = name.slice(0, 64).toLowerCase()
  const edits = flagNames.map((candidate) => editDistance(start, candidate))
  return flagNames[edits.indexOf(Math.min(...edits))]!
}

function flag(modes: readonly Mode[], description: string): FeatureFlag {
  return { enabled: true, modes, requires: [], description }
}
