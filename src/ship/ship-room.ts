/** What a ship needs of the room it was started in. The composition root provides it. */
import type { Workflow } from '../kernel/engine.ts'
import type { NewEvent } from '../kernel/events.ts'

export interface ShipRooms {
  /** Throws if there is no such room. */
  check(room: string): void
  /** The goal, as a person's message in the room. */
  messageEvent(message: RoomMessage & { text: string }, run: string): NewEvent
  /** A notice from the router to the room. */
  noticeEvent(message: RoomMessage, words: RoomWords, run: string): NewEvent
  /** How many notices were posted for a run. */
  noticeCount(run: string): Promise<number>
  /** One round among the agents of the room. */
  talk: Workflow<RoomMessage & { text: string; mode: 'coordinate' }, unknown>
  /** The replies given in a run of `talk`. */
  replies(run: string): Promise<{ agent: string; text: string }[]>
}

export interface RoomMessage {
  room: string
  message_id: string
}

export interface RoomWords {
  text: string
  links: { label: string; address: string }[]
}
