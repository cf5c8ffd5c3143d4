/** Decides whether agents see each other's first drafts, and whether they revise or critique. SPEC.md § ST5. */
import type { FlagSet } from './feature-flags.ts'
import type { Mode } from './mode.ts'
import type { PhaseId } from './phase-table.ts'

/** light: the coordinator writes down contradictions and gaps. full: every agent answers a second time. */
export type DeliberationVariant = 'light' | 'full'

/** ST5: the second round pays where the plan may take its time. */
export function usualVariant(mode: Mode): DeliberationVariant {
  return mode === 'complete' ? 'full' : 'light'
}

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

/**
 * ST5: drafts in short, for a reader of all of them: together at most `tokens`. What a short draft leaves goes to the
 * longer ones. A cut draft keeps its headings and the first lines under each, so that every part is heard.
 */
export function inShort(drafts: readonly Draft[], tokens: number, countTokens: (text: string) => number): Draft[] {
  const sizes = drafts.map(({ text }) => countTokens(text))
  let [left, share] = [tokens, 0]
  for (const [index, size] of [...sizes].sort((one, other) => one - other).entries()) {
    share = left / (sizes.length - index)
    if (size > share) break
    left -= size
  }
  return drafts.map((draft, index) =>
    sizes[index]! <= share ? draft : { ...draft, text: shortened(draft.text, share / sizes[index]!) },
  )
}

/** Keeps this part of every section. */
function shortened(text: string, part: number): string {
  const sections = text.split(/^(?=#{1,6} )/m)
  return sections
    .map((section) => {
      const room = Math.max(60, Math.floor(section.length * part))
      if (section.length <= room) return section.trimEnd()
      const cut = section.slice(0, room)
      const end = Math.max(cut.lastIndexOf('. ') + 1, cut.lastIndexOf('\n'))
      return `${cut.slice(0, end > room / 2 ? end : room).trimEnd()} …`
    })
    .join('\n\n')
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
