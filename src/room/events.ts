/** Facts of the room floor. Browser-safe. */
import { z } from 'zod'
import { defineEvent } from '../kernel/events.ts'

export const roomModes = ['single'] as const

export const roomCreated = defineEvent(
  'room.created',
  1,
  z.object({ id: z.string(), name: z.string(), agents: z.array(z.string()) }),
)

export const messagePosted = defineEvent(
  'message.posted',
  1,
  z.object({ message_id: z.string(), text: z.string(), mode: z.enum(roomModes), target: z.string() }),
)

export const replyPosted = defineEvent(
  'reply.posted',
  1,
  z.object({ message_id: z.string(), ask: z.string(), agent: z.string(), rehearsal: z.boolean(), text: z.string() }),
)

/** The router's own word to the room. */
export const noticePosted = defineEvent('notice.posted', 1, z.object({ message_id: z.string(), text: z.string() }))

/** All rooms are announced on one stream; what is said in a room goes to its own. */
export const roomsStream = 'rooms'
export const roomStream = (room: string) => `room:${room}`
