/** Keeps the activity of all rooms over visits, for the log it belongs to. */
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
/** So much of the log is read to know what went on elsewhere; where there is more, only what happens from now on is known. */
const mostPages = 3

export class ActivityStore {
  readonly rooms: Settable<Readonly<Record<string, RoomActivity>>> = watched({})
  /** The room that is being looked at. */
  #open: string | null = null
  #log: string | null = null
  #activity: Activity = noActivity()
  /** Whether `lastSeq` is where the log ends, and not where reading it was given up. */
  #isCurrent = false
  /** What is in the log up to here was there before this browser came: nobody has missed it. */
  #before = 0
  readonly #reader = new LogReader({
    lastSeq: () => this.#activity.lastSeq,
    take: (event) => evolveActivity(this.#activity, event, (room, seq) => seq <= this.#before || this.#isSeen(room)),
    mostPages,
  })
  readonly #tellSoon = frameBatch(() => this.#tell())

  constructor() {
    document.addEventListener('visibilitychange', () => this.look(this.#open))
  }

  /** Takes up what was kept at the last visit, if it was of this log. At the first one, all that is there is known. */
  begin(log: string | null, end: number): void {
    this.#log = log
    const kept = recall<StoredActivity>(place)
    if (log === null || kept?.log !== log) {
      this.#before = end
      return
    }
    this.#activity = { ...kept.activity, rooms: Object.assign(noActivity().rooms, kept.activity.rooms) }
    this.#tell()
  }

  async catchUp(): Promise<void> {
    this.#isCurrent = await this.#reader.catchUp().catch(() => false)
    // What was begun in a part that was read may have ended in a part that was not.
    if (!this.#isCurrent) for (const room of Object.values(this.#activity.rooms)) room.running = []
    this.#tell()
  }

  hear(event: StoredEvent): void {
    if (!this.#reader.hear(event)) return
    this.#isCurrent = true
    this.#tellSoon()
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
    this.#tell()
  }

  #isSeen(room: string): boolean {
    return room === this.#open && document.visibilityState === 'visible'
  }

  #tell(): void {
    this.rooms.set({ ...this.#activity.rooms })
    if (this.#log !== null && this.#isCurrent)
      remember<StoredActivity>(place, { log: this.#log, activity: this.#activity })
  }
}
