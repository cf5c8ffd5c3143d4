/** One message of a room's talk, as prompts show it. Notices and hand-offs of the router are not part of the talk. */
import type { StoredEvent } from '../kernel/events.ts'
import type { Store } from '../kernel/store.ts'
import { messagePosted, replyPosted, roomStream } from './events.ts'
import { transcriptItem } from './view.ts'

export const talkTypes: string[] = [messagePosted.type, replyPosted.type]

export interface Said {
  seq: number
  from: string
  text: string
  /** Said in a session. */
  session_id?: string
}

export function talkLine(event: StoredEvent): Said | null {
  const item = transcriptItem(event)
  if (!item || item.sender === 'router' || item.text.trim() === '') return null
  const { sender, text, session_id } = item
  return { seq: event.seq, from: sender, text, ...(session_id === undefined ? {} : { session_id }) }
}

/** How many messages a room had before an event; all of them without `before`. */
export async function countMessages(store: Store, room: string, before?: number): Promise<number> {
  const counts = await store.count({ stream: roomStream(room), before })
  return counts.reduce((sum, { type, count }) => (talkTypes.includes(type) ? sum + count : sum), 0)
}
