/** Which rooms there are: creates them, and keeps up with what other processes change. */
import { agentName } from '../../kernel/config/agents.ts'
import { ConveneError } from '../../kernel/errors.ts'
import type { StoredEvent } from '../../kernel/events.ts'
import { foldEvents } from '../../kernel/fold.ts'
import { timeOrderedId } from '../../kernel/time-ordered-id.ts'
import { actingPerson, namedActor } from '../../kernel/users/acting-person.ts'
import type { Override } from '../../rules/room/override.ts'
import { roomCreated, roomOverridden, roomsStream } from '../events.ts'
import { type Room, roomList } from '../view.ts'
import type { RoomsDependencies } from './deps.ts'
import { checkKnown, parseOverride } from './named-agents.ts'

export interface NewRoomRequest {
  name?: string
  agents?: string[]
  dispatch?: 'peers'
  members?: string[]
  once?: boolean
}

type DirectoryDeps = Pick<RoomsDependencies, 'store' | 'agentNames' | 'members' | 'shared' | 'checkMembers'>

/** The rooms of a project as this process knows them: their agents, their members and their overrides. */
export class RoomDirectory {
  readonly #deps: DirectoryDeps
  readonly #rooms: Map<string, Room>
  readonly #overrides: Map<string, Override>
  /** The rooms that not everyone sees: checked for every event that is sent. */
  readonly #restricted = new Map<string, Room>()
  /** Every room that was created up to this position of the log is known. */
  #upTo = 0

  private constructor(dependencies: DirectoryDeps, events: StoredEvent[]) {
    this.#deps = dependencies
    this.#rooms = new Map([...foldEvents(roomList, events)].map(([id, room]) => [id, this.#withConfigured(room)]))
    this.#overrides = new Map()
    for (const room of this.#rooms.values()) this.#noteMembers(room)
    for (const event of events) this.#noteOverride(event)
    dependencies.store.subscribe((event) => this.#note(event))
  }

  static async open(dependencies: DirectoryDeps): Promise<RoomDirectory> {
    const rooms = new RoomDirectory(dependencies, await dependencies.store.read({ stream: roomsStream }))
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

  /** Undefined if there is no such room. Also finds a room that another process has just created. */
  async find(roomId: string): Promise<Room | undefined> {
    if (!this.#rooms.has(roomId)) await this.catchUp()
    return this.#rooms.get(roomId)
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
  async create(request: NewRoomRequest): Promise<Room> {
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
  knownAgents(room: Room): string[] {
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

  #setOverride(room: string, override: Override | null): void {
    if (override) this.#overrides.set(room, override)
    else this.#overrides.delete(room)
  }
}
