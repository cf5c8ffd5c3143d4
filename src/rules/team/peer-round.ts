/** A round as the log shows it to every peer of a room. SPEC.md § PR. */
import type { Proposal } from '../room/proposal.ts'
import type { RoundDecision } from '../room/round.ts'

/** Why a decision or a reply is not what all peers together would have given. */
export const peerFlags = ['alone', 'round', 'wait', 'last_resort', 'stand_in', 'rulebook'] as const
export type PeerFlag = (typeof peerFlags)[number]

export interface PeerRound {
  /** The agents of the room, present or not. */
  agents: readonly string[]
  /** All times are those of the peer that reads the round. */
  postedAt: number
  /** The rulebook of each peer that is known. */
  rulebooks: Readonly<Record<string, string>>
  /** `proposal` is absent if the agent could not make one. */
  proposals: Readonly<Record<string, { at: number; proposal?: Proposal }>>
  decision?: PeerDecision
  /** One for each responder of the decision, in its order. */
  parts: readonly PeerPart[]
  /** The room shows that no agent present can answer. */
  stalled: boolean
  /** The person stopped it, or nobody could answer. */
  closed: boolean
}

export interface PeerDecision extends Pick<RoundDecision, 'mode' | 'rule' | 'responders'> {
  at: number
  flags: readonly PeerFlag[]
}

export interface PeerPart {
  /** The claim in force: the one with the highest epoch. */
  claim?: PartClaim
  /** How it ended under the claim in force. */
  end?: { kind: 'answered' | 'passed' | 'failed' | 'dropped'; at: number }
  /** Those that failed or passed under any claim. */
  failed: readonly string[]
  passed: readonly string[]
}

export interface PartClaim {
  agent: string
  epoch: number
  at: number
  flags: readonly PeerFlag[]
  /** Its holder has given a sign of life lately, beyond the claim itself. */
  alive?: boolean
}

/** RD2: peers wait for an agent called by name; no other steps in. */
export function isCalledByName({ mode, rule }: Pick<PeerDecision, 'mode' | 'rule'>): boolean {
  return rule === 'mention' || rule === 'override' || (rule === 'addressed' && mode === 'solo')
}

/** Whether nothing more happens in the round. Without any answer it goes on, unless the responders were called by name. */
export function isRoundOver({ closed, decision, parts }: PeerRound): boolean {
  if (closed) return true
  if (!decision || parts.some(({ end }) => !end)) return false
  return isCalledByName(decision) || isAnswered(parts)
}

/** RD12: it has failed to answer this message once, and is not asked again. */
export function hasFailed({ parts }: Pick<PeerRound, 'parts'>, agent: string): boolean {
  return parts.some(({ failed }) => failed.includes(agent))
}

export function isAnswered(parts: readonly PeerPart[]): boolean {
  return parts.some(({ end }) => end?.kind === 'answered')
}
