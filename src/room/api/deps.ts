/** The dependencies of the rooms API. */
import type { Engine, Workflow } from '../../kernel/engine.ts'
import type { Store } from '../../kernel/store.ts'
import type { AgentMessageInput } from '../agent-messages.ts'
import type { ProjectFiles } from '../attachments/read-attachments.ts'
import type { Inboxes } from '../inboxes.ts'
import type { SummaryInput, SummaryTask } from '../room-summary.ts'
import type { RoundResult } from '../round.ts'
import type { AnswerInput } from '../run.ts'
import type { SessionInput, SessionResult } from '../session.ts'

export interface RoomsDependencies {
  store: Store
  engine: Engine
  agentNames: string[]
  /** The agents of a room that names none. */
  members: string[]
  inboxes: Inboxes
  files: ProjectFiles
  /** Whether other processes can reach the log. */
  shared: boolean
  /** The users who will see a new room. Throws on an unknown name. */
  checkMembers(names: readonly string[]): Promise<string[]>
  /** What the next message of a room is to summarise, if anything. */
  summaryDue(room: string): Promise<SummaryTask | undefined>
  defaults: { max_rounds: number; autopilot_turns: number; attachments_kb: number }
  workflows: {
    answer: Workflow<AnswerInput, RoundResult>
    /** Waits for the answers of peers. */
    peers: Workflow<AnswerInput, RoundResult>
    session: Workflow<SessionInput, SessionResult>
    peersSession: Workflow<SessionInput, SessionResult>
    summary: Workflow<SummaryInput, void>
    agentMessage: Workflow<AgentMessageInput, void>
  }
}
