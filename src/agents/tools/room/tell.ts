/** Sends a message to another agent of the room, outside the conversation. */
import { z } from 'zod'
import { agentMessageKinds } from '../../../rules/room/agent-message.ts'
import { done, type RoomTool, refused } from '../tool.ts'

const input = z.strictObject({
  to: z.string().min(1).describe('the agent, or "all"'),
  content: z.string().min(1).max(4000).describe('the message'),
  kind: z.enum(agentMessageKinds).optional().describe('default: "inform"'),
  expects_reply: z
    .boolean()
    .optional()
    .describe('true if you need an answer; it comes later, outside the conversation'),
})

export const tell: RoomTool<z.infer<typeof input>> = {
  name: 'tell',
  description:
    'Sends a message to another agent of the room, outside the conversation: the person sees it separately, and Convene delivers it after this round. Not for your answer to the person.',
  input,
  summary: ({ to, kind = 'inform' }) => `tell ${to} (${kind})`,
  async use({ to, content, kind = 'inform', expects_reply }, { room }) {
    const isAll = to.toLowerCase() === 'all'
    const name = room.others.find((other) => other.toLowerCase() === to.replace(/^@/, '').toLowerCase())
    if (!isAll && name === undefined)
      return refused(`there is no agent '${to}'; the others are ${room.others.join(', ')}`)
    await room.tell({
      kind,
      content,
      ...(name === undefined ? {} : { to: name }),
      ...(expects_reply === undefined ? {} : { expects_reply }),
    })
    return done(`Sent to ${name ?? room.others.join(', ')}. It is delivered after this round.`)
  },
}
