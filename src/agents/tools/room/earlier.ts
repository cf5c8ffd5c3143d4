/** Reads messages of the room that a prompt did not show. */
import { z } from 'zod'
import { done, type RoomTool } from '../tool.ts'

const input = z.strictObject({
  search: z.string().min(1).max(200).optional().describe('only messages that contain this text'),
  before: z.int().min(1).optional().describe('only messages before this number'),
  count: z.int().min(1).max(50).optional().describe('how many, the latest of them; 10 unless given'),
})

export const earlier: RoomTool<z.infer<typeof input>> = {
  name: 'earlier',
  description: "Reads the room's earlier messages, those that you were not shown included. Each comes with its number.",
  input,
  summary: ({ search, before }) =>
    `earlier messages${search ? ` with ${search}` : ''}${before ? ` before ${before}` : ''}`,
  async use({ search, before, count = 10 }, { room }) {
    const found = await room.earlier({ search, before, count })
    if (found.length === 0) return done('No such message.')
    return done(found.map(({ number, from, text }) => `#${number} [${from}] ${text}`).join('\n\n'))
  },
}
