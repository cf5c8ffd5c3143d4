/** A proposal prepared for dispatch: confidence in hundredths, angle and topics as keywords. SPEC.md § DP1, DP2, DP4. */
import { byCodeUnit } from '../text/by-code-unit.ts'
import { jaccard, keywords } from '../text/words.ts'
import { hundredths } from './confidence.ts'
import type { DispatchLimits } from './dispatch-limits.ts'
import type { Proposals } from './proposal.ts'

export interface Contender {
  name: string
  /** Whole hundredths. */
  confidence: number
  /** What overlap is measured on. */
  keywords: ReadonlySet<string>
  buildsOnOther: boolean
  /** Undefined where the agent did not say. */
  soloSufficient: boolean | undefined
}

/**
 * Most confident first. Leaves out agents that are not in the room, because they could not answer.
 * `measured` compares topics alone, as free words of angles differ even where the meaning is the same (DP10).
 */
export function rank(
  proposals: Proposals,
  agents: readonly string[],
  { rule }: Pick<DispatchLimits, 'rule'>,
): Contender[] {
  const present = new Set(agents)
  return Object.entries(proposals)
    .filter(([name]) => present.size === 0 || present.has(name))
    .map(([name, proposal]) => ({
      name,
      confidence: hundredths(proposal.confidence),
      keywords: keywords((rule === 'seed' ? [proposal.angle, ...proposal.covers] : proposal.covers).join('\n')),
      buildsOnOther: proposal.builds_on_other === true,
      soloSufficient: proposal.solo_sufficient,
    }))
    .sort((a, b) => b.confidence - a.confidence || byCodeUnit(a.name, b.name))
}

export function overlapOf(a: Contender, b: Contender): number {
  return jaccard(a.keywords, b.keywords)
}

export function isGapDecisive(winner: Contender, other: Contender, limits: DispatchLimits): boolean {
  return winner.confidence - other.confidence > hundredths(limits.gap)
}

export function bothAbove(limit: number, a: Contender, b: Contender): boolean {
  return Math.min(a.confidence, b.confidence) > hundredths(limit)
}

export function bothBelow(limit: number, a: Contender, b: Contender): boolean {
  return Math.max(a.confidence, b.confidence) < hundredths(limit)
}

/** Both confident about much the same thing, and at least one wants to build on the other's answer. */
export function isSynthesis(winner: Contender, other: Contender, limits: DispatchLimits): boolean {
  return (
    !isGapDecisive(winner, other, limits) &&
    bothAbove(limits.synthesis, winner, other) &&
    overlapOf(winner, other) >= limits.overlap &&
    (winner.buildsOnOther || other.buildsOnOther)
  )
}
