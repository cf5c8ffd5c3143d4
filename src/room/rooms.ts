/** Rooms as the outside sees them: make one, say something in it, read what was said. */
import { randomUUID } from 'node:crypto'
import type { Engine, Workflow } from '../kernel/engine.ts'
import { ConveneError } from '../kernel/errors.ts'
import { foldEvents } from '../kernel/fold.ts'
import type { Store } from '../kernel/store.ts'
import { messagePosted, roomCreated, roomStream, roomsStream } from './events.ts'
import type { AnswerInput, AnswerResult } from './run.ts'
import { type Room, roomList, type TranscriptItem, transcript } from './view.ts'

export interface RoomSurroundings {
  store: Store
  engine: Engine
  agentNames: string[]
  answer: Workflow<AnswerInput, AnswerResult>
}

export interface MessageRequest {
  text: string
  target?: string
  mode?: string
  message_id?: string
}

export class Rooms {
  readonly #around: RoomSurroundings
  readonly #rooms: Map<string, Room>

  private constructor(around: RoomSurroundings, rooms: Map<string, Room>) {
    this.#around = around
    this.#rooms = rooms
  }

  static async open(around: RoomSurroundings): Promise<Rooms> {
    return new Rooms(around, foldEvents(roomList, await around.store.read({ stream: roomsStream })))
  }

  list(): Room[] {
    return [...this.#rooms.values()]
  }

  get(id: string): Room {
    const room = this.#rooms.get(id)
    if (!room) throw new ConveneError('unknown_room', `there is no room '${id}'`, { status: 404, path: 'room' })
    return room
  }

  /** A room by its id, else by its name. */
  find(idOrName: string): Room | undefined {
    return this.#rooms.get(idOrName) ?? this.list().find((room) => room.name === idOrName)
  }

  async create(request: { name?: string; agents?: string[] }): Promise<Room> {
    const agents = request.agents ?? this.#around.agentNames
    agents.forEach((agent, index) => {
      this.#knownAgent(agent, `agents.${index}`)
    })
    const room: Room = {
      id: randomUUID(),
      name: request.name ?? `Room ${this.#rooms.size + 1}`,
      agents: [...new Set(agents)],
    }
    await this.#around.store.append([roomCreated.create({ stream: roomsStream }, room)])
    this.#rooms.set(room.id, room)
    return room
  }

  async post(roomId: string, request: MessageRequest): Promise<{ message_id: string; run: string }> {
    const room = this.get(roomId)
    const target = this.#target(room, request)
    const message_id = request.message_id ?? randomUUID()
    const run = `message-${message_id}`
    const posted = messagePosted.create(
      { stream: roomStream(room.id), run, actor: 'you' },
      { message_id, text: request.text, mode: 'single', target },
    )
    await this.#around.engine.start(
      this.#around.answer,
      { room: room.id, message_id, target, text: request.text },
      { id: run, events: [posted] },
    )
    return { message_id, run }
  }

  async transcript(roomId: string): Promise<TranscriptItem[]> {
    this.get(roomId)
    return foldEvents(transcript, await this.#around.store.read({ stream: roomStream(roomId) }))
  }

  #target(room: Room, request: MessageRequest): string {
    if (request.mode !== undefined && request.mode !== 'single') {
      throw new ConveneError('invalid_input', `mode: this version answers single calls only, not '${request.mode}'`, {
        path: 'mode',
        expected: 'single',
      })
    }
    if (request.target === undefined) {
      throw new ConveneError('invalid_input', 'target: a single call needs someone to call', {
        path: 'target',
        expected: room.agents.join(' | '),
      })
    }
    this.#knownAgent(request.target, 'target')
    if (!room.agents.includes(request.target)) {
      throw new ConveneError('invalid_input', `target: ${request.target} is not in the room '${room.name}'`, {
        path: 'target',
        expected: room.agents.join(' | '),
      })
    }
    return request.target
  }

  #knownAgent(name: string, path: string): void {
    if (this.#around.agentNames.includes(name)) return
    throw new ConveneError('unknown_agent', `${path}: there is no agent '${name}'`, {
      path,
      expected: this.#around.agentNames.join(' | '),
    })
  }
}
