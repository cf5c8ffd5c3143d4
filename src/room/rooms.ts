/** Rooms as the outside sees them: make one, say something in it, read what was said. */
import { randomUUID } from 'node:crypto'
import type { Engine, Workflow } from '../kernel/engine.ts'
import { ConveneError } from '../kernel/errors.ts'
import type { StoredEvent } from '../kernel/events.ts'
import { foldEvents } from '../kernel/fold.ts'
import type { Store } from '../kernel/store.ts'
import type { AgentMessageKind } from '../rules/agent-message.ts'
import { parseCollaborate } from '../rules/collaborate-command.ts'
import { type Override, readOverride } from '../rules/override.ts'
import type { AgentMessageInput } from './agent-messages.ts'
import { messagePosted, roomCreated, roomOverridden, roomStream, roomsStream, sessionStarted } from './events.ts'
import type { Inboxes } from './inboxes.ts'
import type { RoundResult } from './round.ts'
import type { AnswerInput } from './run.ts'
import type { SessionInput, SessionResult } from './session.ts'
import { type Room, roomList, type Session, sessionList, type TranscriptItem, transcript } from './view.ts'

export interface RoomsDependencies {
  store: Store
  engine: Engine
  agentNames: string[]
  inboxes: Inboxes
  defaults: { max_rounds: number; autopilot_turns: number }
  workflows: {
    answer: Workflow<AnswerInput, RoundResult>
    session: Workflow<SessionInput, SessionResult>
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
  /** The same id is the same message, however often it is sent. */
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
  readonly #with: RoomsDependencies
  readonly #rooms: Map<string, Room>
  readonly #overrides: Map<string, Override>

  private constructor(dependencies: RoomsDependencies, events: StoredEvent[]) {
    this.#with = dependencies
    this.#rooms = foldEvents(roomList, events)
    this.#overrides = new Map()
    for (const event of events) if (roomOverridden.is(event)) this.#keepOverride(event.data.room, event.data.override)
  }

  static async open(dependencies: RoomsDependencies): Promise<Rooms> {
    return new Rooms(dependencies, await dependencies.store.read({ stream: roomsStream }))
  }

  list(): Room[] {
    return [...this.#rooms.values()]
  }

  get(id: string): Room & { override?: Override } {
    const room = this.#rooms.get(id)
    if (!room) throw new ConveneError('unknown_room', `there is no room '${id}'`, { status: 404, path: 'room' })
    const override = this.#overrides.get(id)
    return override ? { ...room, override } : room
  }

  async create(request: { name?: string; agents?: string[] }): Promise<Room> {
    const agents = [...new Set(request.agents ?? this.#with.agentNames)]
    for (const [index, agent] of agents.entries()) this.#known(agent, `agents.${index}`)
    const room: Room = { id: randomUUID(), name: request.name ?? `Room ${this.#rooms.size + 1}`, agents }
    await this.#with.store.append([roomCreated.create({ stream: roomsStream }, room)])
    this.#rooms.set(room.id, room)
    return room
  }

  /** RD10: for the room, until it is taken back with `null`. */
  async override(roomId: string, said: string | null): Promise<Room & { override?: Override }> {
    const room = this.get(roomId)
    const override = said === null ? null : this.#readOverride(room, said)
    await this.#with.store.append([
      roomOverridden.create({ stream: roomsStream, actor: 'you' }, { room: roomId, override }),
    ])
    this.#keepOverride(roomId, override)
    return this.get(roomId)
  }

  async post(roomId: string, request: MessageRequest): Promise<Posted> {
    const room = this.get(roomId)
    const command = parseCollaborate(request.text, room.agents)
    if (command.kind === 'wrong') throw new ConveneError('invalid_input', `text: ${command.message}`, { path: 'text' })
    if (command.kind === 'collaborate') {
      return this.#collaborate(
        room,
        { ...request, mode: 'collaborate', participants: command.participants },
        command.goal,
      )
    }
    const mode = request.mode ?? (request.target === undefined ? 'coordinate' : 'single')
    if (mode === 'collaborate' || mode === 'autopilot')
      return this.#collaborate(room, { ...request, mode }, request.text)
    return this.#answer(room, request, mode)
  }

  /** AM: an agent writes to another, or to all others. */
  async postAgentMessage(
    roomId: string,
    request: AgentMessageRequest,
  ): Promise<{ id: string; thread: string; run: string }> {
    const room = this.get(roomId)
    this.#inRoom(room, request.from, 'from')
    if (request.to !== undefined) this.#inRoom(room, request.to, 'to')
    if (request.to === request.from)
      throw new ConveneError('invalid_input', 'to: an agent does not write to itself', { path: 'to' })
    for (const agent of request.to === undefined ? room.agents : [request.to]) {
      if (this.#with.inboxes.isFull(roomId, agent))
        throw new ConveneError('inbox_full', `the inbox of ${agent} is full; try again when it has read some`, {
          path: 'to',
          status: 429,
        })
    }
    const id = randomUUID()
    const {
      thread = randomUUID(),
      expects_reply = request.kind === 'question' || request.kind === 'negotiate',
      ...rest
    } = request
    const run = `agent-message-${id}`
    await this.#with.engine.start(
      this.#with.workflows.agentMessage,
      { room: roomId, id, message: { ...rest, thread, expects_reply } },
      { id: run },
    )
    return { id, thread, run }
  }

  async transcript(roomId: string): Promise<TranscriptItem[]> {
    this.get(roomId)
    return foldEvents(transcript, await this.#with.store.read({ stream: roomStream(roomId) }))
  }

  async session(id: string): Promise<Session> {
    const session = foldEvents(sessionList, await this.#with.store.read({ run: sessionRun(id) })).get(id)
    if (!session)
      throw new ConveneError('unknown_session', `there is no session '${id}'`, { status: 404, path: 'session' })
    return session
  }

  /** Nothing happens to a session that has ended. */
  async stopSession(id: string): Promise<Session> {
    if ((await this.session(id)).status === 'running') await this.#with.engine.stop(sessionRun(id))
    return this.session(id)
  }

  async #answer(room: Room, request: MessageRequest, mode: 'single' | 'coordinate'): Promise<Posted> {
    if (mode === 'single' && request.target === undefined) {
      throw new ConveneError('invalid_input', 'target: a single call needs someone to call', {
        path: 'target',
        expected: room.agents.join(' | '),
      })
    }
    if (request.target !== undefined) this.#inRoom(room, request.target, 'target')
    this.#checkSessionWords(room, request)
    const override = request.override === undefined ? undefined : this.#readOverride(room, request.override)
    const { message_id = randomUUID(), text } = request
    const run = `message-${message_id}`
    const target = mode === 'single' ? request.target! : 'router'
    const posted = messagePosted.create(
      { stream: roomStream(room.id), run, actor: 'you' },
      { message_id, text, mode, target, ...(override ? { override } : {}) },
    )
    const input: AnswerInput = {
      room: room.id,
      message_id,
      text,
      mode,
      ...(mode === 'single' ? { target } : {}),
      ...(override ? { override } : {}),
    }
    await this.#with.engine.start(this.#with.workflows.answer, input, { id: run, events: [posted] })
    return { message_id, run }
  }

  async #collaborate(room: Room, request: MessageRequest, goal: string): Promise<Posted> {
    const participants = [...new Set(request.participants ?? [])]
    if (participants.length === 0) {
      throw new ConveneError('invalid_input', 'participants: a collaboration needs someone to take part', {
        path: 'participants',
        expected: `a list of ${room.agents.join(' | ')}`,
      })
    }
    this.#checkSessionWords(room, request)
    const speaker =
      request.speaker ?? (request.target && participants.includes(request.target) ? request.target : participants[0]!)
    if (!participants.includes(speaker))
      throw new ConveneError('invalid_input', `speaker: ${speaker} does not take part`, {
        path: 'speaker',
        expected: participants.join(' | '),
      })
    const autopilot = request.mode === 'autopilot'
    const { message_id = randomUUID() } = request
    const max_rounds =
      request.max_rounds ?? (autopilot ? this.#with.defaults.autopilot_turns : this.#with.defaults.max_rounds)
    const session_id = message_id
    const run = sessionRun(session_id)
    const place = { stream: roomStream(room.id), run, actor: 'you' }
    const within = { session_id, round: 1, max_rounds }
    const events = [
      messagePosted.create(place, {
        message_id,
        text: request.text,
        mode: autopilot ? 'autopilot' : 'collaborate',
        target: 'router',
        ...within,
      }),
      sessionStarted.create(place, { session_id, message_id, goal, participants, speaker, max_rounds, autopilot }),
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
    }
    await this.#with.engine.start(this.#with.workflows.session, input, { id: run, events })
    return { message_id, session_id, run }
  }

  /** An unknown agent is an error wherever it stands, also where the mode does not need it. */
  #checkSessionWords(room: Room, request: MessageRequest): void {
    for (const [index, name] of (request.participants ?? []).entries())
      this.#inRoom(room, name, `participants.${index}`)
    if (request.speaker !== undefined) this.#inRoom(room, request.speaker, 'speaker')
    if (request.target !== undefined) this.#inRoom(room, request.target, 'target')
  }

  #readOverride(room: Room, said: string): Override {
    const override = readOverride(said, room.agents)
    if (override) return override
    throw new ConveneError('invalid_input', `override: '${said}' is not understood`, {
      path: 'override',
      expected: ['both', ...room.agents.map((name) => `only ${name}`)].join(' | '),
    })
  }

  #keepOverride(room: string, override: Override | null): void {
    if (override) this.#overrides.set(room, override)
    else this.#overrides.delete(room)
  }

  #inRoom(room: Room, name: string, path: string): void {
    this.#known(name, path)
    if (room.agents.includes(name)) return
    throw new ConveneError('invalid_input', `${path}: ${name} is not in the room '${room.name}'`, {
      path,
      expected: room.agents.join(' | '),
    })
  }

  #known(name: string, path: string): void {
    if (this.#with.agentNames.includes(name)) return
    throw new ConveneError('unknown_agent', `${path}: there is no agent '${name}'`, {
      path,
      expected: this.#with.agentNames.join(' | '),
    })
  }
}

const sessionRun = (session: string) => `session-${session}`
