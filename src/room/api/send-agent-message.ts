/** Sends a message outside the conversation: from one agent, or from the person, to an agent or to all others. AM. */
import { ConveneError } from '../../kernel/errors.ts'
import { person } from '../../rules/room/agent-message.ts'
import type { AgentMessageRequest } from '../agent-messages.ts'
import type { Inboxes } from '../inboxes.ts'
import type { Room } from '../view.ts'
import type { RoomsDependencies } from './deps.ts'
import { checkInRoom } from './named-agents.ts'

export interface SentAgentMessage {
  id: string
  thread: string
  run: string
}

type SendingDeps = Pick<RoomsDependencies, 'engine' | 'inboxes' | 'workflows'>

export async function sendAgentMessage(
  deps: SendingDeps,
  { room, known }: { room: Room; known: string[] },
  request: AgentMessageRequest,
  id: string,
): Promise<SentAgentMessage> {
  if (room.dispatch === 'peers')
    throw new ConveneError('invalid_input', 'room: peers take no direct messages; post the message to the room', {
      path: 'room',
    })
  if (request.from !== person) checkInRoom(known, room, request.from, 'from')
  if (request.to !== undefined) checkInRoom(known, room, request.to, 'to')
  if (request.to === request.from)
    throw new ConveneError('invalid_input', 'to: an agent cannot write to itself', { path: 'to' })
  const run = `agent-message-${id}`
  const expects_reply = request.expects_reply ?? ['question', 'negotiate'].includes(request.kind)
  const thread = request.thread ?? id
  const message = { ...request, thread, expects_reply }
  const recipients = room.agents.filter((agent) => agent === (request.to ?? agent) && agent !== request.from)
  reserve(deps.inboxes, room.id, recipients, id)
  try {
    await deps.engine.start(
      deps.workflows.agentMessage,
      { room: room.id, id, message, ...(request.thread === undefined ? { opens: true } : {}) },
      { id: run },
    )
  } catch (error) {
    for (const agent of recipients) deps.inboxes.leave(room.id, agent, id)
    throw error
  }
  return { id, thread, run }
}

/** Refuses at once if an inbox is full, so that the sender gets an error. AM4. */
function reserve(inboxes: Inboxes, room: string, recipients: string[], message: string): void {
  const full = recipients.find((agent) => !inboxes.admit(room, agent, message))
  if (full === undefined) return
  for (const agent of recipients) inboxes.leave(room, agent, message)
  throw new ConveneError('inbox_full', `the inbox of ${full} is full; try again later`, {
    path: 'to',
    status: 429,
  })
}
