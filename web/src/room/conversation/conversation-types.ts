/** The rows of a conversation, and what is known about each message. */
import type { z } from 'zod'
import type { Attachment, RoomMode, roundResolved } from '../../../../src/room/events.ts'
import type { Session, TranscriptItem } from '../../../../src/room/view.ts'
import type { Override } from '../../../../src/rules/room/override.ts'
import type { PeerFlag } from '../../../../src/rules/team/peer-round.ts'
import type { AskFinished, ToolUsed } from '../../data/ask-events.ts'
import type { PeerFacts } from '../peers/peer-facts.ts'

export type Decision = z.infer<typeof roundResolved.schema>

/** One question to one agent on behalf of a message. */
export interface Ask {
  ask: string
  kind: string
  agent: string
  /** Whose proposal or answer it is, even if another agent was asked on its behalf. */
  owner: string
  rehearsal: boolean
  at: string
  /** What the agent looked up, in order. */
  tools: Pick<ToolUsed, 'summary' | 'file'>[]
  finished?: Pick<AskFinished, 'failure' | 'usage' | 'tries' | 'milliseconds'>
}

/** Everything that is known about one message of a person. */
export interface Message {
  id: string
  run: string | undefined
  /** The user who sent it; `you` or absent for the holder of the server's token. */
  by: string | undefined
  text: string
  mode: RoomMode
  target: string
  override: Override | undefined
  attachments: readonly Attachment[]
  at: string
  session: SessionFacts | undefined
  asks: Ask[]
  decision: Decision | undefined
  /** Agents that wait to read another's answer first. */
  waiting: { agent: string; for: string }[]
  answers: Answer[]
  /** Agents that were to answer second and had nothing to add. */
  passed: string[]
  /** Only in a room of peers. */
  peers: PeerFacts | undefined
  /** Whether the row of its round has been added. */
  roundShown: boolean
  /** No more events will follow. */
  over: boolean
  /** A person stopped it. */
  stopped: boolean
}

export interface SessionFacts extends Session {
  speaker: string
  autopilot: boolean
}

export type Role = 'primary' | 'secondary' | 'synthesis' | 'stand-in'

/** A reply, complete or still streaming. */
export interface Answer {
  ask: string
  agent: string
  kind: string
  rehearsal: boolean
  at: string
  round: number | undefined
  maxRounds: number | undefined
  /** Set once it is complete. */
  item: TranscriptItem | undefined
  role: Role | undefined
  /** Peers only: why not all of them took part in it. */
  flags: readonly PeerFlag[]
  warning: string | undefined
}

/** A page where there is more to see. */
export interface NoticeLink {
  label: string
  address: string
}

interface EntryBase {
  key: string
  /** Incremented with every change; rows compare it. */
  revision: number
}

export type Entry = EntryBase &
  (
    | { kind: 'message'; message: Message; item: TranscriptItem }
    | { kind: 'round'; message: Message }
    | { kind: 'answers'; message: Message; answers: Answer[] }
    | { kind: 'waiting'; message: Message; agent: string; for: string }
    | { kind: 'passed'; message: Message; agent: string }
    | { kind: 'handoff'; message: Message; item: TranscriptItem; from: string; at: string }
    | { kind: 'notice'; message: Message | undefined; item: TranscriptItem; links: NoticeLink[]; at: string }
    | { kind: 'session-end'; message: Message; reason: string; round: number; maxRounds: number; at: string }
    | AgentMessageEntry
    | { kind: 'capped'; thread: string; depth: number; speakers: string[]; at: string }
  )

export interface AgentMessageEntry {
  kind: 'agent-message'
  id: string
  intent: string
  from: string
  to: string | undefined
  topic: string | undefined
  content: string
  depth: number
  thread: string
  expectsReply: boolean
  deliveredTo: string[]
  refused: string | undefined
  at: string
}

export interface Conversation {
  entries: Entry[]
  messages: Map<string, Message>
  /** The same messages by run, so that folding thousands needs no search. */
  byRun: Map<string, Message>
  sessions: Map<string, Session>
  lastSeq: number
}
