/** A room's conversation as the page shows it: a fold of its events into rows, with texts from `room/view.ts`. */
import type { EventDefinition, StoredEvent } from '../../../../src/kernel/events.ts'
import type { Fold } from '../../../../src/kernel/fold.ts'
import {
  agentMessageDelivered,
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
} from '../../../../src/room/events.ts'
import { sessionList, transcriptItem } from '../../../../src/room/view.ts'
import {
  type AskFinished,
  type AskStarted,
  isAskFinished,
  isAskStarted,
  isRunOver,
  isToolUsed,
  type ToolUsed,
} from '../../data/ask-events.ts'
import { evolvePeers } from '../peers/peer-facts.ts'
import { dropUnwritten, placeAnswer, roundRow, touchMessage } from './answer-rows.ts'
import type { AgentMessageEntry, Conversation, Entry, Message } from './conversation-types.ts'

export const conversation: Fold<Conversation> = {
  initial: () => ({ entries: [], messages: new Map(), byRun: new Map(), sessions: new Map(), lastSeq: 0 }),
  evolve(state, event) {
    if (event.seq > state.lastSeq) state.lastSeq = event.seq
    if (messagePosted.is(event)) begin(state, event)
    else if (isAskStarted(event)) askStarted(state, event)
    else if (isToolUsed(event)) toolUsed(state, event)
    else if (isAskFinished(event)) askFinished(state, event)
    else if (roundResolved.is(event)) resolved(state, event)
    else if (answerWaiting.is(event)) waiting(state, event)
    else if (replyPosted.is(event)) replied(state, event)
    else if (replyPassed.is(event)) passed(state, event)
    else if (handoffPosted.is(event)) handedOff(state, event)
    else if (noticePosted.is(event)) noticed(state, event)
    else if (isRunOver(event)) runOver(state, event.run)
    else if (event.type.startsWith('session.') || event.type.startsWith('turn.')) session(state, event)
    else betweenAgents(state, event)
    amongPeers(state, event)
    return state
  },
}

/** A run that has ended writes nothing more: drop replies that are still streaming. */
export function runOver(state: Conversation, run: string | undefined): void {
  const message = run === undefined ? undefined : state.byRun.get(run)
  if (message && !message.over) end(state, message)
}

export function runningMessages(state: Conversation): Message[] {
  return [...state.messages.values()].filter((message) => !message.over)
}

function begin(state: Conversation, event: EventOf<typeof messagePosted>): void {
  const { message_id, text, mode, target, override, attachments = [] } = event.data
  if (state.messages.has(message_id)) return
  const message: Message = {
    id: message_id,
    run: event.run,
    by: event.actor,
    text,
    mode,
    target,
    override,
    attachments,
    at: event.ts,
    session: undefined,
    asks: [],
    decision: undefined,
    waiting: [],
    answers: [],
    passed: [],
    peers: undefined,
    roundShown: false,
    over: false,
    stopped: false,
  }
  state.messages.set(message_id, message)
  if (event.run !== undefined) state.byRun.set(event.run, message)
  add(state, { kind: 'message', key: `message:${message_id}`, revision: 0, message, item: transcriptItem(event)! })
}

function askStarted(state: Conversation, event: StoredEvent<AskStarted>): void {
  const { ask, kind, agent, rehearsal } = event.data
  const message = messageOf(state, event)
  if (!message || kind === 'agent-message' || message.asks.some((known) => known.ask === ask)) return
  message.asks.push({ ask, kind, agent, owner: event.data.for ?? agent, rehearsal, at: event.ts, tools: [] })
  if (kind === 'micro-proposal') showRound(state, message)
  else placeAnswer(state, message, { ask, agent, kind, rehearsal, at: event.ts })
  touchMessage(state, message)
}

function toolUsed(state: Conversation, event: StoredEvent<ToolUsed>): void {
  const message = messageOf(state, event)
  const asked = message?.asks.find(({ ask }) => ask === event.data.ask)
  if (!message || !asked) return
  const { summary, file } = event.data
  asked.tools.push({ summary, ...(file === undefined ? {} : { file }) })
  touchMessage(state, message)
}

