/** The rooms API: create a room, post a message, read the transcript. */
import { agentName } from '../kernel/config/agents.ts'
import type { Engine, Workflow } from '../kernel/engine.ts'
import { ConveneError } from '../kernel/errors.ts'
import type { StoredEvent } from '../kernel/events.ts'
import { foldEvents } from '../kernel/fold.ts'
import { runForked } from '../kernel/run-events.ts'
import type { Store } from '../kernel/store.ts'
import { timeOrderedId } from '../kernel/time-ordered-id.ts'
import { actingPerson, namedActor } from '../kernel/users/acting-person.ts'
import { type AgentMessageKind, person } from '../rules/room/agent-message.ts'
import { findFiles } from '../rules/room/find-files.ts'
import type { Override } from '../rules/room/override.ts'
import { parseCollaborate } from '../rules/turns/collaborate-command.ts'
import type { AgentMessageInput } from './agent-messages.ts'
import { type AttachmentRequest, type ProjectFiles, readAttachments } from './attachments/read-attachments.ts'
import {
  type Attachment,
  messagePosted,
  type RoomMode,
  roomCreated,
  roomOverridden,
  roomStream,
  roomsStream,
  sessionStarted,
} from './events.ts'
import type { Inboxes } from './inboxes.ts'
import { checkInRoom, checkKnown, checkMentioned, checkNames, parseOverride } from './named-agents.ts'
import { type SummaryInput, type SummaryTask, startSummary } from './room-summary.ts'
import type { RoundResult } from './round.ts'
import type { AnswerInput } from './run.ts'
import type { SessionInput, SessionResult } from './session.ts'
import { type Room, roomList, type Session, sessionList, type TranscriptItem, transcript } from './view.ts'

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

export interface MessageRequest {
  text: string
  target?: string
  mode?: 'single' | 'coordinate' | 'collaborate' | 'autopilot'
  participants?: string[]
  speaker?: string
  max_rounds?: number
  override?: string
  /** Files and text that travel with the message, beside those that its text names by `@path`. */
  attachments?: AttachmentRequest[]
  /** The sender's folder, relative to the project: `@path` is looked up there first. */
  folder?: string
  /** An idempotency key: posting the same id twice posts one message. */
  message_id?: string
}

export interface Posted {
  message_id: string
  session_id?: string
  run: string
}

export interface AgentMessageRequest {
  kind: AgentMessageKind
  from: string
  to?: string
  topic?: string
  content: string
  expects_reply?: boolean
  thread?: string
}

export class Rooms {
  readonly #deps: RoomsDependencies
  readonly #rooms: Map<string, Room>
  readonly #overrides: Map<string, Override>
  /** The rooms that not everyone sees: looked at with every event that is sent. */
  readonly #restricted = new Map<string, Room>()
  /** Every room that was created up to this position of the log is known. */
  #upTo = 0

