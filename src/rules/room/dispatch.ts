/** Decides who answers a message, from proposals, names and limits alone. SPEC.md § DP. */
import { z } from 'zod'
import type { Rule } from '../schema/rule.ts'
import { firstByName } from '../text/by-code-unit.ts'
import { oneLine } from '../text/one-line.ts'
import { hundredths, showHundredths } from './confidence.ts'
import { bothAbove, bothBelow, type Contender, isGapDecisive, isSynthesis, overlapOf, rank } from './contender.ts'
import { type DispatchLimits, defaultDispatchLimits, dispatchLimitsSchema } from './dispatch-limits.ts'
import { type Proposals, proposalsSchema } from './proposal.ts'

export type DispatchMode = 'solo' | 'parallel' | 'synthesis'

/** Which line of the rulebook decided. `none`: no proposals, so the choice is a fallback. */
export type DispatchRule = 'gap' | 'parallel' | 'synthesis' | 'overlap' | 'low_conviction' | 'default' | 'only' | 'none'

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

/** If `agents` is not empty, only their proposals count. Throws without any proposal or agent. */
export function dispatch(
  proposals: Proposals,
  agents: readonly string[] = [],
  limits: DispatchLimits = defaultDispatchLimits,
): DispatchDecision {
  const ranked = rank(proposals, agents) // DP1, DP2
  const [winner, runnerUp] = ranked
  if (!winner) return withoutProposals(agents) // DP7
  if (!runnerUp) return alone('only', winner.name, `Only ${winner.name} made a proposal.`) // DP7

  const pair = { winner, runnerUp, overlap: overlapOf(winner, runnerUp), limits } // DP4
  if (isGapDecisive(winner, runnerUp, limits)) return solo('gap', pair)

  const complementary = complementing(winner, ranked, limits)
  if (complementary.length > 1) return together('parallel', complementary, pair)

  const chain = ranked.filter((one) => one === winner || isSynthesis(winner, one, limits)) // DP6
  const synthesis = chain.slice(0, limits.max_responders)
  if (synthesis.length > 1) return together('synthesis', synthesis, pair)

  if (bothAbove(limits.high, winner, runnerUp) && pair.overlap >= limits.overlap) return solo('overlap', pair)
  if (bothBelow(limits.low, winner, runnerUp)) return solo('low_conviction', pair)
  return solo('default', pair)
}

/** DP6: the winner, then by confidence each agent whose angle differs from all chosen so far. For two agents this is DP3. */
function complementing(winner: Contender, ranked: readonly Contender[], limits: DispatchLimits): Contender[] {
  const chosen = [winner]
  for (const other of ranked) {
    if (chosen.length >= limits.max_responders) break
    if (other === winner || isGapDecisive(winner, other, limits) || !bothAbove(limits.high, winner, other)) continue
    if (chosen.every((one) => overlapOf(one, other) < limits.overlap)) chosen.push(other)
  }
  return chosen
}

interface Pair {
  winner: Contender
  runnerUp: Contender
  overlap: number
  limits: DispatchLimits
}

function solo(rule: keyof typeof soloReasons, pair: Pair): DispatchDecision {
  const { winner, runnerUp, overlap } = pair
  const responders = [winner.name]
  const reason = soloReasons[rule](pair)
  return { mode: 'solo', winner: winner.name, runnerUp: runnerUp.name, responders, overlap, rule, reason }
}

function together(mode: 'parallel' | 'synthesis', chosen: readonly Contender[], pair: Pair): DispatchDecision {
  const { winner, runnerUp, overlap, limits } = pair
  const responders = chosen.map((one) => one.name)
  const reason = sharedReasons[mode](responders.join(', '), limits)
  return { mode, winner: winner.name, runnerUp: runnerUp.name, responders, overlap, rule: mode, reason }
}

function withoutProposals(agents: readonly string[]): DispatchDecision {
  const first = firstByName(agents)
  if (first === undefined) throw new RangeError('dispatch needs a proposal or an agent')
  return alone('none', first, `No proposals: ${first} is the first agent by name.`)
}

function alone(rule: 'only' | 'none', winner: string, reason: string): DispatchDecision {
  return { mode: 'solo', winner, responders: [winner], overlap: null, rule, reason }
}

const soloReasons = {
  gap: ({ winner, runnerUp, limits }: Pair) =>
    `${winner.name} leads ${runnerUp.name} by ${showHundredths(winner.confidence - runnerUp.confidence)}, more than ${show(limits.gap)}.`,
  overlap: ({ winner, runnerUp, overlap, limits }: Pair) =>
    `${runnerUp.name} would say much the same as ${winner.name}: overlap ${overlap.toFixed(2)}, limit ${show(limits.overlap)}.`,
  low_conviction: ({ winner, limits }: Pair) =>
    `No agent reaches ${show(limits.low)}; ${winner.name} is most confident.`,
  default: ({ winner }: Pair) => `No case for a second answer: ${winner.name} is most confident.`,
}

const sharedReasons = {
  parallel: (names: string, limits: DispatchLimits) =>
    `${names}: all above ${show(limits.high)}, and their angles overlap less than ${show(limits.overlap)}.`,
  synthesis: (names: string, limits: DispatchLimits) =>
    `${names}: all above ${show(limits.synthesis)} on much the same angle, and one wants to build on the other.`,
}

function show(limit: number): string {
  return showHundredths(hundredths(limit))
}

const dispatchInput = z
  .object({
    proposals: proposalsSchema,
    agents: z.array(z.string().min(1)).optional(),
    limits: dispatchLimitsSchema.prefault({}),
  })
  .refine((input) => Object.keys(input.proposals).length > 0 || (input.agents?.length ?? 0) > 0, {
    path: ['agents'],
    error: 'without proposals, name the agents in the room',
  })

export type DispatchInput = z.infer<typeof dispatchInput>

export const rule: Rule<DispatchInput, DispatchDecision> = {
  name: 'dispatch',
  input: dispatchInput,
  decide: ({ proposals, agents, limits }) => dispatch(proposals, agents, limits),
  explain,
}

function explain({ proposals, agents = [], limits }: DispatchInput, output: DispatchDecision): string {
  const ranked = rank(proposals, agents)
  const then = output.mode === 'synthesis' ? ', then ' : ' and '
  const lines = [`${output.mode.toUpperCase()}: ${output.responders.map((one) => oneLine(one)).join(then)}`]

  const width = Math.max(0, ...ranked.slice(0, 20).map(({ name }) => oneLine(name, 24).length))
  for (const { name, confidence, buildsOnOther } of ranked) {
    const angle = oneLine(proposals[name]!.angle) || '(no angle)'
    const builds = buildsOnOther ? ' · builds on another' : ''
    lines.push(`  ${showHundredths(confidence)}  ${oneLine(name, 24).padEnd(width)}  ${angle}${builds} [DP2]`)
  }
  const absent = Object.keys(proposals).length - ranked.length
  if (absent > 0) lines.push(`  ${absent} not counted: not in the room`)

  const [first, second] = ranked
  if (first && second && output.overlap !== null) {
    const gap = showHundredths(first.confidence - second.confidence)
    lines.push(`  gap ${gap}, limit ${show(limits.gap)} [DP1]`)
    lines.push(`  overlap ${output.overlap.toFixed(2)}, limit ${show(limits.overlap)} [DP4]`)
  }
  const id = second === undefined ? 'DP7' : ranked.length > 2 ? 'DP6' : 'DP3'
  return [...lines, `  ${output.rule}: ${oneLine(output.reason, 200)} [${id}]`].join('\n')
}
