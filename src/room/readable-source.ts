/** What an agent of a room can read of the project. RD14. */
import type { Agent, AgentMessage, AgentSource } from '../kernel/agent.ts'
import type { ProjectSource } from '../kernel/project-source.ts'
import { agentRoom, type InRoom } from './agent-room.ts'
import type { RoomDeps } from './deps.ts'
import { noticePosted, roomStream } from './events.ts'

/** The source for this agent; null if it has none. Scripts do not read, so a rehearsal agent costs nothing here. */
export async function sourceFor(
  deps: RoomDeps,
  agent: Agent,
  message: { room: string; message_id: string },
): Promise<ProjectSource | null> {
  if (agent.rehearsal || deps.source === null) return null
  const state = await deps.source.latest()
  if (state.ok) return state.source
  await sayOnce(deps, message, state.why)
  return null
}

/** The map comes first in a prompt: it is the same for every agent and every message until HEAD moves (CX4). */
export function mapMessages(deps: RoomDeps, source: ProjectSource | null): AgentMessage[] {
  return source ? [{ role: 'system', content: deps.prompts.render('project', { map: source.map }) }] : []
}

/** The same with tools, those of the room included. */
export async function toolsFor(deps: RoomDeps, agent: Agent, where: InRoom): Promise<AgentSource | null> {
  const reader = await sourceFor(deps, agent, where)
  if (!reader) return null
  const { maxSteps, checkout } = deps.source!
  const room = await agentRoom(deps, agent.name, where)
  return { reader, maxSteps, room, checkout: () => checkout(reader.commit) }
}

/** Tells a room once that its agents see no code; the key keeps a second notice out of the log. */
function sayOnce(
  deps: RoomDeps,
  { room, message_id }: { room: string; message_id: string },
  why: string,
): Promise<unknown> {
  const notice = noticePosted.create(
    { stream: roomStream(room), actor: 'router' },
    { message_id, text: `The agents cannot see your code: ${why}` },
  )
  return deps.store.append([{ ...notice, key: { run: roomStream(room), step: 'no source', n: 0 } }])
}
