/** The views of a room: folds of its events, shared by server, command line and browser. */
import type { StoredEvent } from '../kernel/events.ts'
import type { Fold } from '../kernel/fold.ts'
import { transcriptText } from '../rules/room/attachments.ts'
import {
  handoffPosted,
  messagePosted,
  noticePosted,
  replyPosted,
  roomCreated,
  sessionEnded,
  sessionStarted,
  turnStarted,
} from './events.ts'

export interface Room {
  id: string
  name: string
  agents: string[]
  /** Each agent is a process of its own, `convene peer` (RD11). */
  dispatch?: 'peers'
  /** The users who see it; everyone if left out. */
  members?: string[]
}

/** One line of a room's transcript. */
export interface TranscriptItem {
  type: 'human_message' | 'agent_call' | 'agent_response'
  sender: string
  target: string
  thread: 'default'
  text: string
  call_id: string
  ts: number
  session_id?: string
  round?: number
  max_rounds?: number
}

export interface Session {
  id: string
  goal: string
  participants: string[]
  round: number
  max_rounds: number
  status: 'running' | 'ended'
  end_reason?: string
}

export const roomList: Fold<Map<string, Room>> = {
  initial: () => new Map(),
  evolve(rooms, event) {
    if (roomCreated.is(event)) rooms.set(event.data.id, event.data)
    return rooms
  },
}

export const transcript: Fold<TranscriptItem[]> = {
  initial: () => [],
  evolve(items, event) {
    items.push(...transcriptItems(event))
    return items
  },
}

export const sessionList: Fold<Map<string, Session>> = {
  initial: () => new Map(),
  evolve(sessions, event) {
    if (sessionStarted.is(event)) {
      const { session_id, goal, participants, max_rounds } = event.data
      sessions.set(session_id, { id: session_id, goal, participants, round: 0, max_rounds, status: 'running' })
    } else if (turnStarted.is(event)) {
      const session = sessions.get(event.data.session_id)
      if (session) reopen(session, event.data.round)
    } else if (sessionEnded.is(event)) {
      const session = sessions.get(event.data.session_id)
      if (session) Object.assign(session, { status: 'ended', end_reason: event.data.reason })
    }
    return sessions
  },
}

/** A fork continues a session after its end. Changes the session in place: callers hold references to it. */
function reopen(session: Session, round: number): void {
  Object.assign(session, { round, status: 'running' })
  delete session.end_reason
}

/** The lines that an event adds to the transcript. */
export function transcriptItems(event: StoredEvent): TranscriptItem[] {
  return [transcriptItem(event), firstCall(event)].filter((line) => line !== null)
}

/** What an event says in the room, without the router's first call, which only repeats the message; null if it says nothing. */
export function transcriptItem(event: StoredEvent): TranscriptItem | null {
  if (messagePosted.is(event)) {
    const { message_id, text, target, attachments } = event.data
    return item('human_message', 'you', target, transcriptText(text, attachments), message_id, event)
  }
  if (replyPosted.is(event)) {
    const { agent, text, ask } = event.data
    return item('agent_response', agent, 'all', text, ask, event)
  }
  if (handoffPosted.is(event)) {
    const { to, task, call_id } = event.data
    return item('agent_call', 'router', to, task, call_id, event)
  }
  if (noticePosted.is(event)) {
    const { text, message_id } = event.data
    return item('agent_response', 'router', 'all', text, message_id, event)
  }
  return null
}

/** The router's call of the agent that a message goes to first: in a single call, and in the first turn of a session. */
function firstCall(event: StoredEvent): TranscriptItem | null {
  if (messagePosted.is(event) && event.data.mode === 'single') {
    const { text, target, attachments, message_id } = event.data
    return item('agent_call', 'router', target, transcriptText(text, attachments), `${message_id}/first`, event)
  }
  if (sessionStarted.is(event)) {
    const { session_id, goal, speaker, max_rounds } = event.data
    const data = { session_id, round: 1, max_rounds }
    return item('agent_call', 'router', speaker, goal, `${session_id}/first`, { ...event, data })
  }
  return null
}

function item(
  type: TranscriptItem['type'],
  sender: string,
  target: string,
  text: string,
  call_id: string,
  event: StoredEvent<{ session_id?: string; round?: number; max_rounds?: number }>,
): TranscriptItem {
  const { session_id, round, max_rounds } = event.data
  const ts = Math.floor(Date.parse(event.ts) / 1000)
  const line: TranscriptItem = { type, sender, target, thread: 'default', text, call_id, ts }
  return session_id === undefined ? line : { ...line, session_id, round, max_rounds }
}
