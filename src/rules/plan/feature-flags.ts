/** The planning features that can be turned off, and which of them are on in a mode. SPEC.md § ST4. */
import { z } from 'zod'
import { editDistance } from '../text/nearest.ts'
import type { Mode } from './mode.ts'

export interface FeatureFlag {
  readonly enabled: boolean
  /** Off outside these, whatever else is said. */
  readonly modes: readonly Mode[]
  /** Off unless all of these are on in the same mode. */
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

/** The flags that are on, as every other planning rule takes them. */
export type FlagSet = ReadonlySet<FlagName>

const fromStandard: readonly Mode[] = ['standard', 'advanced', 'complete']
const fromAdvanced: readonly Mode[] = ['advanced', 'complete']

export const featureFlags: FlagTable = {
  s7_mpa_deliberation: flag(
    fromAdvanced,
    'Agents look at each other’s first drafts before anything is merged into one',
  ),
  s8_convergence_detection: flag(fromStandard, 'How far the agents agree is measured, and the synthesis follows it'),
  s9_multi_strategy: {
    ...flag(fromAdvanced, 'Each phase plays the strategy that suits it: quick, perspectives or red_team'),
    requires: ['s7_mpa_deliberation', 's8_convergence_detection'],
  },
  s10_team_presets: flag(fromStandard, 'The team of each phase comes from a preset the user picks'),
  s11_parallel_dispatch: { ...flag(fromAdvanced, 'Phases 8 and 8b run side by side'), enabled: false },
  s12_specify_gate: flag(
    fromStandard,
    'Requirements are scored out of ten, and asked about until they are clear enough',
  ),
  s13_confidence_gated_review: flag(
    fromStandard,
    'Review findings carry a confidence and lead to one of three outcomes',
  ),
  a4_expert_review: flag(fromStandard, 'Phase 6b has the design reviewed by specialists'),
  a6_context_protocol: flag(fromStandard, 'Decisions, open questions and risks travel from phase to phase'),
}

/** Overrides by flag name, as given by a person. A name we do not know is refused with the nearest one we do. */
export const flagOverridesSchema = z.record(z.string(), z.boolean()).check((context) => {
  for (const name of Object.keys(context.value)) {
    if (isFlagName(name)) continue
    const nearest = nearestFlag(name)
    context.issues.push({
      code: 'invalid_value',
      values: [nearest],
      input: name,
      path: [name],
      message: `Unknown flag; the nearest known one is ${nearest}`,
    })
  }
})

export type FlagOverrides = Readonly<Record<string, boolean>>

/** The flags that are on in a mode: switched on, inside their modes, and with all they require (ST4). */
export function resolveFlags(mode: Mode, overrides: FlagOverrides = {}, table: FlagTable = featureFlags): FlagSet {
  const isOn = (name: FlagName, above: readonly FlagName[]): boolean => {
    if (above.includes(name)) return true // a table with a circle must not recurse for ever
    const { enabled, modes, requires } = table[name]
    const wanted = Object.hasOwn(overrides, name) ? overrides[name]! : enabled
    return wanted && modes.includes(mode) && requires.every((required) => isOn(required, [...above, name]))
  }
  return new Set(flagNames.filter((name) => isOn(name, [])))
}

export function isFlagName(name: string): name is FlagName {
  return (flagNames as readonly string[]).includes(name)
}

/** The known flag with the fewest letters to change. Only the start of an endless name is looked at. */
export function nearestFlag(name: string): FlagName {
  const start = name.slice(0, 64).toLowerCase()
  const edits = flagNames.map((candidate) => editDistance(start, candidate))
  return flagNames[edits.indexOf(Math.min(...edits))]!
}

function flag(modes: readonly Mode[], description: string): FeatureFlag {
  return { enabled: true, modes, requires: [], description }
}
