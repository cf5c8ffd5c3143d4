/** Shows the events of a room on a display, in order. */
import { askFinished, askStarted, toolUsed } from '../../kernel/ask/ask-events.ts'
import type { Delta } from '../../kernel/ask/deltas.ts'
import type { StoredEvent } from '../../kernel/events.ts'
import {
  agentMessageRefused,
  agentMessageSent,
  answerWaiting,
  handoffPosted,
  messagePosted,
  noticePosted,
  replyPassed,
  replyPosted,
  roundResolved,
  sessionEnded,
  sessionStarted,
  threadCapped,
  turnStarted,
} from '../../room/events.ts'
import { describeRound, inWords } from './describe-round.ts'
import type { RoomDisplay, Speaker } from './room-display.ts'

export interface Show {
  event(event: StoredEvent): void
  delta(delta: Delta): void
}

/** `elsewhere`: also show the person's messages, which were not typed here. */
export function showRun(display: RoomDisplay, { elsewhere = false } = {}): Show {
  const speakers = new Map<string, Speaker>()
  /** Who is asked for a proposal, by ask, and whether it has come. */
  const proposing = new Map<string, { agent: string; done: boolean }>()
  /** What each agent did last with a tool, by ask. */
  const activity = new Map<string, string>()
  /** The state of each session, by its run. */
  const rounds = new Map<string, { round: number; of: number }>()
  const roundOf = ({ run = '' }: StoredEvent) => {
    const at = rounds.get(run)
    return at && `round ${at.round} of ${at.of}`
  }
  const showWaiting = () => {
    const thinking = [...new Set([...speakers.values()].map(({ agent }) => agent))]
    const looked = [...speakers.keys()].flatMap((ask) => activity.get(ask) ?? []).map((did) => ` · ${did}`)
    if (thinking.length > 0)
      display.waitingFor(`${inWords(thinking)} ${thinking.length > 1 ? 'are' : 'is'} thinking${looked.join('')}`)
    else display.waitingFor(proposing.size > 0 ? describeProposing([...proposing.values()]) : null)
  }

  const event = (event: StoredEvent) => {
    if (messagePosted.is(event)) {
      if (elsewhere) display.said(event.data.text)
    } else if (askStarted.is(event)) {
      const { ask, kind, agent, rehearsal } = event.data
      if (kind === 'micro-proposal') {
        proposing.set(ask, { agent: event.data.for ?? agent, done: false })
        return showWaiting()
      }
      if (kind !== 'answer' && kind !== 'turn') return
      const speaker = { ask, agent, rehearsal, place: roundOf(event) }
      speakers.set(ask, speaker)
      display.expect(speaker)
    } else if (toolUsed.is(event)) {
      const { ask = '', summary } = event.data
      if (!speakers.has(ask)) return
      activity.set(ask, summary)
    } else if (askFinished.is(event)) {
      const { ask, failure } = event.data
      const proposal = proposing.get(ask)
      if (proposal) proposal.done = true
      // Show an unreadable reply as it arrived.
      if (failure && failure.reason !== 'malformed' && speakers.delete(ask)) display.silence(ask)
    } else if (replyPosted.is(event)) {
      const { ask, agent, rehearsal, text, warning } = event.data
      display.reply(speakers.get(ask) ?? { ask, agent, rehearsal }, text)
      speakers.delete(ask)
      if (warning !== undefined) display.warning(warning)
    } else if (replyPassed.is(event)) {
      const { ask, agent } = event.data
      if (speakers.delete(ask)) display.silence(ask)
      display.aside(`${agent} had nothing to add`)
    } else if (turnStarted.is(event)) {
      const { round } = event.data
      rounds.set(event.run ?? '', { round, of: rounds.get(event.run ?? '')?.of ?? round })
    } else if (sessionStarted.is(event)) {
      rounds.set(event.run ?? '', { round: 0, of: event.data.max_rounds })
      display.aside(describeSession(event.data))
    } else if (roundResolved.is(event)) {
      proposing.clear()
      display.aside(describeRound(event.data))
    } else if (answerWaiting.is(event)) display.hint(`${event.data.agent} waits for ${event.data.for}`)
    else if (handoffPosted.is(event)) display.aside(`→ ${event.data.to}: ${event.data.task}`)
    else if (noticePosted.is(event)) display.notice(event.data.text)
    else if (sessionEnded.is(event)) display.aside(describeEnd(event.data, rounds.get(event.run ?? '')?.of))
    else if (agentMessageSent.is(event)) {
      const { from, to, kind, content } = event.data
      display.aside(`${from} → ${to ?? 'all'} · ${kind}: ${content}`)
    } else if (agentMessageRefused.is(event))
      display.aside(`${event.data.from}'s message was refused: ${event.data.reason}`)
    else if (threadCapped.is(event))
      display.aside(`${inWords(event.data.speakers)} have written enough to each other; the thread is closed`)
    else return
    showWaiting()
  }
  return { event, delta: (delta) => display.words(delta) }
}

/** `asking 3 agents who should answer · gpt and claude have proposed` */
function describeProposing(asked: { agent: string; done: boolean }[]): string {
  const done = asked.filter((each) => each.done).map(({ agent }) => agent)
  const agents = asked.length === 1 ? asked[0]!.agent : `${asked.length} agents`
  const so = done.length === 0 ? '' : ` · ${inWords(done)} ${done.length === 1 ? 'has' : 'have'} proposed`
  return `asking ${agents} who should answer${so}`
}

function describeSession(session: {
  participants: string[]
  speaker: string
  max_rounds: number
  autopilot: boolean
}): string {
  const { participants, speaker, max_rounds, autopilot } = session
  const first = participants.length > 1 ? ` · ${speaker} begins` : ''
  return autopilot
    ? `AUTOPILOT: ${inWords(participants)} · up to ${max_rounds} turns${first}`
    : `COLLABORATION: ${inWords(participants)} · up to ${max_rounds} rounds${first}`
}

const endings: Record<string, string> = {
  final: 'the work is done',
  no_handoff: 'no hand-off',
  invalid_handoff: 'the hand-off names an agent that cannot take it',
  cap: 'its limit is reached',
  malformed: 'the last reply was not in the agreed form',
  agent_failed: 'an agent failed',
  canceled: 'stopped',
}

function describeEnd({ reason, round }: { reason: string; round: number }, of: number | undefined): string {
  const where = of === undefined ? `round ${round}` : `round ${round} of ${of}`
  return `ended: ${reason} · ${endings[reason] ?? reason} · ${where}`
}
