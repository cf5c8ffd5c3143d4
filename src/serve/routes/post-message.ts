/** Takes a message for a room: the agents answer it, or it starts a ship (`/ship <goal>`). */
import { randomUUID } from 'node:crypto'
import type { App } from '../../app.ts'
import { ConveneError } from '../../kernel/errors.ts'
import type { MessageRequest, Posted } from '../../room/api/post-message.ts'
import { shipGoal } from '../../ship/ship/ship-message.ts'

export async function postMessage(app: App, room: string, message: MessageRequest): Promise<Posted> {
  const goal = shipGoal(message.text)
  if (goal === null) return app.rooms.post(room, message)
  if (goal === '')
    throw new ConveneError('invalid_input', 'text: there is nothing to ship. Write: /ship <goal>', {
      path: 'text',
      expected: '/ship <goal>',
    })
  if (app.rooms.get(room).dispatch === 'peers')
    throw new ConveneError('invalid_input', 'text: a room of peers ships nothing. Use another room.', { path: 'text' })
  if (message.attachments && message.attachments.length > 0)
    throw new ConveneError('invalid_input', 'attachments: /ship takes none. Name the files in the goal instead.', {
      path: 'attachments',
    })
  const { message_id = randomUUID() } = message
  const { id } = await app.ships.start({ id: `ship-${message_id}`, goal, room })
  return { message_id, run: id }
}
