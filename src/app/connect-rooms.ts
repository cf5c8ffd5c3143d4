/** Connects the room floor: its workflows, its rooms, and the messages of work that a room hosts. */
import { countTokens } from '../kernel/ask/count-tokens.ts'
import type { Config } from '../kernel/config/load.ts'
import { agentMessageWorkflow } from '../room/agent-messages.ts'
import { Rooms } from '../room/api/rooms.ts'
import { projectFiles } from '../room/attachments/project-files.ts'
import { CallMeter } from '../room/call-meter.ts'
import type { RoomDeps } from '../room/deps.ts'
import { HostedWork } from '../room/hosted-work.ts'
import { Inboxes } from '../room/inboxes.ts'
import { type JoinedPeer, type JoinRequest, joinRoom, type PeerProject } from '../room/peers/peer.ts'
import { presentIn } from '../room/peers/seat.ts'
import { watchSessionWorkflow, watchWorkflow } from '../room/peers/watch-run.ts'
import { RoomActivity } from '../room/room-activity.ts'
import { RoomMemories } from '../room/room-memory.ts'
import { RoomSummaries, startSummary, summaryWorkflow } from '../room/room-summary.ts'
import { answerWorkflow } from '../room/run.ts'
import { sessionWorkflow } from '../room/session.ts'
import type { FloorParts } from './floor-parts.ts'

/** Rooms whose agents are processes of their own (RD11). */
export interface Peers {
  join(request: JoinRequest): Promise<JoinedPeer>
  /** The agents of a room that have a process which answers for them. */
  present(room: string): Promise<string[]>
}

export async function connectRooms({ project, store, engine, agents, prompts, source, askDeps, users }: FloorParts) {
  const { room, roles } = project.config
  const { messages, calls_per_minute, turns, autopilot, attachments_kb } = room
  const activity = new RoomActivity()
  const inboxes = new Inboxes(activity, { in_flight: messages.in_flight, queued: messages.queued })
  const summaries = new RoomSummaries(store)
  const window = { items: room.talk.window_items, tokens: room.talk.window_tokens }
  const summariser = summariserOf(project.config)
  const deps: RoomDeps = {
    ...askDeps,
    agent: (name) => agents.get(name),
    room: (id) => rooms.get(id),
    proposer: roles.proposer,
    prompts,
    source: room.tools === 'off' ? null : source,
    settings: room,
    countTokens,
    ...(summariser === undefined ? {} : { summariser }),
    summaries,
    memories: new RoomMemories(store, { summaries, countTokens, window }),
    meter: new CallMeter(askDeps.clock, calls_per_minute),
    activity,
    inboxes,
    tell: (room, message, id) => rooms.postAgentMessage(room, message, id),
  }
  const workflows = {
    answer: answerWorkflow(deps),
    session: sessionWorkflow(deps),
    summary: summaryWorkflow(deps),
    agentMessage: agentMessageWorkflow(deps),
    peers: watchWorkflow(store),
    peersSession: watchSessionWorkflow(store),
  }
  engine.register(workflows.answer)
  engine.register(workflows.session)
  engine.register(workflows.summary)
  engine.register(workflows.agentMessage)
  engine.register(workflows.peers)
  engine.register(workflows.peersSession)
  const defaults = { max_rounds: turns.max_rounds, autopilot_turns: autopilot.turns, attachments_kb }
  const gitFiles = () => import('../workspace/git/project-files.ts')
  const isShared = project.config.engine.url !== undefined
  const repository = {
    list: async (folder: string) => (await gitFiles()).listProjectFiles(folder),
    hasChanged: async (folder: string, path: string) => (await gitFiles()).hasUncommittedChanges(folder, path),
  }
  const files = projectFiles(project.folder, repository, { isShared })
  const summaryDue = async (id: string) =>
    summariser === undefined ? undefined : summaries.due(id, countTokens, window)
  const rooms = await Rooms.open({
    store,
    engine,
    agentNames: agents.names(),
    members: agents.members(),
    shared: isShared,
    inboxes,
    files,
    checkMembers: (names) => users.members(names),
    defaults,
    workflows,
    summaryDue,
  })
  const hosted = new HostedWork({ store, talk: workflows.answer, room: (id) => rooms.get(id) })
  const peerProject: PeerProject = {
    async openRuns() {
      const names = [workflows.peers.name, workflows.peersSession.name]
      const open = await Promise.all(names.map((workflow) => engine.list({ workflow, status: 'running' })))
      return open.flat().map(({ id }) => id)
    },
    async summarise(id, message_id) {
      const due = await summaryDue(id)
      if (due) await startSummary(engine, workflows.summary, { room: id, message_id, ...due })
    },
  }
  const peers: Peers = {
    join: (request) => joinRoom(deps, peerProject, request),
    present: async (id) => presentIn(deps, id, rooms.get(id).agents),
  }
  return { rooms, hosted, peers }
}

/** A rehearsal agent summarises only if it is named for it: scripts are written for the asks that a person expects. */
function summariserOf({ roles, agents, room }: Config): string | undefined {
  if (room.talk.summary === 'off') return undefined
  const candidates = [roles.proposer, roles.coordinator, ...Object.keys(agents)]
  return roles.summariser ?? candidates.find((name) => name && agents[name] && agents[name].provider !== 'rehearsal')
}
