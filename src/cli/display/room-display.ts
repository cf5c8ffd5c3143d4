/** How a room is shown as text: live, as the agents stream, or plain, one whole reply at a time. */
import type { Delta } from '../../kernel/ask/deltas.ts'

export interface Speaker {
  ask: string
  agent: string
  rehearsal: boolean
  /** Where in a session: `round 2 of 6`. */
  place?: string
}

export interface RoomDisplay {
  /** A message that the person sent from elsewhere. */
  said(text: string): void
  /** An aside: how the room decided, who is next, how a session ended. */
  aside(text: string): void
  /** Shown only until an agent speaks. */
  hint(text: string): void
  /** A notice of the router. */
  notice(text: string): void
  warning(text: string): void
  /** This agent was asked and will reply. */
  expect(speaker: Speaker): void
  /** Streamed text. It may arrive before the agent is known. */
  words(delta: Delta): void
  /** The whole reply. */
  reply(speaker: Speaker, text: string): void
  /** This ask has ended. */
  silence(ask: string): void
  /** What the run is waiting for, or null. */
  waitingFor(what: string | null): void
  /** The run has ended: unfinished replies were interrupted. */
  over(): void
}
