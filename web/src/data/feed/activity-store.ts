/** Keeps the activity of all rooms between visits, for the log it belongs to. */
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import { frameBatch } from '../frame-batch.ts'
import { recall, remember } from '../memory.ts'
import { type Settable, watched } from '../watched.ts'
import { type Activity, evolveActivity, noActivity, type RoomActivity } from './activity.ts'
import { LogReader } from './log-reader.ts'

interface StoredActivity {
  log: string
  activity: Activity
}

const place = 'activity'
/** Reads at most this many pages of the log to find unread messages; beyond that, only new events count. */
const mostPages = 3

export class ActivityStore {
  readonly rooms: Settable<Readonly<Record<string, RoomActivity>>> = watched({})
  /** The room that is being looked at. */
  #open: string | null = null
  #log: string | null = null
  #activity: Activity = noActivity()
  /** Whether `lastSeq` is the end of the log, and not where reading stopped. */
  #isCurrent = false
  /** Events up to here were there before this browser's first visit, so they are not unread. */
  #before = 0
  readonly #reader = new LogReader({
    lastSeq: () => this.#activity.lastSeq,
    take: (event) => evolveActivity(this.#activity, event, (room, seq) => seq <= this.#before || this.#isSeen(room)),
    mostPages,
  })
  readonly #publishSoon = frameBatch(() => this.#publish())

  constructor() {
    document.addEventListener('visibilitychange', () => this.look(this.#open))
  }

  /** Restores the activity of the last visit if it belongs to this log. On a first visit, nothing is unread. */
  begin(log: string | null, end: number): void {
    this.#log = log
    const kept = recall<StoredActivity>(place)
    if (log === null || kept?.log !== log) {
      this.#before = end
      return
    }
    this.#activity = { ...kept.activity, rooms: Object.assign(noActivity().rooms, kept.activity.rooms) }
    this.#publish()
  }

  async catchUp(): Promise<void> {
    this.#isCurrent = await this.#reader.catchUp().catch(() => false)
    // A run that started in a page that was read may have ended in one that was not.
    if (!this.#isCurrent) for (const room of Object.values(this.#activity.rooms)) room.running = []
    this.#publish()
  }

  receive(event: StoredEvent): void {
    if (!this.#reader.receive(event)) return
    this.#isCurrent = true
    this.#publishSoon()
  }

  belongsTo(log: string | null): boolean {
    this.#log ??= log
    return this.#log === log
  }

  look(room: string | null): void {
    this.#open = room
    const known = room === null ? undefined : this.#activity.rooms[room]
    if (!known || known.unread === 0 || !this.#isSeen(room!)) return
    known.unread = 0
    this.#publish()
  }

  #isSeen(room: string): boolean {
    return room === this.#open && document.visibilityState === 'visible'
  }

  #publish(): void {
    this.rooms.set({ ...this.#activity.rooms })
    if (this.#log !== null && this.#isCurrent)
      remember<StoredActivity>(place, { log: this.#log, activity: this.#activity })
  }
}
