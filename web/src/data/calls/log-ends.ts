/** The end of a room's or a run's log, which its page shows first. */
import type { QueryOf } from '../../../../src/serve/call.ts'

/** More messages than fit on a screen, few enough to load at once. */
const roomEndSize = 400

/** More events than fit on a screen, few enough to load at once. */
export const runEndSize = 60

export const roomEnd = (room: string): QueryOf<'GET /api/events'> => ({ room, last: roomEndSize })

export const isWholeRoomEnd = (events: number) => events === roomEndSize

export const runEnd = (run: string): QueryOf<'GET /api/events'> => ({ run, last: runEndSize })
