/** `plan.feature_flags`: turns features of the planning rules on or off, and sets the modes they apply to. */
import { z } from 'zod'
import { type FlagName, featureFlags, flagNames } from '../../rules/plan/feature-flags.ts'
import type { Mode } from '../../rules/plan/mode.ts'
import { mode, words } from './values.ts'

export interface FlagConfig {
  enabled: boolean
  modes: Mode[]
  requires: FlagName[]
  description?: string
  rollback?: string
  cost_impact?: string
  latency_impact?: string
}

export const featureFlagsSchema = z.strictObject({
  a4_expert_review: flag('a4_expert_review'),
  a6_context_protocol: flag('a6_context_protocol'),
  s7_mpa_deliberation: flag('s7_mpa_deliberation'),
  s8_convergence_detection: flag('s8_convergence_detection'),
  s9_multi_strategy: flag('s9_multi_strategy'),
  s10_team_presets: flag('s10_team_presets'),
  s11_parallel_dispatch: flag('s11_parallel_dispatch'),
  s12_specify_gate: flag('s12_specify_gate'),
  s13_confidence_gated_review: flag('s13_confidence_gated_review'),
} satisfies Record<FlagName, z.ZodType>)

/** `true` or `false`, or the long form, which can also set the modes. */
function flag(name: FlagName) {
  const usual = featureFlags[name]
  const [modes, requires] = [[...usual.modes], [...usual.requires]]
  const short = z.boolean().transform((on): FlagConfig => ({ enabled: on, modes, requires }))
  const long = z.strictObject({
    enabled: z.boolean().default(usual.enabled).describe('Whether it is on.'),
    modes: z.array(mode).default(modes).describe('The modes in which it applies.'),
    requires: z.array(z.enum(flagNames)).default(requires).describe('Flags that it needs: without them it is off.'),
    description: words.optional().describe('A remark for the reader: what it does.'),
    rollback: words.optional().describe('A remark for the reader: what turning it off brings back.'),
    cost_impact: words.optional().describe('A remark for the reader: what it costs.'),
    latency_impact: words.optional().describe('A remark for the reader: how long it takes.'),
  })
  return z
    .union([short, long])
    .prefault({})
    .describe(`${usual.description ?? name}.`)
}
