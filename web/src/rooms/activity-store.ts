/** Keeps the activity of all rooms over visits, for the log it belongs to. */
import type { StoredEvent } from '../../../src/kernel/events.ts'
import { frameBatch } from '../api/frame-batch.ts'
import { LogReader } from '../api/log-reader.ts'
import { recall, remember } from '../api/memory.ts'
import { type Settable, watched } from '../api/watched.ts'
import { type Activity, evolveActivity, noActivity, type RoomActivity } from './activity.ts'

interface Kept {
  log: string
  activity: Activity
}

const place = 'activity'
/** A first visit reads this much of the log to know what is going on elsewhere; a longer log is not read for it. */
const firstVisitPages = 2

export class ActivityStore {
  readonly rooms: Settable<Readonly<Record<string, RoomActivity>>> = watched({})
  /** The room that is being looked at. */
  #open: string | null = null
  #log: string | null = null
  #activity: Activity = noActivity()
  readonly #reader = new LogReader({
    lastSeq: () => this.#activity.lastSeq,
    take: (event) => evolveActivity(this.#activity, event, (room) => this.#isSeen(room)),
    mostPages: firstVisitPages,
  })
  readonly #tellSoon = frameBatch(() => this.#tell())

  constructor() {
    document.addEventListener('visibilitychange', () => this.look(this.#open))
  }

  /** How far this log was read at the last visit; null: never. */
  restore(log: string | null): number | null {
    this.#log = log
    const kept = recall<Kept>(place)
    if (log === null || kept?.log !== log) return null
    this.#activity = { ...kept.activity, rooms: Object.assign(noActivity().rooms, kept.activity.rooms) }
    this.#tell()
    return this.#activity.lastSeq
  }

  async readFirst(): Promise<void> {
    const complete = await this.#reader.catchUp().catch(() => false)
    // What was begun in a part that was read may have ended in a part that was not.
    if (!complete) for (const room of Object.values(this.#activity.rooms)) room.running = []
    this.#tell()
  }

  hear(event: StoredEvent): void {
    if (this.#reader.hear(event)) this.#tellSoon()
  }

  belongsTo(log: string | null): boolean {
    if (this.#log === null) this.#log = log
    return this.#log === log
  }

  look(room: string | null): void {
    this.#open = room
    const known = room === null ? undefined : this.#activity.rooms[room]
    if (!known || known.unread === 0 || !this.#isSeen(room!)) return
    known.unread = 0
    this.#tell()
  }

  #isSeen(room: string): boolean {
    return room === this.#open && document.visibilityState === 'visible'
  }

  #tell(): void {
    this.rooms.set({ ...this.#activity.rooms })
    if (this.#log !== null) remember<Kept>(place, { log: this.#log, activity: this.#activity })
  }
}
