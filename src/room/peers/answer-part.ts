/** A peer answers the part it has claimed. The reply is written only while its claim is in force. PR3. */
import type { NewEvent, StoredEvent } from '../../kernel/events.ts'
import { describeCalledTogether } from '../../rules/context/coordination-context.ts'
import { madeProposals } from '../../rules/team/peer-decision.ts'
import { isCalledByName, isRoundOver, type PartClaim, type PeerRound } from '../../rules/team/peer-round.ts'
import { type AnswerRequest, answer } from '../answer.ts'
import { briefing } from '../briefing.ts'
import { replyPassed, replyPosted } from '../events.ts'
import { type RoundMessage, reasonOf } from '../round.ts'
import { partFailed } from './events.ts'
import { giveSigns } from './part-signs.ts'
import { messageRun, type PartEnd, type RoundEvents } from './peer-facts.ts'
import type { PeerPlace } from './peer-place.ts'
import { peerRun } from './peer-run.ts'
import { permit } from './post-proposal.ts'

export interface PartToAnswer {
  part: number
  claim: PartClaim
  /** The round as it was when the part was claimed. */
  events: readonly StoredEvent[]
  fold(events: readonly StoredEvent[]): PeerRound
  facts: RoundEvents
  signal: AbortSignal
}

export async function answerPart(place: PeerPlace, message: RoundMessage, task: PartToAnswer): Promise<void> {
  const { deps, agent } = place
  const { part, claim, events, fold, facts, signal } = task
  const { message_id } = message
  const run = messageRun(message_id)
  const runId = `${run}/${agent}`
  const round = fold(events)
  let result = 'superseded' as 'answered' | 'passed' | 'failed' | 'superseded'

  /** What is not said in the room, such as what the call cost, is recorded in any case. */
  const write = async (given: NewEvent[], end: PartEnd) => {
    const written = await deps.store.appendFrom(run, (now) => {
      const current = fold(now)
      if (!isInForce(current, part, claim)) return given.filter(({ type }) => !saidInRoom.includes(type))
      return [
        ...given.map((event) => facts.underClaim(event, part, claim, current)),
        ...facts.atEnd(current, now, part, end),
      ]
    })
    if (written.some(({ type }) => saidInRoom.includes(type))) result = end.kind
  }
  const asking = peerRun({
    store: deps.store,
    runId,
    position: part * 1000 + claim.epoch,
    startedAt: round.postedAt,
    signal,
    write: async (given) => {
      const end = endOf(given)
      if (end) await write(given, end)
      else await deps.store.append(given)
    },
  })
  await permit(place, { run, message_id }, signal)
  const signs = giveSigns(place, runId, { message_id, part, epoch: claim.epoch })
  try {
    const exit = await answer(asking, deps, message, requestFor(place, round, events, claim))
    if (!exit.ok) {
      const { message: why } = exit.failure
      await write([facts.failed(part, claim, { reason: reasonOf(exit.failure), message: why })], {
        kind: 'failed',
        message: why,
      })
    }
    place.report({
      event: 'answered',
      message_id,
      part,
      result,
      ...(exit.ok || result !== 'failed' ? {} : { why: exit.failure.message }),
    })
    if (result === 'answered' && part === 1) await place.summarise(message_id)
  } finally {
    await signs.stop()
  }
}

const saidInRoom: readonly string[] = [replyPosted.type, replyPassed.type, partFailed.type]

function endOf(events: readonly NewEvent[]): PartEnd | null {
  if (events.some(({ type }) => type === replyPosted.type)) return { kind: 'answered' }
  return events.some(({ type }) => type === replyPassed.type) ? { kind: 'passed' } : null
}

function isInForce(round: PeerRound, part: number, claim: PartClaim): boolean {
  const found = round.parts[part - 1]
  return !isRoundOver(round) && !found?.end && found?.claim?.epoch === claim.epoch && found.claim.agent === claim.agent
}

function requestFor(
  { agent }: PeerPlace,
  round: PeerRound,
  events: readonly StoredEvent[],
  claim: PartClaim,
): AnswerRequest {
  const decision = round.decision!
  if (isCalledByName(decision)) {
    const coordination = describeCalledTogether(decision.responders, agent)
    return { agent, reportFailure: false, ...(coordination ? { coordination } : {}) }
  }
  if (claim.flags.some((flag) => flag === 'stand_in' || flag === 'last_resort'))
    return { agent, role: 'stand-in', reportFailure: false }
  const answers = Object.fromEntries(
    events.flatMap((event) => (replyPosted.is(event) ? [[event.data.agent, event.data.text]] : [])),
  )
  const failed = round.parts.flatMap((part) => part.failed)
  const told = briefing(decision, madeProposals(round.proposals), agent, { answers, failed })
  return { agent, ...told, reportFailure: false }
}
