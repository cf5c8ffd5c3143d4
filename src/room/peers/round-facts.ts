/** Folds the events of one message into the round that the peers' rule reads. */
import type { StoredEvent } from '../../kernel/events.ts'
import type { RoundRule } from '../../rules/room/round.ts'
import type { PartClaim, PeerDecision, PeerPart, PeerRound } from '../../rules/team/peer-round.ts'
import { messagePosted, noticePosted, replyPassed, replyPosted, roundResolved } from '../events.ts'
import { partClaimed, partDropped, partFailed, proposalPosted, roundStalled } from './events.ts'

export interface RoundReading {
  agents: readonly string[]
  /** The rulebooks of the peers that had joined before the message and are present. */
  joined: Readonly<Record<string, string>>
  /** When this process saw the event. */
  seenAt(event: StoredEvent): number
  /** Whether the holder of a claim has given signs of life. */
  isAlive?(part: number, claim: PartClaim): boolean
}

/** Events of runs below the message's, such as asks, may be among them and are passed over. */
export function foldRound(events: readonly StoredEvent[], reading: RoundReading): PeerRound {
  const { agents, joined, seenAt, isAlive } = reading
  let postedAt = 0
  let decision: PeerDecision | undefined
  let parts: PeerPart[] = []
  let closed = false
  let stalled = false
  const rulebooks: Record<string, string> = { ...joined }
  const proposals: Record<string, PeerRound['proposals'][string]> = {}
  /** An end counts for the claim in force only. */
  const end = (part: number, epoch: number, ended: NonNullable<PeerPart['end']>, agent: string) => {
    const found = parts[part - 1]
    if (!found || found.end || (found.claim?.epoch ?? 0) !== epoch) return
    const failed = ended.kind === 'failed' ? [...found.failed, agent] : found.failed
    const passed = ended.kind === 'passed' ? [...found.passed, agent] : found.passed
    parts[part - 1] = { ...found, end: ended, failed, passed }
  }
  for (const event of events) {
    const at = seenAt(event)
    if (messagePosted.is(event)) {
      postedAt = at
      // A call by name needs no decision.
      if (event.data.mode === 'single')
        decision = { mode: 'solo', rule: 'mention', responders: [event.data.target], at, flags: [] }
    } else if (proposalPosted.is(event)) {
      const { agent, rulebook, proposal } = event.data
      rulebooks[agent] = rulebook
      proposals[agent] = { at, ...(proposal ? { proposal } : {}) }
    } else if (roundResolved.is(event)) {
      const { mode, rule, responders, flags = [] } = event.data
      decision ??= { mode, rule: rule as RoundRule, responders, at, flags }
    } else if (partClaimed.is(event)) {
      const { part, agent, epoch, flags = [] } = event.data
      const found = parts[part - 1]
      if (!found || epoch <= (found.claim?.epoch ?? 0)) continue
      const { end: _, ...rest } = found
      parts[part - 1] = { ...rest, claim: { agent, epoch, at, flags } }
    } else if (replyPosted.is(event) || replyPassed.is(event)) {
      const { part, epoch, agent } = event.data
      const kind = replyPosted.is(event) ? 'answered' : 'passed'
      if (part !== undefined && epoch !== undefined) end(part, epoch, { kind, at }, agent)
    } else if (partFailed.is(event)) {
      end(event.data.part, event.data.epoch, { kind: 'failed', at }, event.data.agent)
    } else if (partDropped.is(event)) {
      end(event.data.part, event.data.epoch, { kind: 'dropped', at }, event.data.agent)
    } else if (roundStalled.is(event)) stalled = true
    else if (noticePosted.is(event) && event.data.ends) closed = true
    if (decision && parts.length === 0) parts = decision.responders.map(() => ({ failed: [], passed: [] }))
  }
  if (isAlive)
    parts = parts.map((part, index) =>
      part.claim && !part.end ? { ...part, claim: { ...part.claim, alive: isAlive(index + 1, part.claim) } } : part,
    )
  return { agents, postedAt, rulebooks, proposals, ...(decision ? { decision } : {}), parts, stalled, closed }
}
