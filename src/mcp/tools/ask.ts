/** `convene_ask`: puts a message to a room and returns the replies. */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { ConveneError } from '../../kernel/errors.ts'
import { roomModes, roundResolved } from '../../room/events.ts'
import { type Room, transcriptItem } from '../../room/view.ts'
import { mostRounds } from '../../rules/turns/turn.ts'
import type { ApiClient, BodyOf } from '../../serve/call.ts'
import { shipGoal } from '../../ship/ship/ship-message.ts'
import { followRun } from '../calls/follow-run.ts'
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
  async run({ text, to = [], mode, room: name, max_rounds }, call) {
    if (shipGoal(text) !== null)
      throw new ConveneError('invalid_input', 'text: to ship a goal, call convene_ship', { path: 'text' })
    const owner = await call.owner()
    const room = await openRoom(owner, name)
    const posted = await owner.call('POST /api/rooms/:room/messages', {
      params: { room: room.id },
      body: { ...addressed(to, mode, room), text, message_id: randomUUID(), ...(max_rounds ? { max_rounds } : {}) },
    })
    call.track(posted.run)
    const replies: { agent: string; text: string }[] = []
    const decisions: object[] = []
    await followRun(call, posted.run, (event) => {
      const item = transcriptItem(event)
      if (item?.type === 'agent_response' && item.sender !== 'router')
        replies.push({ agent: item.sender, text: item.text })
      if (roundResolved.is(event)) {
        const { mode, rule, reason, winner, runnerUp, responders, overlap } = event.data
        decisions.push({ mode, rule, reason, winner, ...(runnerUp ? { runnerUp } : {}), responders, overlap })
      }
    })
    const ended = await owner.call('GET /api/runs/:run', { params: { run: posted.run } })
    const reason = ended.reason ?? (ended.result as { reason?: string } | undefined)?.reason
    return {
      room: room.id,
      message_id: posted.message_id,
      replies,
      ...(decisions.length > 0 ? { decision: decisions.at(-1) } : {}),
      ...(posted.session_id === undefined ? {} : { session_id: posted.session_id }),
      ...(reason === undefined ? {} : { reason }),
    }
  },
})

export async function openRoom(owner: ApiClient, idOrName: string): Promise<Room> {
  const { rooms } = await owner.call('GET /api/rooms')
  const found = rooms.find(({ id }) => id === idOrName) ?? rooms.find((room) => room.name === idOrName)
  return found ?? owner.call('POST /api/rooms', { body: { name: idOrName } })
}

/** The server refuses what does not fit together: it knows the agents and the modes. */
function addressed(
  to: string[],
  mode: z.infer<typeof input>['mode'],
  room: Room,
): Pick<BodyOf<'POST /api/rooms/:room/messages'>, 'mode' | 'target' | 'participants'> {
  const chosen = mode ?? (to.length === 0 ? 'coordinate' : to.length === 1 ? 'single' : 'collaborate')
  if (chosen === 'collaborate' || chosen === 'autopilot')
    return { mode: chosen, participants: to.length > 0 ? to : room.agents }
  if (chosen === 'single' && to.length <= 1) {
    const target = to[0] ?? (room.agents.length === 1 ? room.agents[0] : undefined)
    return { mode: chosen, ...(target === undefined ? {} : { target }) }
  }
  if (to.length === 0) return { mode: chosen }
  throw new ConveneError(
    'invalid_input',
    chosen === 'single'
      ? `to: a single call goes to one agent, not to ${to.join(' and ')}`
      : 'to: in mode coordinate the rule chooses who answers; leave out the names',
    { path: 'to' },
  )
}
