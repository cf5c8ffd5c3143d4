/** Everything a page knows about the server, kept up to date by one connection: the root of the web app's data. */
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import { replyPassed, replyPosted, roomCreated, roomOverridden } from '../../../../src/room/events.ts'
import { isAskFinished } from '../ask-events.ts'
import { type Agent, getRoom, listAgents, listRooms, type Room } from '../calls/rooms.ts'
import { ApiError } from '../request.ts'
import { watched } from '../watched.ts'
import { ActivityStore } from './activity-store.ts'
import { Drafts } from './drafts.ts'
import { EventFeed } from './event-feed.ts'
import { logEnd, logIdentity } from './event-pages.ts'
import { QuestionsStore } from './questions-store.ts'

const elsewhereMs = 1200

/** A store that follows the live connection. */
export interface Listener {
  event(event: StoredEvent): void
  /** The connection opened or reopened: events may have been missed. */
  opened(): void
}

export class Live {
  readonly agents = watched<Agent[] | null>(null)
  readonly rooms = watched<Room[] | null>(null)
  readonly drafts = new Drafts()
  readonly activity = new ActivityStore()
  readonly questions = new QuestionsStore()
  readonly feed: EventFeed = new EventFeed({
    opened: () => void this.#opened(),
    event: (event) => this.#received(event),
    delta: (delta) => this.drafts.add(delta),
  })
  /** Rooms whose details a page shows. */
  readonly #shownRooms = new Set<string>()
  readonly #listeners = new Set<Listener>()
  #wasOpen = false

  async start(): Promise<void> {
    void this.#readLists()
    const [log, end] = await Promise.all([logIdentity().catch(() => null), logEnd().catch(() => 0)])
    this.activity.begin(log, end)
    this.feed.open()
  }

  /** Reads a room's details, now and after every reconnect. */
  followRoom(id: string): void {
    this.#shownRooms.add(id)
    this.#readRoom(id)
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  putRoom(room: Room): void {
    const rooms = this.rooms.get() ?? []
    const known = rooms.some(({ id }) => id === room.id)
    this.rooms.set(known ? rooms.map((each) => (each.id === room.id ? room : each)) : [...rooms, room])
  }

  async #readLists(): Promise<void> {
    try {
      const [agents, rooms] = await Promise.all([listAgents(), listRooms()])
      this.agents.set(agents)
      const opened = new Map((this.rooms.get() ?? []).map((room) => [room.id, room]))
      this.rooms.set(rooms.map((room) => opened.get(room.id) ?? room))
    } catch (error) {
      this.feed.connection.set(error instanceof ApiError && error.status === 401 ? 'unauthorized' : 'lost')
    }
  }

  #readRoom(id: string): void {
    const unknown = () => {}
    getRoom(id).then((room) => this.putRoom(room), unknown)
  }

  async #opened(): Promise<void> {
    for (const listener of this.#listeners) listener.opened()
    void this.questions.read()
    // Load the activity of other rooms after the open room.
    setTimeout(() => void this.activity.catchUp(), this.#wasOpen ? 0 : elsewhereMs)
    if (this.#wasOpen || this.rooms.get() === null) await this.#lookAgain()
    this.#wasOpen = true
  }

  /** After a reconnect: re-reads what no event reports. */
  async #lookAgain(): Promise<void> {
    const log = await logIdentity().catch(() => undefined)
    if (log === undefined) return
    // Another project now runs at this address: start over.
    if (!this.activity.belongsTo(log)) location.reload()
    else await this.#readLists()
    for (const id of this.#shownRooms) this.#readRoom(id)
  }

  #received(event: StoredEvent): void {
    this.activity.receive(event)
    this.questions.receive(event)
    for (const listener of this.#listeners) listener.event(event)
    if (roomCreated.is(event)) this.putRoom(event.data)
    else if (roomOverridden.is(event)) this.#overridden(event.data.room, event.data.override ?? undefined)
    if (replyPosted.is(event) || replyPassed.is(event) || isAskFinished(event)) this.drafts.forget(event.data.ask)
  }

  #overridden(id: string, override: Room['override']): void {
    const room = this.rooms.get()?.find((each) => each.id === id)
    if (!room) return
    const { override: _, ...rest } = room
    this.putRoom(override ? { ...rest, override } : rest)
  }
}

export const live = new Live()
