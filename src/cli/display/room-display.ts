/** What a surface of words can show of a room. The live one speaks as the agents do; the plain one says whole things. */
import type { Delta } from '../../kernel/ask/deltas.ts'

export interface Speaker {
  ask: string
  agent: string
  rehearsal: boolean
  /** Where in a session: `round 2 of 6`. */
  place?: string
}

export interface RoomDisplay {
  /** The person's own words, where they were not typed here. */
  said(text: string): void
  /** Said beside the talk: how the room decided, who has the word next, how a session ended. */
  aside(text: string): void
  /** Worth knowing only until somebody speaks. */
  hint(text: string): void
  /** The router's own word to the room. */
  notice(text: string): void
  warning(text: string): void
  /** This agent was asked and will speak. */
  expect(speaker: Speaker): void
  /** Words as they come. They may come before it is known whose they are. */
  words(delta: Delta): void
  /** The whole of what was said. */
  reply(speaker: Speaker, text: string): void
  /** Nothing more comes from this ask. */
  silence(ask: string): void
  /** What is being waited for; null when nothing is. */
  waitingFor(what: string | null): void
  /** Nothing more comes at all: what has not ended was broken off. */
  over(): void
}
