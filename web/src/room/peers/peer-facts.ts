/** What the peers of a room did about one message, and labels for it. RD11. */
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import { replyPassed, replyPosted, roundResolved } from '../../../../src/room/events.ts'
import { partClaimed, partDropped, partFailed, roundDisputed, roundStalled } from '../../../../src/room/peers/events.ts'
import type { PeerFlag } from '../../../../src/rules/team/peer-round.ts'

export interface PeerFacts {
  /** The peer that wrote the decision first. */
  decidedBy: string | undefined
  /** In the order in which they were made: a later one of a part replaces the earlier. */
  claims: PeerClaim[]
  /** Peers whose own rules lead to another decision. */
  disputes: { agent: string; mode: string; responders: string[] }[]
  /** Those who were present had failed, and the absent were waited for. */
  stalled: boolean
}

export interface PeerClaim {
  part: number
  agent: string
  epoch: number
  flags: PeerFlag[]
  end: 'answered' | 'passed' | 'failed' | 'dropped' | undefined
  /** Why it failed. */
  why: string | undefined
}

/** The facts with what the event adds; those given, if it says nothing about peers. */
export function evolvePeers(before: PeerFacts | undefined, event: StoredEvent): PeerFacts | undefined {
  if (roundResolved.is(event)) {
    // Elsewhere the router decides.
    if (event.actor === undefined || event.actor === 'router') return before
    return { ...(before ?? nothing), decidedBy: event.actor }
  }
  if (partClaimed.is(event)) {
    const { part, agent, epoch, flags = [] } = event.data
    const claim = { part, agent, epoch, flags, end: undefined, why: undefined }
    const facts = before ?? nothing
    return { ...facts, claims: [...facts.claims, claim] }
  }
  if (!before) return before
  if (roundDisputed.is(event)) {
    const { agent, mode, responders } = event.data
    return { ...before, disputes: [...before.disputes, { agent, mode, responders }] }
  }
  if (roundStalled.is(event)) return { ...before, stalled: true }
  if (replyPosted.is(event)) return ended(before, event.data, 'answered')
  if (replyPassed.is(event)) return ended(before, event.data, 'passed')
  if (partFailed.is(event)) return ended(before, event.data, 'failed', event.data.message)
  return partDropped.is(event) ? ended(before, event.data, 'dropped') : before
}

const nothing: PeerFacts = { decidedBy: undefined, claims: [], disputes: [], stalled: false }

function ended(
  facts: PeerFacts,
  { part, epoch }: { part?: number | undefined; epoch?: number | undefined },
  end: NonNullable<PeerClaim['end']>,
  why?: string,
): PeerFacts {
  const claims = facts.claims.map((claim) =>
    claim.part === part && claim.epoch === epoch ? { ...claim, end, why } : claim,
  )
  return { ...facts, claims }
}

/** In two or three words. */
export const flagLabel: Record<PeerFlag, string> = {
  alone: 'decided alone',
  round: 'proposals missing',
  wait: 'stopped waiting',
  last_resort: 'last resort',
  stand_in: 'stand-in',
  rulebook: 'rulebooks differ',
}

/** Why the peers did not decide or answer all together. */
export const flagReason: Record<PeerFlag, string> = {
  alone: 'No other peer had proposed in time, so one decided alone.',
  round: 'Time for proposals ran out, so the peers decided with the proposals they had.',
  wait: 'The agent to build on was silent, so the next one answered without its text.',
  last_resort: 'There was no answer and no sign of life in time, so another peer stepped in.',
  stand_in: 'The chosen agent failed, so another one answered.',
  rulebook:
    'The rules or limits of the peers differ, so the first agent by name answers alone. Run the same release with the same limits everywhere.',
}
