/** Decides whether agents see each other's first drafts, and whether they revise or critique. SPEC.md § ST5. */
import type { FlagSet } from './feature-flags.ts'
import type { PhaseId } from './phase-table.ts'

/** light: the coordinator writes down contradictions and gaps. full: every agent answers a second time. */
export type DeliberationVariant = 'light' | 'full'

export type RoundTwoMode = 'revise' | 'critique'

export type Deliberation =
  | { kind: 'none' }
  | { kind: 'light'; fellBack: boolean }
  | { kind: 'full'; roundTwo: RoundTwoMode }

export interface DeliberationLimits {
  /** If the first drafts together are longer than this, deliberation falls back to light. */
  round_one_tokens: number
}

export const defaultDeliberationLimits: DeliberationLimits = { round_one_tokens: 2_400 }

/** Designs are revised, test strategies are critiqued. */
export const roundTwoModes: ReadonlyMap<PhaseId, RoundTwoMode> = new Map([
  ['4', 'revise'],
  ['7', 'critique'],
])

export function deliberate(
  phase: PhaseId,
  variant: DeliberationVariant,
  roundOneTokens: number,
  flags: FlagSet,
  limits: DeliberationLimits = defaultDeliberationLimits,
  modesOfRoundTwo: ReadonlyMap<PhaseId, RoundTwoMode> = roundTwoModes,
): Deliberation {
  if (!flags.has('s7_mpa_deliberation')) return { kind: 'none' }
  if (variant === 'light') return { kind: 'light', fellBack: false }
  if (roundOneTokens > limits.round_one_tokens) return { kind: 'light', fellBack: true }
  return { kind: 'full', roundTwo: modesOfRoundTwo.get(phase) ?? 'revise' }
}

export interface Draft {
  agent: string
  text: string
}

/** One second-round call. It is a fresh call, so it includes the agent's own draft. */
export interface RoundTwoCall {
  agent: string
  own: string
  others: Draft[]
}

/** The second round of the full variant. Leaves out empty drafts; with fewer than two drafts there is no second round. */
export function roundTwoCalls(drafts: readonly Draft[]): RoundTwoCall[] {
  const written = drafts.filter((draft) => draft.text.trim() !== '')
  if (written.length < 2) return []
  return written.map(({ agent, text }) => ({
    agent,
    own: text,
    others: written.filter((other) => other.agent !== agent),
  }))
}
