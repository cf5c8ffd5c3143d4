/** The facts that a peer writes about a round. Their keys let the log take each of them once. */
import type { EventKey, NewEvent, StoredEvent } from '../../kernel/events.ts'
import { addUsd } from '../../rules/budget/add-usd.ts'
import { madeProposals, type Resolution } from '../../rules/team/peer-decision.ts'
import { isAnswered, isCalledByName, type PartClaim, type PeerRound } from '../../rules/team/peer-round.ts'
import { couldNotAnswer, type Message, notice } from '../answer.ts'
import { answerWaiting, replyPassed, replyPosted, roomStream } from '../events.ts'
import type { GatheredProposals } from '../proposals.ts'
import { resolvedEvent, type TalkBefore } from '../round.ts'
import { partClaimed, partDropped, partFailed, proposalPosted, roundStalled } from './events.ts'
import type { PeerPlace } from './peer-place.ts'

export const messageRun = (message_id: string) => `message-${message_id}`

export type RoundEvents = ReturnType<typeof roundEvents>

export function roundEvents({ deps, room, agent }: PeerPlace, message: Message, talk: TalkBefore) {
  const { message_id } = message
  const run = messageRun(message_id)
  const header = { stream: roomStream(room), run, actor: agent }
  const keyed = (event: NewEvent, step: string, n = 0): NewEvent => ({ ...event, run, key: keyOf(run, step, n) })
  /** RD7: each but the first waits for the one before it. */
  const waiting = (responders: readonly string[]) =>
    responders.slice(1).map((name, index) => {
      const about = { message_id, agent: name, for: responders[index]! }
      return keyed(answerWaiting.create({ ...header, actor: name }, about), 'waiting', index)
    })
  return {
    resolved({ decision, flags }: Resolution, round: PeerRound, events: readonly StoredEvent[], milliseconds: number) {
      const read = { ...gatheredIn(round, events), agents: [...round.agents], ...talk }
      const event = resolvedEvent(deps, message, decision, read, milliseconds, flags)
      const waits = decision.mode === 'synthesis' ? waiting(decision.responders) : []
      return [keyed({ ...event, actor: agent }, 'round'), ...waits]
    },

    claimed: (part: number, epoch: number, flags: PartClaim['flags']) =>
      keyed(
        partClaimed.create(header, {
          message_id,
          part,
          agent,
          epoch,
          ...(flags.length > 0 ? { flags: [...flags] } : {}),
        }),
        `part ${part}`,
        epoch,
      ),

    /** The reply of this peer with the claim it is written under. Other events are left as they are. */
    underClaim(event: NewEvent, part: number, claim: PartClaim, round: PeerRound): NewEvent {
      const flags = [...new Set([...(round.decision?.flags ?? []), ...claim.flags])]
      const data = { ...(event.data as object), part, epoch: claim.epoch }
      if (event.type === replyPosted.type)
        return keyed({ ...event, data: flags.length > 0 ? { ...data, flags } : data }, `reply ${part}`)
      return event.type === replyPassed.type ? keyed({ ...event, data }, `pass ${part}`, claim.epoch) : event
    },

    failed: (part: number, claim: PartClaim, failure: { reason: string; message: string }) =>
      keyed(
        partFailed.create(header, { message_id, part, agent, epoch: claim.epoch, ...failure }),
        `failure ${part}`,
        claim.epoch,
      ),

    dropped(part: number, round: PeerRound) {
      const { claim } = round.parts[part - 1]!
      const silent = claim?.agent ?? round.decision!.responders[part - 1]!
      const dropped = partDropped.create(header, { message_id, part, epoch: claim?.epoch ?? 0, agent: silent })
      return [
        keyed(dropped, `drop ${part}`, claim?.epoch ?? 0),
        keyed(couldNotAnswer(message, silent, 'it did not respond in time'), `notice ${part}`),
      ]
    },

    closed: (events: readonly StoredEvent[]) =>
      keyed(notice(message, `Nobody could answer. ${failures(events)}`, 'unanswered'), 'close'),

    stalled({ agents, parts }: PeerRound, events: readonly StoredEvent[]) {
      const failed = [...new Set(parts.flatMap((part) => part.failed))]
      const absent = agents.filter((name) => !failed.includes(name))
      const told = `Nobody who is present could answer. ${failures(events)}. Waiting for ${absent.join(' and ')}.`
      return [
        keyed(roundStalled.create(header, { message_id, failed }), 'stall'),
        keyed(notice(message, told), 'stall', 1),
      ]
    },

    /** RD8: what the room is told once this part has ended as the last one. */
    atEnd(round: PeerRound, events: readonly StoredEvent[], part: number, end: PartEnd): NewEvent[] {
      const { parts, decision } = round
      const others = parts.filter((_, index) => index !== part - 1)
      if (!decision) return []
      if (isCalledByName(decision))
        return end.kind === 'failed' ? [keyed(couldNotAnswer(message, agent, end.message), `notice ${part}`)] : []
      if (others.some((other) => !other.end)) return []
      if (end.kind !== 'answered' && !isAnswered(others)) return []
      const failed: { agent: string; message: string }[] = failedParts(events)
      if (end.kind === 'failed') failed.push({ agent, message: end.message })
      const replaced = end.kind === 'answered' && parts[part - 1]!.claim!.flags.some((flag) => inPlace.includes(flag))
      const told = replaced
        ? [notice(message, inPlaceOf(agent, decision.responders, failed[0]?.message))]
        : failed.map((failure) => couldNotAnswer(message, failure.agent, failure.message))
      return told.map((event, index) => keyed(event, 'failures', index))
    },
  }
}

function failedParts(events: readonly StoredEvent[]) {
  return events.flatMap((event) => (partFailed.is(event) ? [event.data] : []))
}

function failures(events: readonly StoredEvent[]): string {
  return failedParts(events)
    .map(({ agent, message }) => `${agent}: ${message}`)
    .join('; ')
}

export type PartEnd = { kind: 'answered' | 'passed' } | { kind: 'failed'; message: string }

const inPlace: readonly string[] = ['stand_in', 'last_resort']

function inPlaceOf(agent: string, responders: readonly string[], why = 'it did not respond in time'): string {
  return `${agent} answered in place of ${responders.join(' and ')}: ${why}`
}

function keyOf(run: string, step: string, n: number): EventKey {
  return { run, step: `peers ${step}`, n }
}

/** What the proposals of a round cost, and who made none. */
function gatheredIn(round: PeerRound, events: readonly StoredEvent[]): GatheredProposals {
  const posted = events.flatMap((event) => (proposalPosted.is(event) ? [event.data] : []))
  const needed = posted.length > 0
  return {
    proposals: { ...madeProposals(round.proposals) },
    missing: round.agents.flatMap((agent) => {
      const own = posted.find((one) => one.agent === agent)
      return !needed || own?.proposal ? [] : [{ agent, reason: own?.reason ?? 'absent' }]
    }),
    calls: posted.reduce((sum, { used }) => sum + used.calls, 0),
    usage: {
      inputTokens: posted.reduce((sum, { used }) => sum + used.tokens, 0),
      outputTokens: 0,
      usd: posted.reduce<number | null>((sum, { used }) => addUsd(sum, used.usd), 0),
    },
  }
}
