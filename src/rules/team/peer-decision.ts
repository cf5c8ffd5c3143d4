/** When a peer decides a round, and what it decides. SPEC.md § PR1, PR2, PR5. */
import type { DispatchLimits } from '../room/dispatch-limits.ts'
import type { Override } from '../room/override.ts'
import type { Proposals } from '../room/proposal.ts'
import { decideRound, type RoundDecision, type RoundPlan } from '../room/round.ts'
import { firstByName } from '../text/by-code-unit.ts'
import type { PeerFlag, PeerRound } from './peer-round.ts'
import { isOneRulebook } from './rulebook.ts'

export interface PeerTimers {
  /** From one's own proposal, with none of another peer. */
  alone_ms: number
  /** From the message: decide with the proposals that are there. */
  round_ms: number
  /** From the message: any peer steps in. */
  last_resort_ms: number
}

export const defaultPeerTimers: PeerTimers = { alone_ms: 5_000, round_ms: 15_000, last_resort_ms: 25_000 }

/** What the decision depends on besides the round itself; every peer reads it from the log and the rulebook. */
export interface RoundTerms {
  plan: RoundPlan
  /** The override in force when the message was posted. */
  override?: Override
  limits: DispatchLimits
}

export type Resolution = { decision: RoundDecision; flags: PeerFlag[] }

/** The decision, if it is time for one; else when to look again. */
export function resolution(
  round: PeerRound,
  me: string,
  now: number,
  terms: RoundTerms,
  timers: PeerTimers,
): Resolution | { until: number } {
  const { plan } = terms
  const flagged = (...flags: PeerFlag[]): Resolution => ({ decision: decisionOf(round, me, terms, flags), flags })
  if (plan.kind !== 'route' && !isOneRulebook(Object.values(round.rulebooks))) return flagged('rulebook')
  if (plan.kind !== 'propose') return flagged()
  const made = Object.values(round.proposals).filter(({ proposal }) => proposal).length
  if (plan.agents.every((agent) => round.proposals[agent])) return flagged()
  if (now >= round.postedAt + timers.last_resort_ms) return flagged('last_resort')
  if (made > 0 && now >= round.postedAt + timers.round_ms) return flagged('round')
  const own = round.proposals[me]
  const isAlone = own?.proposal !== undefined && Object.keys(round.proposals).length === 1
  if (isAlone && now >= own.at + timers.alone_ms) return flagged('alone')
  const times = [
    round.postedAt + timers.last_resort_ms,
    ...(made > 0 ? [round.postedAt + timers.round_ms] : []),
    ...(isAlone ? [own.at + timers.alone_ms] : []),
  ]
  return { until: Math.min(...times) }
}

/** What follows from the proposals of a round and the flags of its decision: the same for every peer. */
export function decisionOf(
  { agents, proposals }: Pick<PeerRound, 'agents' | 'proposals'>,
  me: string,
  { plan, override, limits }: RoundTerms,
  flags: readonly PeerFlag[],
): RoundDecision {
  if (flags.includes('rulebook')) {
    const first = firstByName(agents)!
    return soloFor(first, 'rulebook', `The peers have different rulebooks: ${first} is the first agent by name.`)
  }
  const made = madeProposals(proposals)
  if (plan.kind === 'propose' && flags.includes('last_resort') && Object.keys(made).length === 0)
    return soloFor(me, 'none', `No proposals: ${me} answers as a last resort.`)
  return decideRound(plan, made, override, limits)
}

export function madeProposals(proposals: PeerRound['proposals']): Proposals {
  return Object.fromEntries(
    Object.entries(proposals).flatMap(([agent, { proposal }]) => (proposal ? [[agent, proposal]] : [])),
  )
}

function soloFor(winner: string, rule: 'rulebook' | 'none', reason: string): RoundDecision {
  return { mode: 'solo', rule, winner, responders: [winner], overlap: null, reason }
}
