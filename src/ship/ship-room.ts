/** The room that a ship may be started in, as far as a ship has to do with it. The composition root says who plays it. */
import type { Workflow } from '../kernel/engine.ts'
import type { NewEvent } from '../kernel/events.ts'

export interface ShipRooms {
  /** Throws where there is no such room. */
  check(room: string): void
  /** The goal, as a person's message in the room. */
  messageEvent(message: RoomMessage & { text: string }, run: string): NewEvent
  /** The router's word to the room. */
  noticeEvent(message: RoomMessage, words: RoomWords, run: string): NewEvent
  /** How many words the router has said so in the name of a run. */
  noticeCount(run: string): Promise<number>
  /** A round among the agents of the room. */
  talk: Workflow<RoomMessage & { text: string; mode: 'coordinate' }, unknown>
  /** What was answered in a run of `talk`. */
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
