/** Posts a message from outside to a room, and collects the replies. */
import { randomUUID } from 'node:crypto'
import { ConveneError } from '../kernel/errors.ts'
import { type RoomMode, roundResolved } from '../room/events.ts'
import { type Room, transcriptItem } from '../room/view.ts'
import type { ApiClient, BodyOf } from '../serve/call.ts'
import { shipGoal } from '../ship/ship/ship-message.ts'
import type { Caller } from './caller.ts'
import { followRun } from './follow-run.ts'

export interface RoomMessage {
  text: string
  /** One agent answers alone; several take turns; none: a rule chooses who answers. */
  to?: string[]
  mode?: RoomMode
  /** Id or name; created if it does not exist. */
  room: string
  max_rounds?: number
}

export interface Reply {
  agent: string
  text: string
}

export interface RoomAnswer {
  room: string
  message_id: string
  replies: Reply[]
  decision?: object
  session_id?: string
  /** Why there is no answer, or not all of it. */
  reason?: string
}

export async function askRoom(
  caller: Caller,
  { text, to = [], mode, room: name, max_rounds }: RoomMessage,
  onReply: (reply: Reply) => void = () => {},
): Promise<RoomAnswer> {
  if (shipGoal(text) !== null)
    throw new ConveneError('invalid_input', 'text: to ship a goal, call convene_ship', { path: 'text' })
  const owner = await caller.owner()
  const room = await openRoom(owner, name)
  const posted = await owner.call('POST /api/rooms/:room/messages', {
    params: { room: room.id },
    body: { ...addressed(to, mode, room), text, message_id: randomUUID(), ...(max_rounds ? { max_rounds } : {}) },
  })
  caller.track(posted.run)
  const replies: Reply[] = []
  const decisions: object[] = []
  await followRun(caller, posted.run, (event) => {
    const item = transcriptItem(event)
    if (item?.type === 'agent_response' && item.sender !== 'router') {
      const reply = { agent: item.sender, text: item.text }
      replies.push(reply)
      onReply(reply)
    }
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
}

async function openRoom(owner: ApiClient, idOrName: string): Promise<Room> {
  const { rooms } = await owner.call('GET /api/rooms')
  const found = rooms.find(({ id }) => id === idOrName) ?? rooms.find((room) => room.name === idOrName)
  return found ?? owner.call('POST /api/rooms', { body: { name: idOrName } })
}

/** The server refuses what does not fit together: it knows the agents and the modes. */
function addressed(
  to: string[],
  mode: RoomMode | undefined,
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
