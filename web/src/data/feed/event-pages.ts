/** Reads the log page by page. */
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import type { ResponseOf } from '../../../../src/serve/call.ts'
import { isWholeRoomEnd, roomEnd } from '../calls/log-ends.ts'
import { call } from '../request.ts'

type Page = ResponseOf<'GET /api/events'>

/** Small enough to fold within a few frames. */
const pageSize = 4000

export async function* eventPages(from: {
  after: number
  room?: string | undefined
  run?: string | undefined
  feature?: string | undefined
  /** Separated by commas. */
  types?: string | undefined
}): AsyncGenerator<StoredEvent[]> {
  let after: number | null = from.after
  while (after !== null) {
    const { room, run, feature, types } = from
    const page: Page = await call('GET /api/events', {
      query: { after, limit: pageSize, room, run, feature, types },
    })
    yield page.events
    after = page.next
  }
}

/** A room's latest events, and whether there may be earlier ones. */
export async function lastEvents(room: string): Promise<{ events: StoredEvent[]; isTail: boolean }> {
  const { events } = await call('GET /api/events', { query: roomEnd(room) })
  return { events, isTail: isWholeRoomEnd(events.length) }
}

/** The id of the first event identifies the log, because another project may use the same port later. Null: empty. */
export async function logIdentity(): Promise<string | null> {
  const { events } = await call('GET /api/events', { query: { after: 0, limit: 1 } })
  return events[0]?.id ?? null
}

/** Where the log ends now. */
export async function logEnd(): Promise<number> {
  const { events } = await call('GET /api/events', { query: { last: 1 } })
  return events.at(-1)?.seq ?? 0
}
