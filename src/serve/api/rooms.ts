/** Routes for rooms, their messages and their sessions. Browser-safe. */
import { z } from 'zod'
import { overrideSchema } from '../../room/events.ts'
import type { Room, Session, TranscriptItem } from '../../room/view.ts'
import { agentMessageKinds } from '../../rules/room/agent-message.ts'
import type { Override } from '../../rules/room/override.ts'
import { mostRounds } from '../../rules/turns/turn.ts'
import { type Routes, schemaOf } from './route.ts'

const newRoom = z.strictObject({
  name: z.string().trim().min(1).max(100).optional(),
  agents: z.array(z.string()).min(1).describe('All agents if left out').optional(),
  dispatch: z
    .literal('peers')
    .describe('Each agent runs as `convene peer` and they decide without a leader; needs a shared database')
    .optional(),
  members: z
    .array(z.string())
    .max(1000)
    .describe('The users who see the room; everyone if left out. Owners see every room')
    .optional(),
})

const newAttachment = z.union([
  z.strictObject({
    path: z.string().min(1).max(1000).describe('A file or folder of the project'),
    lines: z.string().describe('`10-40` or `10`; the whole file if left out').optional(),
  }),
  z.strictObject({ name: z.string().trim().min(1).max(200), text: z.string() }),
])

export const newMessage = z.object({
  text: z.string().refine((text) => text.trim() !== '', 'must not be empty'),
  target: z.string().describe('The agent to call in mode `single`').optional(),
  mode: z
    .enum(['single', 'coordinate', 'collaborate', 'autopilot'])
    .describe('Default: `single` with a target, else `coordinate`')
    .optional(),
  participants: z.array(z.string()).optional(),
  speaker: z.string().describe('Who speaks first in a session; default: the first participant').optional(),
  max_rounds: z.int().min(1).max(mostRounds).optional(),
  override: z.string().describe('`both` or `only <agent>`: overrides the dispatch rule for this message').optional(),
  attachments: z
    .array(newAttachment)
    .max(50)
    .describe('Files and texts for the agents, beside the files that the text names by `@path` or `@path:10-40`')
    .optional(),
  folder: z
    .string()
    .max(1000)
    .describe('A folder of the project: `@path` in the text is looked up there, then in the project')
    .optional(),
  message_id: z.uuid().describe('Sending the same id again posts nothing new').optional(),
})

const newAgentMessage = z.strictObject({
  kind: z.enum(agentMessageKinds),
  from: z.string().describe('An agent, or `you` for the person'),
  to: z.string().describe('All other agents if left out').optional(),
  topic: z.string().min(1).optional(),
  content: z.string().min(1),
  expects_reply: z.boolean().optional(),
  thread: z.string().min(1).optional(),
})

const roomFields = {
  id: z.string(),
  name: z.string(),
  agents: z.array(z.string()),
  dispatch: z.literal('peers').describe('Its agents are peers; absent in other rooms').optional(),
  members: z.array(z.string()).describe('The users who see it; everyone if left out').optional(),
}

export const room = schemaOf<Room>(roomFields)

export const roomWithOverride = schemaOf<Room & { override?: Override }>({
  ...roomFields,
  override: overrideSchema.optional(),
})

const roomWithPeers = schemaOf<Room & { override?: Override; peers?: { agent: string; present: boolean }[] }>({
  ...roomFields,
  override: overrideSchema.optional(),
  peers: z
    .array(z.object({ agent: z.string(), present: z.boolean() }))
    .describe('In a room of peers: which agents have a process that answers for them')
    .optional(),
})

export const transcriptItem = schemaOf<TranscriptItem>({
  type: z.enum(['human_message', 'agent_call', 'agent_response']),
  sender: z.string().describe('`you`, `router` or an agent'),
  target: z.string().describe('`router`, an agent or `all`'),
  thread: z.literal('default'),
  text: z.string(),
  call_id: z.string().min(1),
  ts: z.int().describe('Whole Unix seconds'),
  session_id: z.string().optional(),
  round: z.int().optional(),
  max_rounds: z.int().optional(),
})

const sessionFields = {
  id: z.string(),
  goal: z.string(),
  participants: z.array(z.string()),
  round: z.int(),
  max_rounds: z.int(),
  status: z.enum(['running', 'ended']),
  end_reason: z.string().optional(),
}

export const session = schemaOf<Session>(sessionFields)

const sessionWithItems = schemaOf<Session & { items: TranscriptItem[] }>({
  ...sessionFields,
  items: z.array(transcriptItem).describe("The session's part of the transcript"),
})

export const roomRoutes = {
  'GET /api/files': {
    name: 'findFiles',
    role: 'viewer',
    summary: "Find the project's files and folders that contain a text in their path, for completing `@path`.",
    query: z.object({
      query: z.string().max(500).describe('Part of a path').optional(),
      limit: z.coerce.number().int().min(1).max(200).describe('At most this many paths; default 20').optional(),
    }),
    response: z.object({ files: z.array(z.string()).describe('Best first; folders end with `/`') }),
  },
  'GET /api/rooms': {
    name: 'listRooms',
    role: 'viewer',
    summary: 'List the rooms.',
    response: z.object({ rooms: z.array(room) }),
  },
  'POST /api/rooms': {
    name: 'createRoom',
    role: 'member',
    recorded: true,
    summary: 'Create a room, with all agents unless you name some.',
    body: newRoom,
    status: 201,
    response: room,
  },
  'GET /api/rooms/:room': {
    name: 'getRoom',
    summary: 'Get a room and the override of its dispatch rule, if there is one; of peers, also who is present.',
    role: 'viewer',
    response: roomWithPeers,
    errors: [409],
  },
  'GET /api/rooms/:room/transcript': {
    name: 'getTranscript',
    role: 'viewer',
    summary: "Get a room's transcript.",
    response: z.object({ items: z.array(transcriptItem) }),
    errors: [409],
  },
  'POST /api/rooms/:room/messages': {
    name: 'postMessage',
    role: 'member',
    recorded: true,
    summary:
      'Post a message to a room, by its id or its unique name, as in every route of a room. With a target, that agent answers; without, a rule decides who answers; `collaborate` and `autopilot` start a session. Text that begins with `/ship <goal>` starts a ship in the room.',
    body: newMessage,
    status: 202,
    response: z.object({ message_id: z.string(), session_id: z.string().optional(), run: z.string() }),
    errors: [409, 413],
  },
  'POST /api/rooms/:room/override': {
    name: 'overrideRoom',
    role: 'member',
    recorded: true,
    summary: 'Override who answers in this room, until you send null.',
    body: z.strictObject({ override: z.string().nullable().describe('`both`, `only <agent>` or null') }),
    response: roomWithOverride,
    errors: [409],
  },
  'POST /api/rooms/:room/agent-messages': {
    name: 'postAgentMessage',
    role: 'member',
    summary:
      'Post a message outside the conversation: from one agent, or from the person, to an agent or to all others.',
    body: newAgentMessage,
    status: 202,
    response: z.object({ id: z.string(), thread: z.string(), run: z.string() }),
    errors: [409, 429],
  },
  'GET /api/sessions/:session': {
    name: 'getSession',
    role: 'viewer',
    summary: 'Get the state of a session, with its part of the transcript.',
    response: sessionWithItems,
  },
  'POST /api/sessions/:session/stop': {
    name: 'stopSession',
    role: 'member',
    summary: 'Stop a session. Does nothing to a session that has ended.',
    status: 202,
    response: session,
  },
} as const satisfies Routes
