/** Decides from proposals what people were measured to want: one answer unless the agents themselves say that it is not enough. SPEC.md § DP10. */
import { bothAbove, type Contender, isGapDecisive, isSynthesis, overlapOf } from './contender.ts'
import { type DispatchDecision, pairOf, sharedBy, showLimit, soloBy } from './dispatch-decision.ts'
import type { DispatchLimits } from './dispatch-limits.ts'
import { byTable } from './dispatch-table.ts'

/** `ranked` holds at least two, the most confident first. */
export function byMeasuredWishes(ranked: readonly Contender[], limits: DispatchLimits): DispatchDecision {
  const [winner, runnerUp] = ranked as [Contender, Contender]
  const pair = pairOf(winner, runnerUp)
  if (winner.soloSufficient === true && isOutvoted(ranked, limits))
    return sharedBy(
      pair,
      'parallel',
      [winner, runnerUp],
      `${winner.name} says that its answer alone is enough, but all ${ranked.length - 1} others say that one is not.`,
    )
  if (winner.soloSufficient === true)
    return soloBy(pair, 'sufficient', `${winner.name}, the most confident, says that its answer alone is enough.`)

  if (winner.soloSufficient === false && runnerUp.soloSufficient === true)
    return soloBy(
      pair,
      'sufficient',
      `${winner.name}, the most confident, would not answer alone, but ${runnerUp.name} says that one answer is enough.`,
    )

  const joins = !isGapDecisive(winner, runnerUp, limits) && bothAbove(limits.high, winner, runnerUp)
  const neither = winner.soloSufficient === false && runnerUp.soloSufficient === false
  if (neither && joins && limits.max_responders > 1) return neitherSuffices(ranked, limits)
  return byTable(comparable(ranked, limits), limits)
}

/** Two or more others, each of whom could answer too, all say that one answer is not enough. */
function isOutvoted([winner, ...others]: readonly Contender[], limits: DispatchLimits): boolean {
  const couldAnswer = (one: Contender) => !isGapDecisive(winner!, one, limits) && bothAbove(limits.high, winner!, one)
  return (
    limits.max_responders > 1 &&
    others.length > 1 &&
    others.every((one) => one.soloSufficient === false && couldAnswer(one))
  )
}

/** Different topics are answered side by side; on the same topics, the second reads the first. */
function neitherSuffices(ranked: readonly Contender[], limits: DispatchLimits): DispatchDecision {
  const [winner, runnerUp] = ranked as [Contender, Contender]
  const pair = pairOf(winner, runnerUp)
  const names = `${winner.name} and ${runnerUp.name}`
  if (pair.overlap >= limits.overlap)
    return sharedBy(pair, 'synthesis', [winner, runnerUp], `${names} each say that their answer alone is not enough.`)
  const reason = `${names} each say that their answer alone is not enough, and their topics overlap less than ${showLimit(limits.overlap)}.`
  const thirds = ranked.slice(2).filter((one) => one.soloSufficient !== true)
  return sharedBy(pair, 'parallel', withThirds([winner, runnerUp], thirds, limits), reason)
}

function withThirds(pair: Contender[], thirds: readonly Contender[], limits: DispatchLimits): Contender[] {
  const chosen = [...pair]
  for (const third of thirds) {
    if (chosen.length >= limits.max_responders) break
    if (isGapDecisive(pair[0]!, third, limits) || !bothAbove(limits.high, pair[0]!, third)) continue
    if (chosen.every((one) => overlapOf(one, third) < limits.overlap)) chosen.push(third)
  }
  return chosen
}

/** A third agent joins beside the runner-up, never in its place: the table sees only those that fit what it decides for the two. */
function comparable(ranked: readonly Contender[], limits: DispatchLimits): readonly Contender[] {
  const [winner, runnerUp] = ranked as [Contender, Contender]
  switch (byTable([winner, runnerUp], limits).mode) {
    case 'solo':
      return [winner, runnerUp]
    case 'parallel':
      return ranked
    case 'synthesis':
      return ranked.filter((one) => one === winner || isSynthesis(winner, one, limits))
  }
}
