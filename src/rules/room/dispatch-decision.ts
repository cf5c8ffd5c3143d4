/** The decision who answers a message, and how it is put together. SPEC.md § DP. */
import { hundredths, showHundredths } from './confidence.ts'
import { type Contender, overlapOf } from './contender.ts'

export type DispatchMode = 'solo' | 'parallel' | 'synthesis'

/** Which line of the rulebook decided. `none`: no proposals, so the choice is a fallback. */
export type DispatchRule =
  | 'gap'
  | 'parallel'
  | 'synthesis'
  | 'overlap'
  | 'low_conviction'
  | 'default'
  | 'only'
  | 'none'
  | WordingRule
  | 'sufficient'

/** DP9: the wording of the message decided. */
export type WordingRule = (typeof wordingRules)[number]

export const wordingRules = [
  'asked_several',
  'asked_second',
  'asked_other',
  'asked_one',
  'addressed',
  'continued',
  'noted',
] as const

export function isWordingRule(rule: string): rule is WordingRule {
  return (wordingRules as readonly string[]).includes(rule)
}

/** Why a round was decided so, in a few words, by its rule; for those whose name alone does not say it. */
export const decisionWords: Readonly<Record<string, string | undefined>> = {
  gap: 'clearly ahead',
  overlap: 'the other would say much the same',
  low_conviction: 'no agent is confident',
  default: 'no case for a second answer',
  only: 'the only proposal',
  none: 'nobody proposed',
  mention: 'called by name',
  no_content: 'nothing to coordinate',
  only_agent: 'alone in the room',
  asked_several: 'you asked several',
  asked_second: 'you asked for one after another',
  asked_other: 'you asked somebody else',
  asked_one: 'you asked for one answer',
  addressed: 'you addressed it',
  continued: 'it spoke last',
  noted: 'you asked for no answer',
  sufficient: 'one answer is enough',
  rulebook: 'the rules of the peers differ',
}

export interface DispatchDecision {
  mode: DispatchMode
  winner: string
  /** Second by confidence, in every mode; absent with fewer than two proposals. */
  runnerUp?: string
  /** Who answers, the winner first. */
  responders: string[]
  /** Winner against runner-up, unrounded; null with fewer than two proposals. */
  overlap: number | null
  rule: DispatchRule
  reason: string
}

/** The two agents that a decision compares. */
export interface Pair {
  winner: Contender
  runnerUp: Contender
  overlap: number
}

export function pairOf(winner: Contender, runnerUp: Contender): Pair {
  return { winner, runnerUp, overlap: overlapOf(winner, runnerUp) }
}

export function soloBy({ winner, runnerUp, overlap }: Pair, rule: DispatchRule, reason: string): DispatchDecision {
  const responders = [winner.name]
  return { mode: 'solo', winner: winner.name, runnerUp: runnerUp.name, responders, overlap, rule, reason }
}

export function sharedBy(
  { winner, runnerUp, overlap }: Pair,
  mode: 'parallel' | 'synthesis',
  chosen: readonly Contender[],
  reason: string,
): DispatchDecision {
  const responders = chosen.map((one) => one.name)
  return { mode, winner: winner.name, runnerUp: runnerUp.name, responders, overlap, rule: mode, reason }
}

/** DP7: nobody to compare with. */
export function alone(rule: 'only' | 'none', winner: string, reason: string): DispatchDecision {
  return { mode: 'solo', winner, responders: [winner], overlap: null, rule, reason }
}

export function showLimit(limit: number): string {
  return showHundredths(hundredths(limit))
}
