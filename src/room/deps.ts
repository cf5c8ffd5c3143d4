/** The dependencies of the room's workflows. */
import type { Prompts } from '../agents/prompts/prompts.ts'
import type { Agent } from '../kernel/agent.ts'
import type { Config } from '../kernel/config/load.ts'
import type { ReadableSource } from '../kernel/project-source.ts'
import type { AskDeps } from '../kernel/runs/ask-in-run.ts'
import type { Override } from '../rules/room/override.ts'
import type { AgentMessageRequest } from './agent-messages.ts'
import type { CallMeter } from './call-meter.ts'
import type { Inboxes } from './inboxes.ts'
import type { RoomActivity } from './room-activity.ts'
import type { RoomMemories } from './room-memory.ts'
import type { RoomSummaries } from './room-summary.ts'
import type { Room } from './view.ts'

export interface RoomDeps extends AskDeps {
  agent(name: string): Agent
  room(id: string): Room & { override?: Override }
  /** The agent that writes the proposals of all agents, if the configuration names one. */
  proposer?: string
  /** The agent that summarises long rooms; absent: they are not summarised. */
  summariser?: string
  summaries: RoomSummaries
  prompts: Prompts
  /** The last commit of the project. Null if `room.tools` is off. */
  source: ReadableSource | null
  settings: Config['room']
  countTokens(text: string): number
  memories: RoomMemories
  meter: CallMeter
  activity: RoomActivity
  inboxes: Inboxes
  /** Sends a message of an agent outside the conversation; the same id again sends nothing. Rejects if it is refused. */
  tell(room: string, message: AgentMessageRequest, id: string): Promise<unknown>
}
