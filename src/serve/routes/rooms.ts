/** Handlers for rooms, their messages and their sessions. */
import type { App } from '../../app.ts'
import type { Room } from '../../room/view.ts'
import type { roomRoutes } from '../api/rooms.ts'
import type { Handlers } from '../api/route.ts'
import { postMessage } from './post-message.ts'

export function roomHandlers(app: App): Handlers<typeof roomRoutes> {
  const { rooms, access } = app
  return {
    'GET /api/files': async ({ query }) => ({ files: await rooms.findFiles(query.query ?? '', query.limit) }),
    'GET /api/rooms': async ({ person }) => ({
      rooms: await access.only(person, 'room', rooms.list(), ({ id }) => id),
    }),
    'POST /api/rooms': ({ body }) => rooms.create(body),
    'GET /api/rooms/:room': async ({ params }) => {
      const room = rooms.get(params.room)
      return room.dispatch === 'peers' ? { ...room, peers: await peersOf(app, room) } : room
    },
    'GET /api/rooms/:room/transcript': async ({ params }) => ({ items: await rooms.transcript(params.room) }),
    'POST /api/rooms/:room/messages': ({ params, body }) => postMessage(app, params.room, body),
    'POST /api/rooms/:room/override': ({ params, body }) => rooms.override(params.room, body.override),
    'POST /api/rooms/:room/agent-messages': ({ params, body }) => rooms.postAgentMessage(params.room, body),
    'GET /api/sessions/:session': ({ params }) => rooms.sessionWithItems(params.session),
    'POST /api/sessions/:session/stop': ({ params }) => rooms.stopSession(params.session),
  }
}

async function peersOf({ peers }: App, { id, agents }: Room): Promise<{ agent: string; present: boolean }[]> {
  const present = await peers.present(id)
  return agents.map((agent) => ({ agent, present: present.includes(agent) }))
}