function askFinished(state: Conversation, event: StoredEvent<AskFinished>): void {
  const message = messageOf(state, event)
  const asked = message?.asks.find(({ ask }) => ask === event.data.ask)
  if (!message || !asked) return
  const { failure, usage, tries, milliseconds } = event.data
  asked.finished = { failure, usage, tries, milliseconds }
  if (failure && failure.reason !== 'malformed') dropUnwritten(state, message, (answer) => answer.ask === asked.ask)
  settle(message)
  touchMessage(state, message)
}

function resolved(state: Conversation, event: EventOf<typeof roundResolved>): void {
  const message = messageOf(state, event)
  if (!message) return
  message.decision = event.data
  showRound(state, message)
  touchMessage(state, message)
}

function waiting(state: Conversation, event: EventOf<typeof answerWaiting>): void {
  const message = messageOf(state, event)
  if (!message) return
  const { agent, for: first } = event.data
  message.waiting.push({ agent, for: first })
  add(state, { kind: 'waiting', key: `waiting:${message.id}:${agent}`, revision: 0, message, agent, for: first })
  touchMessage(state, message)
}

function replied(state: Conversation, event: EventOf<typeof replyPosted>): void {
  const message = messageOf(state, event)
  if (!message) return
  const { ask, agent, rehearsal, role, flags = [], warning, round, max_rounds } = event.data
  const kind = event.data.session_id === undefined ? 'answer' : 'turn'
  const answer = placeAnswer(state, message, { ask, agent, kind, rehearsal, at: event.ts })
  Object.assign(answer, { item: transcriptItem(event)!, at: event.ts, role, flags, warning })
  Object.assign(answer, { round: round ?? answer.round, maxRounds: max_rounds ?? answer.maxRounds })
  settle(message)
  touchMessage(state, message)
}

/** RD13: nothing to add is counted, not shown as a reply. */
function passed(state: Conversation, event: EventOf<typeof replyPassed>): void {
  const message = messageOf(state, event)
  if (!message) return
  const { ask, agent } = event.data
  dropUnwritten(state, message, (answer) => answer.ask === ask)
  message.passed.push(agent)
  add(state, { kind: 'passed', key: `passed:${ask}`, revision: 0, message, agent })
  settle(message)
  touchMessage(state, message)
}

function amongPeers(state: Conversation, event: StoredEvent): void {
  const message = messageOf(state, event)
  const peers = evolvePeers(message?.peers, event)
  if (!message || peers === message.peers) return
  message.peers = peers
  touchMessage(state, message)
}

function handedOff(state: Conversation, event: EventOf<typeof handoffPosted>): void {
  const message = messageOf(state, event)
  if (!message) return
  const { call_id, from } = event.data
  const item = transcriptItem(event)!
  add(state, { kind: 'handoff', key: `handoff:${call_id}`, revision: 0, message, item, from, at: event.ts })
}

function noticed(state: Conversation, event: EventOf<typeof noticePosted>): void {
  const message = messageOf(state, event)
  const item = transcriptItem(event)!
  const { links = [], ends } = event.data
  add(state, { kind: 'notice', key: `notice:${event.id}`, revision: 0, message, item, links, at: event.ts })
  if (!message || message.session || ends === undefined) return
  message.stopped = ends === 'stopped'
  end(state, message)
}

function session(state: Conversation, event: StoredEvent): void {
  sessionList.evolve(state.sessions, event)
  const message = messageOf(state, event)
  if (!message) return
  if (sessionStarted.is(event)) {
    const { session_id, speaker, autopilot } = event.data
    message.session = Object.assign(state.sessions.get(session_id)!, { speaker, autopilot })
  }
  if (turnStarted.is(event) && message.session && message.over) {
    // A fork continues a session that had ended.
    Object.assign(message.session, { status: 'running', end_reason: undefined })
    message.over = false
  }
  if (sessionEnded.is(event) && message.session) {
    end(state, message)
    const { reason, round } = event.data
    const { max_rounds: maxRounds } = message.session
    const key = `session-end:${event.id}`
    add(state, { kind: 'session-end', key, revision: 0, message, reason, round, maxRounds, at: event.ts })
  }
  touchMessage(state, message)
}

