/** `convene_ask`: posts a message to a room and returns the replies. */
import { z } from 'zod'
import { roomModes } from '../../room/events.ts'
import { mostRounds } from '../../rules/turns/turn.ts'
import { defineTool, resultOf } from '../calls/tool.ts'

const input = z.strictObject({
  text: z
    .string()
    .refine((text) => text.trim() !== '', 'must not be empty')
    .describe('The message. `@path` and `@path:10-40` attach files of the project; `@agent` names an agent.'),
  to: z
    .array(z.string())
    .describe('Agents to ask. One answers alone; several take turns. Left out: a rule chooses who answers.')
    .optional(),
  mode: z.enum(roomModes).optional(),
  room: z.string().min(1).max(100).describe('Id or name of the room; created if it does not exist').default('mcp'),
  max_rounds: z.int().min(1).max(mostRounds).describe('End a collaboration after this many turns').optional(),
})

export const askTool = defineTool({
  name: 'convene_ask',
  title: 'Ask a room of agents',
  description:
    'Ask several AI agents at once. They see the project. A rule chooses who answers, unless you name agents with `to`.',
  input,
  output: resultOf({
    room: z.string(),
    message_id: z.string(),
    replies: z.array(z.object({ agent: z.string(), text: z.string() })),
    decision: z.looseObject({ mode: z.string(), rule: z.string(), reason: z.string() }).optional(),
    session_id: z.string().optional(),
    reason: z.string().describe('Why there is no or no complete answer').optional(),
  }),
  startsWork: true,
  async run(message, call) {
    const { askRoom } = await import('../../calls/ask-room.ts')
    return askRoom(call, message)
  },
})
