/** What a person sees of a project's rooms and of the work that began in them (US2, US3). */
import type { StoredEvent } from '../kernel/events.ts'
import type { Questions } from '../kernel/runs/questions.ts'
import type { Store } from '../kernel/store.ts'
import type { Plans } from '../plan/pipeline/plans.ts'
import type { Rooms } from '../room/api/rooms.ts'
import { sessionRun } from '../room/api/sessions.ts'
import { roomCreated, roomOverridden, roomStream } from '../room/events.ts'
import { type Person, seesRoom, seesStream } from '../rules/team/roles.ts'
import { type RoomOfWork, RunRooms } from '../runs/run-rooms.ts'

export interface AccessParts {
  store: Store
  /** Without a shared database there is one person, who sees everything. */
  shared: boolean
  rooms: Pick<Rooms, 'restricted' | 'find' | 'catchUp'>
  questions: Pick<Questions, 'askedBy'>
  plans: Pick<Plans, 'runOf'>
}

/** What a route's path, query or body can name. */
export type Scoped =
  | 'room'
  | 'session'
  | 'run'
  | 'plan'
  | 'build'
  | 'ship'
  | 'comparison'
  | 'feature'
  | 'question'
  | 'ref'

export class Access {
  readonly #parts: AccessParts
  readonly #runRooms: RunRooms

  constructor(parts: AccessParts) {
    this.#parts = parts
    this.#runRooms = new RunRooms(parts.store)
  }

  /** False for something that belongs to a room which the person does not see. */
  async sees(person: Person, kind: Scoped, id: string): Promise<boolean> {
    return (await this.#seesEverything(person)) || this.#seesOne(person, kind, id)
  }

  async #seesOne(person: Person, kind: Scoped, id: string): Promise<boolean> {
    switch (kind) {
      case 'room':
        return this.#seesRoom(person, id)
      case 'session':
        return this.#seesRun(person, sessionRun(id))
      case 'feature':
        return this.#seesWork(person, (await this.#runRooms.ofFeature(id)) ?? null)
      case 'question': {
        const run = await this.#parts.questions.askedBy(id)
        return run === undefined || this.#seesRun(person, run)
      }
      case 'plan': {
        const run = await this.#parts.plans.runOf(id).catch(() => undefined)
        return run === undefined || this.#seesRun(person, run)
      }
      case 'ref':
        return this.#seesPayload(person, id)
      default:
        return this.#seesRun(person, id)
    }
  }

  async #seesRoom(person: Person, id: string): Promise<boolean> {
    const room = await this.#parts.rooms.find(id)
    return room === undefined || seesRoom(person, room)
  }

  async #seesRun(person: Person, run: string): Promise<boolean> {
    return this.#seesWork(person, await this.#runRooms.ofRun(run))
  }

  /** Keeps what the person sees of a list. */
  async only<Item>(
    person: Person,
    kind: Scoped,
    items: readonly Item[],
    idOf: (item: Item) => string,
  ): Promise<Item[]> {
    if (await this.#seesEverything(person)) return [...items]
    const seen = await Promise.all(items.map((item) => this.#seesOne(person, kind, idOf(item))))
    return items.filter((_, index) => seen[index])
  }

  /** True if no event needs to be looked at: the person sees all of the log. */
  seesWholeLog(person: Person): boolean {
    return !this.#parts.shared && person.role === 'owner'
  }

  async seesEvent(person: Person, event: StoredEvent): Promise<boolean> {
    if (!seesStream(person, event.stream)) return false
    if (await this.#seesEverything(person, event.seq)) return true
    const room = roomIn(event)
    if (room !== undefined && !(await this.#seesRoom(person, room))) return false
    if (event.run !== undefined && !(await this.#seesRun(person, event.run))) return false
    return event.feature === undefined || this.#seesOne(person, 'feature', event.feature)
  }

  async seesOrigin(
    person: Person,
    found: { event: StoredEvent } | { run: string | null; feature?: string },
  ): Promise<boolean> {
    if ('event' in found) return this.seesEvent(person, found.event)
    if (found.run !== null && !(await this.sees(person, 'run', found.run))) return false
    return found.feature === undefined || this.sees(person, 'feature', found.feature)
  }

  /** Text that is being written: its stream may be a room's, and an ask's id begins with its run. */
  async seesAsk(person: Person, { stream }: { stream: string }, ask: string): Promise<boolean> {
    if (person.role === 'owner') return true
    const room = stream.startsWith(roomPrefix) ? stream.slice(roomPrefix.length) : undefined
    if (room !== undefined && !(await this.#seesRoom(person, room))) return false
    return this.#seesRun(person, ask)
  }

  /** Bytes are stored once for all: they are shown to who sees an event that refers to them. */
  async #seesPayload(person: Person, ref: string): Promise<boolean> {
    const { store } = this.#parts
    const carrying = await store.read({ payload_ref: ref })
    for (const event of carrying) if (await this.seesEvent(person, event)) return true
    const naming = await store.read({ text: ref })
    for (const event of naming) if (await this.seesEvent(person, event)) return true
    return false
  }

  async #seesWork(person: Person, room: RoomOfWork): Promise<boolean> {
    if (room === null) return true
    return room !== undefined && this.#seesRoom(person, room)
  }

  /**
   * Nothing is hidden from an owner, nor from anyone while every room is everyone's. Another process may have created a room
   * of which this one has not been told: the rooms up to `seq`, or to the end of the log, are read first.
   */
  async #seesEverything(person: Person, seq?: number): Promise<boolean> {
    if (person.role === 'owner') return true
    await this.#parts.rooms.catchUp(seq)
    for (const room of this.#parts.rooms.restricted()) if (!seesRoom(person, room)) return false
    return true
  }
}

const roomPrefix = roomStream('')

function roomIn(event: StoredEvent): string | undefined {
  if (event.stream.startsWith(roomPrefix)) return event.stream.slice(roomPrefix.length)
  if (roomCreated.is(event)) return event.data.id
  return roomOverridden.is(event) ? event.data.room : undefined
}
