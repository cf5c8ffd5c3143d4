/** The shapes that travel over HTTP. Browser-safe. */
import { z } from 'zod'

export const bodyLimit = 1024 * 1024

export const newRoom = z.strictObject({
  name: z.string().trim().min(1).max(100).optional(),
  agents: z.array(z.string()).min(1).optional(),
})

export const newMessage = z.object({
  text: z.string().refine((text) => text.trim() !== '', 'must not be empty'),
  target: z.string().optional(),
  mode: z.enum(['single', 'collaborate', 'coordinate', 'autopilot']).optional(),
  /** Chosen by a client that may have to send again: the same id is the same message. */
  message_id: z.uuid().optional(),
})
export type NewMessage = z.infer<typeof newMessage>

export const forkRequest = z.strictObject({ from: z.union([z.number().int().min(0), z.string().min(1)]).optional() })

export const eventQuery = z.object({
  after: z.coerce.number().int().min(0).optional(),
  room: z.string().optional(),
  run: z.string().optional(),
  feature: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(10_000).optional(),
})
export type EventQueryParameters = z.infer<typeof eventQuery>
