/** What a room looks like: folds of its events, the same in server, command line and browser. */
import type { StoredEvent } from '../kernel/events.ts'
import type { Fold } from '../kernel/fold.ts'
import { messagePosted, noticePosted, replyPosted, roomCreated } from './events.ts'

export interface Room {
  id: string
  name: string
  agents: string[]
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
    const item = transcriptItem(event)
    if (item) items.push(item)
    return items
  },
}

/** The line that an event adds to its room's transcript, if it adds one. */
export function transcriptItem(event: StoredEvent): TranscriptItem | null {
  const common = { thread: 'default' as const, ts: Math.floor(Date.parse(event.ts) / 1000) }
  if (messagePosted.is(event)) {
    const { message_id, text, target } = event.data
    return { type: 'human_message', sender: 'you', target, ...common, text, call_id: message_id }
  }
  if (replyPosted.is(event)) {
    const { agent, text, ask } = event.data
    return { type: 'agent_response', sender: agent, target: 'all', ...common, text, call_id: ask }
  }
  if (noticePosted.is(event)) {
    const { text, message_id } = event.data
    return { type: 'agent_response', sender: 'router', target: 'all', ...common, text, call_id: message_id }
  }
  return null
}