function betweenAgents(state: Conversation, event: StoredEvent): void {
  if (agentMessageSent.is(event)) {
    const { kind: intent, id, from, to, topic, content, depth, thread, expects_reply: expectsReply } = event.data
    const said = { id, intent, from, to, topic, content, depth, thread, expectsReply, at: event.ts }
    const key = `agent-message:${id}`
    add(state, { kind: 'agent-message', key, revision: 0, ...said, deliveredTo: [], refused: undefined })
  } else if (agentMessageDelivered.is(event)) {
    const { id, to } = event.data
    changeAgentMessage(state, id, (entry) => entry.deliveredTo.push(to))
  } else if (agentMessageRefused.is(event)) {
    const { id, from, thread, reason } = event.data
    if (changeAgentMessage(state, id, (entry) => (entry.refused = reason))) return
    const nothing = { to: undefined, topic: undefined, content: '', depth: 0, expectsReply: false, deliveredTo: [] }
    const key = `agent-message:${id}`
    const refusal = { ...nothing, id, intent: 'refused', from, thread, refused: reason, at: event.ts }
    add(state, { kind: 'agent-message', key, revision: 0, ...refusal })
  } else if (threadCapped.is(event)) {
    add(state, { kind: 'capped', key: `capped:${event.id}`, revision: 0, ...event.data, at: event.ts })
  }
}

function changeAgentMessage(state: Conversation, id: string, change: (entry: AgentMessageEntry) => void): boolean {
  const entry = state.entries.findLast((each) => each.kind === 'agent-message' && each.id === id)
  if (entry?.kind !== 'agent-message') return false
  change(entry)
  entry.revision += 1
  return true
}

function showRound(state: Conversation, message: Message): void {
  if (message.mode === 'single' || message.roundShown) return
  message.roundShown = true
  add(state, roundRow(message))
}

/** Outside a session, a message is over when every responder has answered or failed. */
function settle(message: Message): void {
  if (message.session || message.answers.some((answer) => !answer.item)) return
  const answering = message.asks.filter((asked) => asked.kind !== 'micro-proposal')
  const expected = message.mode === 'single' ? [message.target] : (message.decision?.responders ?? [])
  const asked = expected.length > 0 && expected.every((name) => answering.some((each) => each.owner === name))
  if (!asked || answering.some((each) => !each.finished)) return
  // If every responder failed, another agent stands in, except for an agent that was mentioned by name.
  if (message.answers.length > 0 || calledByName(message)) message.over = true
}

function calledByName({ mode, decision }: Message): boolean {
  return (
    mode === 'single' || decision?.rule === 'mention' || decision?.rule === 'override' || decision?.rule === 'addressed'
  )
}

function end(state: Conversation, message: Message): void {
  message.over = true
  dropUnwritten(state, message, () => true)
  touchMessage(state, message)
}

/** The message an event belongs to, by message id, session id (the same id) or run. */
function messageOf(state: Conversation, event: StoredEvent): Message | undefined {
  const { message_id, session_id } = event.data as { message_id?: string; session_id?: string }
  const message = state.messages.get(message_id ?? session_id ?? '')
  // Events of a fork belong to the message too, even without its id.
  if (message && event.run !== undefined) state.byRun.set(event.run, message)
  if (message || message_id !== undefined) return message
  // What a peer asks for a message is a run named below the message's.
  return event.run === undefined ? undefined : (state.byRun.get(event.run) ?? state.byRun.get(event.run.split('/')[0]!))
}

type EventOf<Definition> = Definition extends EventDefinition<string, infer Data> ? StoredEvent<Data> : never

function add(state: Conversation, entry: Entry): void {
  state.entries.push(entry)
}