  private constructor(dependencies: RoomsDependencies, events: StoredEvent[]) {
    this.#deps = dependencies
    this.#rooms = new Map([...foldEvents(roomList, events)].map(([id, room]) => [id, this.#withConfigured(room)]))
    this.#overrides = new Map()
    for (const room of this.#rooms.values()) this.#noteMembers(room)
    for (const event of events) this.#noteOverride(event)
    dependencies.store.subscribe((event) => this.#note(event))
  }

  static async open(dependencies: RoomsDependencies): Promise<Rooms> {
    const rooms = new Rooms(dependencies, await dependencies.store.read({ stream: roomsStream }))
    // With a shared database another process may have created one meanwhile.
    await rooms.catchUp()
    return rooms
  }

  /** Reads what other processes changed before this position of the log; without a position, all of it. */
  async catchUp(upTo = Number.POSITIVE_INFINITY): Promise<void> {
    if (upTo <= this.#upTo) return
    for (const event of await this.#deps.store.read({ stream: roomsStream, after: this.#upTo })) this.#note(event)
    if (Number.isFinite(upTo)) this.#upTo = Math.max(this.#upTo, upTo)
  }

  /** Another process may have created or changed a room. */
  #note(event: StoredEvent): void {
    if (event.seq <= this.#upTo) return
    this.#upTo = event.seq
    if (event.stream !== roomsStream) return
    if (roomCreated.is(event) && !this.#rooms.has(event.data.id)) this.#keep(this.#withConfigured(event.data))
    this.#noteOverride(event)
  }

  /** Undefined if there is no such room. A room that another process created a moment ago may not have been told of yet. */
  async find(roomId: string): Promise<Room | undefined> {
    await this.#lookFor(roomId)
    return this.#rooms.get(roomId)
  }

  async #lookFor(roomId: string): Promise<void> {
    if (!this.#rooms.has(roomId)) await this.catchUp()
  }

  #keep(room: Room): void {
    this.#rooms.set(room.id, room)
    this.#noteMembers(room)
  }

  #noteMembers(room: Room): void {
    if (room.members) this.#restricted.set(room.id, room)
  }

  #noteOverride(event: StoredEvent): void {
    if (roomOverridden.is(event)) this.#setOverride(event.data.room, event.data.override)
  }

  /** Hides agents that are no longer configured; they return when they are configured again. Peers are configured elsewhere. */
  #withConfigured(room: Room): Room {
    if (room.dispatch === 'peers') return room
    return { ...room, agents: room.agents.filter((agent) => this.#deps.agentNames.includes(agent)) }
  }

  list(): Room[] {
    return [...this.#rooms.values()]
  }

  /** The rooms with members of their own. */
  restricted(): Iterable<Room> {
    return this.#restricted.values()
  }

  get(id: string): Room & { override?: Override } {
    const room = this.#rooms.get(id)
    if (!room) throw new ConveneError('unknown_room', `there is no room '${id}'`, { status: 404, path: 'room' })
    const override = this.#overrides.get(id)
    return override ? { ...room, override } : room
  }

  /** With `once`, returns the room that was created so under the same name before, no matter who created it. */
  async create(request: {
    name?: string
    agents?: string[]
    dispatch?: 'peers'
    members?: string[]
    once?: boolean
  }): Promise<Room> {
    const { dispatch } = request
    const members = request.members && (await this.#deps.checkMembers(request.members))
    const agents = [...new Set(request.agents ?? this.#deps.members)]
    if (dispatch === 'peers') this.#checkPeers(agents)
    else for (const [index, agent] of agents.entries()) checkKnown(this.#deps.agentNames, agent, `agents.${index}`)
    const name = request.name ?? `Room ${this.#rooms.size + 1}`
    const requested: Room = {
      id: timeOrderedId(),
      name,
      agents,
      ...(dispatch ? { dispatch } : {}),
      ...(members ? { members } : {}),
    }
    const header = { stream: roomsStream, ...namedActor() }
    const key = request.once ? { key: { run: roomsStream, step: `room ${name}`, n: 0 } } : {}
    const [created] = await this.#deps.store.append([{ ...roomCreated.create(header, requested), ...key }])
    // Uses the stored text, which is redacted.
    const room = created!.data as Room
    this.#keep(room)
    return room
  }

  /** Peers are configured where they run, so only the form of their names can be checked here. */
  #checkPeers(agents: string[]): void {
    if (!this.#deps.shared)
      throw new ConveneError(
        'no_database',
        'dispatch: peers need a shared database. Set engine.url or CONVENE_DATABASE_URL.',
        {
          path: 'dispatch',
        },
      )
    const wrong = agents.findIndex((name) => !agentName.safeParse(name).success)
    if (wrong >= 0)
      throw new ConveneError('invalid_input', `agents.${wrong}: '${agents[wrong]}' is not a valid agent name`, {
        path: `agents.${wrong}`,
      })
  }

  /** The names that a message may use: peers are known by their room. */
  #known(room: Room): string[] {
    return room.dispatch === 'peers' ? [...new Set([...room.agents, ...this.#deps.agentNames])] : this.#deps.agentNames
  }

  /** RD10: applies to the room until it is reset with `null`. */
  async override(roomId: string, text: string | null): Promise<Room & { override?: Override }> {
    const room = this.get(roomId)
    const override = text === null ? null : parseOverride(room, text)
    await this.#deps.store.append([
      roomOverridden.create({ stream: roomsStream, actor: actingPerson().name }, { room: roomId, override }),
    ])
    this.#setOverride(roomId, override)
    return this.get(roomId)
  }

  async post(roomId: string, request: MessageRequest): Promise<Posted> {
    await this.#lookFor(roomId)
    const room = this.get(roomId)
    if (room.agents.length === 0)
      throw new ConveneError('empty_room', `none of the agents in the room '${room.name}' is still configured`, {
        path: 'room',
        expected: `a room with any of ${this.#deps.agentNames.join(', ')}`,
      })
    const command = parseCollaborate(request.text, room.agents)
    if (command.kind === 'wrong') throw new ConveneError('invalid_input', `text: ${command.message}`, { path: 'text' })
    if (command.kind === 'collaborate') {
      checkNames(this.#known(room), room, request)
      const { target: _, ...rest } = request
      return this.#collaborate(room, { ...rest, mode: 'collaborate', participants: command.participants }, command.goal)
    }
    const mode = request.mode ?? (request.target === undefined ? 'coordinate' : 'single')
    if (mode === 'collaborate' || mode === 'autopilot')
      return this.#collaborate(room, { ...request, mode }, request.text)
    return this.#answer(room, request, mode)
  }

  /** AM: sends a message from one agent, or from the person (`you`), to an agent or to all others. */
  async postAgentMessage(
    roomId: string,
    request: AgentMessageRequest,
    id: string = timeOrderedId(),
  ): Promise<{ id: string; thread: string; run: string }> {
    const room = this.get(roomId)
    if (room.dispatch === 'peers')
      throw new ConveneError('invalid_input', 'room: peers take no direct messages; post the message to the room', {
        path: 'room',
      })
    if (request.from !== person) checkInRoom(this.#known(room), room, request.from, 'from')
    if (request.to !== undefined) checkInRoom(this.#known(room), room, request.to, 'to')
    if (request.to === request.from)
      throw new ConveneError('invalid_input', 'to: an agent cannot write to itself', { path: 'to' })
    const run = `agent-message-${id}`
    const expects_reply = request.expects_reply ?? ['question', 'negotiate'].includes(request.kind)
    const thread = request.thread ?? id
    const message = { ...request, thread, expects_reply }
    const recipients = room.agents.filter((agent) => agent === (request.to ?? agent) && agent !== request.from)
    this.#reserve(roomId, recipients, id)
    try {
      await this.#deps.engine.start(
        this.#deps.workflows.agentMessage,
        { room: roomId, id, message, ...(request.thread === undefined ? { opens: true } : {}) },
        { id: run },
      )
    } catch (error) {
      for (const agent of recipients) this.#deps.inboxes.leave(roomId, agent, id)
      throw error
    }
    return { id, thread, run }
  }

  /** Files and folders of the project whose path contains the text, best first. */
  async findFiles(text: string, most?: number): Promise<string[]> {
    return findFiles(await this.#deps.files.list(), text, most)
  }

  async transcript(roomId: string): Promise<TranscriptItem[]> {
    await this.#lookFor(roomId)
    this.get(roomId)
    return foldEvents(transcript, await this.#deps.store.read({ stream: roomStream(roomId) }))
  }

  /** The session with its part of the transcript. */
  async sessionWithItems(id: string): Promise<Session & { items: TranscriptItem[] }> {
    const session = await this.session(id)
    const events = await this.#sessionEvents(id)
    const items = foldEvents(transcript, events).filter(({ session_id }) => session_id === id)
    return { ...session, items }
  }

  async session(id: string): Promise<Session> {
    const runs = await this.#runsOf(sessionRun(id))
    // Read the run's status first, so that the events include what it wrote at its end.
    const run = await this.#deps.engine.get(runs.at(-1)!)
    const session = foldEvents(sessionList, await this.#sessionEvents(id)).get(id)
    if (!session)
      throw new ConveneError('unknown_session', `there is no session '${id}'`, { status: 404, path: 'session' })
    if (session.status === 'ended' || run?.status === 'running' || run?.status === 'needs-attention') return session
    return { ...session, status: 'ended', end_reason: run?.status === 'cancelled' ? 'canceled' : 'agent_failed' }
  }

  /** Does nothing if the session has ended. */
  async stopSession(id: string): Promise<Session> {
    const runs = await this.#runsOf(sessionRun(id))
    if ((await this.session(id)).status === 'running') await this.#deps.engine.stop(runs.at(-1)!)
    return this.session(id)
  }

  async #sessionEvents(id: string): Promise<StoredEvent[]> {
    const runs = await this.#runsOf(sessionRun(id))
    const events = (await Promise.all(runs.map((one) => this.#deps.store.read({ run: one })))).flat()
    return events.sort((one, other) => one.seq - other.seq)
  }

  /** A run and its forks, in the order they were created: the last one continues the session. */
  async #runsOf(root: string): Promise<string[]> {
    const runs = [root]
    for (const event of await this.#deps.store.read({ types: [runForked.type] }))
      if (runForked.is(event) && event.run !== undefined && runs.includes(event.data.from)) runs.push(event.run)
    return runs
  }

  async #answer(room: Room, request: MessageRequest, mode: 'single' | 'coordinate'): Promise<Posted> {
    if (mode === 'single' && request.target === undefined) {
      throw new ConveneError('invalid_input', 'target: a single call needs an agent to call', {
        path: 'target',
        expected: room.agents.join(' | '),
      })
    }
    if (request.target !== undefined) checkInRoom(this.#known(room), room, request.target, 'target')
    checkNames(this.#known(room), room, request)
    if (mode === 'coordinate') checkMentioned(this.#known(room), room, request.text)
    const override = request.override === undefined ? undefined : parseOverride(room, request.override)
    if (request.message_id !== undefined) await this.#refuseReuse(room, request.message_id, mode, request.text)
    const { message_id = timeOrderedId(), text } = request
    const run = messageRun(message_id)
    const target = mode === 'single' ? request.target! : 'router'
    const attached = await this.#attach(room, request)
    const { workflows } = this.#deps
    const isOfPeers = room.dispatch === 'peers'
    const summarise = isOfPeers ? undefined : await this.#deps.summaryDue(room.id)
    const posted = messagePosted.create(
      { stream: roomStream(room.id), run, actor: actingPerson().name },
      { message_id, text, mode, target, ...(override ? { override } : {}), ...attached },
    )
    const input: AnswerInput = {
      room: room.id,
      message_id,
      text,
      mode,
      ...(mode === 'single' ? { target } : {}),
      ...(override ? { override } : {}),
      ...attached,
    }
    const workflow = isOfPeers ? workflows.peers : workflows.answer
    await this.#deps.engine.start(workflow, input, { id: run, events: [posted] })
    if (summarise) await startSummary(this.#deps.engine, workflows.summary, { room: room.id, message_id, ...summarise })
    return { message_id, run }
  }

  async #collaborate(room: Room, request: MessageRequest, goal: string): Promise<Posted> {
    const participants = [...new Set(request.participants ?? [])]
    if (participants.length === 0) {
      throw new ConveneError('invalid_input', 'participants: a collaboration needs at least one agent', {
        path: 'participants',
        expected: `a list of ${room.agents.join(' | ')}`,
      })
    }
    checkNames(this.#known(room), room, request)
    const speaker =
      request.speaker ?? (request.target && participants.includes(request.target) ? request.target : participants[0]!)
    if (!participants.includes(speaker))
      throw new ConveneError('invalid_input', `speaker: ${speaker} is not a participant`, {
        path: 'speaker',
        expected: participants.join(' | '),
      })
    const autopilot = request.mode === 'autopilot'
    const mode = autopilot ? 'autopilot' : 'collaborate'
    if (request.message_id !== undefined) await this.#refuseReuse(room, request.message_id, mode, request.text)
    const { message_id = timeOrderedId() } = request
    const max_rounds =
      request.max_rounds ?? (autopilot ? this.#deps.defaults.autopilot_turns : this.#deps.defaults.max_rounds)
    const session_id = message_id
    const run = sessionRun(session_id)
    const header = { stream: roomStream(room.id), run, actor: actingPerson().name }
    const attached = await this.#attach(room, request)
    const sessionFields = { session_id, round: 1, max_rounds }
    const events = [
      messagePosted.create(header, {
        message_id,
        text: request.text,
        mode,
        target: 'router',
        ...attached,
        ...sessionFields,
      }),
      sessionStarted.create(header, { session_id, message_id, goal, participants, speaker, max_rounds, autopilot }),
    ]
    const input: SessionInput = {
      room: room.id,
      message_id,
      session_id,
      goal,
      participants,
      speaker,
      max_rounds,
      autopilot,
      ...attached,
    }
    const { session, peersSession } = this.#deps.workflows
    await this.#deps.engine.start(room.dispatch === 'peers' ? peersSession : session, input, { id: run, events })
    return { message_id, session_id, run }
  }

  /** RD15: reads the attachments now, so that a later change of the files does not change the message. */
  async #attach(room: Room, request: MessageRequest): Promise<{ attachments?: Attachment[] }> {
    const { files, store, defaults } = this.#deps
    const read = await readAttachments(files, { ...request, agents: room.agents }, defaults.attachments_kb)
    if (read.length === 0) return {}
    const attachments = await Promise.all(
      read.map(async ({ text, ...facts }) => {
        const ref = await store.putPayload(text)
        return { ...facts, bytes: Buffer.byteLength(text), ref }
      }),
    )
    return { attachments }
  }

  /** RD1: posting the same message again is fine. Refuses an id that another message already has. */
  async #refuseReuse(room: Room, message_id: string, mode: RoomMode, text: string): Promise<void> {
    for (const run of [messageRun(message_id), sessionRun(message_id)]) {
      const posted = (await this.#deps.store.read({ run, limit: 10 })).find((event) => messagePosted.is(event))
      const isSame =
        posted?.stream === roomStream(room.id) && posted.data.mode === mode && isSameText(posted.data.text, text)
      if (!posted || isSame) continue
      throw new ConveneError('message_exists', `another message already has the id '${message_id}'`, {
        path: 'message_id',
        status: 409,
      })
    }
  }

  /** Refuses at once if an inbox is full, so that the sender gets an error. AM4. */
  #reserve(room: string, recipients: string[], message: string): void {
    const full = recipients.find((agent) => !this.#deps.inboxes.admit(room, agent, message))
    if (full === undefined) return
    for (const agent of recipients) this.#deps.inboxes.leave(room, agent, message)
    throw new ConveneError('inbox_full', `the inbox of ${full} is full; try again later`, {
      path: 'to',
      status: 429,
    })
  }

  #setOverride(room: string, override: Override | null): void {
    if (override) this.#overrides.set(room, override)
    else this.#overrides.delete(room)
  }
}

const messageRun = (message: string) => `message-${message}`
export const sessionRun = (session: string) => `session-${session}`

/** Stored texts are redacted: one with a redaction cannot be compared and counts as equal. */
function isSameText(stored: string, text: string): boolean {
  return stored === text.toWellFormed() || stored.includes('[redacted:')
}
