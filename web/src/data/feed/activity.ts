/** What the list of rooms shows: the latest message, unread counts, and whether a run is active. */
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import { messagePosted, noticePosted, replyPosted } from '../../../../src/room/events.ts'
import { isRunOver } from '../ask-events.ts'

export interface RoomActivity {
  /** When something was last said. */
  at: string
  unread: number
  /** The runs that are answering. */
  running: string[]
}

/** Plain data: it is kept over visits. */
export interface Activity {
  lastSeq: number
  rooms: Record<string, RoomActivity>
}

export const noActivity = (): Activity => ({ lastSeq: 0, rooms: Object.create(null) as Activity['rooms'] })

export function evolveActivity(
  activity: Activity,
  event: StoredEvent,
  isSeen: (room: string, seq: number) => boolean,
): Activity {
  activity.lastSeq = event.seq
  if (isRunOver(event)) return withoutRun(activity, event.run)
  const room = event.stream.startsWith('room:') ? event.stream.slice('room:'.length) : undefined
  if (room === undefined) return activity
  if (messagePosted.is(event)) {
    const known = roomActivity(activity, room, event.ts)
    if (event.run !== undefined && !known.running.includes(event.run)) known.running.push(event.run)
  } else if (replyPosted.is(event) || noticePosted.is(event)) {
    const known = roomActivity(activity, room, event.ts)
    known.unread = isSeen(room, event.seq) ? 0 : known.unread + 1
  }
  return activity
}

function roomActivity(activity: Activity, room: string, at: string): RoomActivity {
  const known = activity.rooms[room] ?? { at, unread: 0, running: [] }
  known.at = at
  activity.rooms[room] = known
  return known
}

function withoutRun(activity: Activity, run: string | undefined): Activity {
  for (const room of Object.values(activity.rooms)) {
    if (run !== undefined && room.running.includes(run)) room.running = room.running.filter((each) => each !== run)
  }
  return activity
}
