/** The table that decides who answers from proposals alone: the whole of rule `seed`, the end of rule `measured`. SPEC.md § DP3, DP6. */
import { showHundredths } from './confidence.ts'
import { bothAbove, bothBelow, type Contender, isGapDecisive, isSynthesis, overlapOf } from './contender.ts'
import { type DispatchDecision, type Pair, pairOf, sharedBy, showLimit, soloBy } from './dispatch-decision.ts'
import type { DispatchLimits } from './dispatch-limits.ts'

/** `ranked` holds at least two, the most confident first. */
export function byTable(ranked: readonly Contender[], limits: DispatchLimits): DispatchDecision {
  const [winner, runnerUp] = ranked as [Contender, Contender]
  const pair = pairOf(winner, runnerUp) // DP4
  if (isGapDecisive(winner, runnerUp, limits)) return soloBy(pair, 'gap', soloReasons.gap(pair, limits))

  const complementary = complementing(winner, ranked, limits)
  if (complementary.length > 1) return together('parallel', complementary, pair, limits)

  const chain = ranked.filter((one) => one === winner || isSynthesis(winner, one, limits)) // DP6
  const synthesis = chain.slice(0, limits.max_responders)
  if (synthesis.length > 1) return together('synthesis', synthesis, pair, limits)

  const rule = soloRule(pair, limits)
  return soloBy(pair, rule, soloReasons[rule](pair, limits))
}

function soloRule({ winner, runnerUp, overlap }: Pair, limits: DispatchLimits) {
  if (bothAbove(limits.high, winner, runnerUp) && overlap >= limits.overlap) return 'overlap'
  return bothBelow(limits.low, winner, runnerUp) ? 'low_conviction' : 'default'
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

function together(
  mode: 'parallel' | 'synthesis',
  chosen: readonly Contender[],
  pair: Pair,
  limits: DispatchLimits,
): DispatchDecision {
  return sharedBy(pair, mode, chosen, sharedReasons[mode](chosen.map(({ name }) => name).join(', '), limits))
}

const soloReasons = {
  gap: ({ winner, runnerUp }: Pair, limits: DispatchLimits) =>
    `${winner.name} leads ${runnerUp.name} by ${showHundredths(winner.confidence - runnerUp.confidence)}, more than ${showLimit(limits.gap)}.`,
  overlap: ({ winner, runnerUp, overlap }: Pair, limits: DispatchLimits) =>
    `${runnerUp.name} would say much the same as ${winner.name}: overlap ${overlap.toFixed(2)}, limit ${showLimit(limits.overlap)}.`,
  low_conviction: ({ winner }: Pair, limits: DispatchLimits) =>
    `No agent reaches ${showLimit(limits.low)}; ${winner.name} is most confident.`,
  default: ({ winner }: Pair) => `No case for a second answer: ${winner.name} is most confident.`,
}

const sharedReasons = {
  parallel: (names: string, limits: DispatchLimits) =>
    `${names}: all above ${showLimit(limits.high)}, and their angles overlap less than ${showLimit(limits.overlap)}.`,
  synthesis: (names: string, limits: DispatchLimits) =>
    `${names}: all above ${showLimit(limits.synthesis)} on much the same angle, and one wants to build on the other.`,
}
