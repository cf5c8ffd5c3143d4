/** Events of the room floor. Browser-safe. */
import { z } from 'zod'
import { defineEvent } from '../kernel/events.ts'
import { peerFlags } from '../rules/team/peer-round.ts'

export const roomModes = ['single', 'coordinate', 'collaborate', 'autopilot'] as const
export type RoomMode = (typeof roomModes)[number]

/** A person's override of the dispatch rule: everybody answers, or only one agent. */
export const overrideSchema = z.union([
  z.object({ kind: z.literal('both') }),
  z.object({ kind: z.literal('only'), agent: z.string() }),
])

/** RD11: why peers did not decide or answer all together. Absent in other rooms. */
const flags = z.array(z.enum(peerFlags)).optional()

/** Where in a session this happened. Absent outside sessions. */
const sessionFields = {
  session_id: z.string().optional(),
  round: z.number().int().optional(),
  max_rounds: z.number().int().optional(),
}

export const roomCreated = defineEvent(
  'room.created',
  1,
  z.object({
    id: z.string(),
    name: z.string(),
    agents: z.array(z.string()),
    /** Each agent is a process of its own, and they decide without a leader (RD11). */
    dispatch: z.literal('peers').optional(),
    /** The users who see the room; everyone if left out. US2. */
    members: z.array(z.string()).optional(),
  }),
)

export const roomOverridden = defineEvent(
  'room.overridden',
  1,
  z.object({ room: z.string(), override: overrideSchema.nullable() }),
)

/** What a message carries beside its text; the content is the payload `ref`. */
export const attachmentSchema = z.object({
  name: z.string(),
  kind: z.enum(['file', 'folder', 'text']),
  lines: z.object({ from: z.number().int(), to: z.number().int(), of: z.number().int() }).optional(),
  line_count: z.number().int(),
  uncommitted: z.boolean().optional(),
  bytes: z.number().int(),
  /** The text names it by `@path`. */
  in_text: z.boolean().optional(),
  ref: z.string(),
})
export type Attachment = z.infer<typeof attachmentSchema>

export const messagePosted = defineEvent(
  'message.posted',
  1,
  z.object({
    message_id: z.string(),
    text: z.string(),
    mode: z.enum(roomModes),
    /** `router`, or the name of the agent to call. */
    target: z.string(),
    override: overrideSchema.optional(),
    attachments: z.array(attachmentSchema).optional(),
    ...sessionFields,
  }),
)

const proposal = z.object({
  angle: z.string(),
  confidence: z.number(),
  covers: z.array(z.string()),
  solo_sufficient: z.boolean().optional(),
  builds_on_other: z.boolean().optional(),
  gist: z.string().optional(),
  /** Stands in for a proposal that could not be parsed. */
  malformed: z.boolean().optional(),
})

/** The decision who answers, with all its inputs. */
export const roundResolved = defineEvent(
  'round.resolved',
  1,
  z.object({
    message_id: z.string(),
    mode: z.enum(['solo', 'parallel', 'synthesis']),
    /** The dispatch rule, or what made dispatch unnecessary. */
    rule: z.string(),
    reason: z.string(),
    winner: z.string(),
    runnerUp: z.string().optional(),
    responders: z.array(z.string()),
    overlap: z.number().nullable(),
    proposals: z.record(z.string(), proposal),
    /** Agents without a proposal, and why. */
    missing: z.array(z.object({ agent: z.string(), reason: z.string() })),
    /** The limits in force. Logs written before there were two rules name no `rule`. */
    limits: z.record(z.string(), z.union([z.number(), z.string()])),
    /** The agents of the room and who spoke before, oldest first: with the message, what the wording was read with. */
    agents: z.array(z.string()).optional(),
    spoke: z.array(z.string()).optional(),
    /** Those whose words the last answers judged. */
    judged: z.array(z.string()).optional(),
    /** The last line before the message was a turn of a collaboration. */
    collaborated: z.boolean().optional(),
    /** Files or text came with the message. */
    attached: z.boolean().optional(),
    override: overrideSchema.optional(),
    flags,
    /** What coordination used, before any answer. */
    coordination: z.object({
      calls: z.number(),
      tokens: z.number(),
      usd: z.number().nullable(),
      milliseconds: z.number(),
    }),
  }),
)

/** The second agent of a synthesis waits for the first one's answer. */
export const answerWaiting = defineEvent(
  'answer.waiting',
  1,
  z.object({ message_id: z.string(), agent: z.string(), for: z.string() }),
)

export const replyPosted = defineEvent(
  'reply.posted',
  1,
  z.object({
    message_id: z.string(),
    ask: z.string(),
    agent: z.string(),
    rehearsal: z.boolean(),
    text: z.string(),
    /** The answer, one beside it, one that builds on it, or one in place of an agent that failed. */
    role: z.enum(['primary', 'secondary', 'synthesis', 'stand-in']).optional(),
    warning: z.string().optional(),
    /** Of peers: the claim under which it was written. */
    part: z.number().int().optional(),
    epoch: z.number().int().optional(),
    flags,
    ...sessionFields,
  }),
)

/** The summary of a room's talk up to an event, which agents read instead of it. */
export const roomSummarised = defineEvent(
  'room.summarised',
  1,
  z.object({
    message_id: z.string(),
    /** The `seq` of the last event it covers. */
    through: z.number().int(),
    /** How many messages it covers, those of earlier summaries included. */
    messages: z.number().int(),
    text: z.string(),
    agent: z.string(),
  }),
)

/** An agent that was to answer second had nothing to add. It is counted and not shown as a reply. RD13. */
export const replyPassed = defineEvent(
  'reply.passed',
  1,
  z.object({
    message_id: z.string(),
    ask: z.string(),
    agent: z.string(),
    role: z.enum(['secondary', 'synthesis']),
    part: z.number().int().optional(),
    epoch: z.number().int().optional(),
  }),
)

/** A hand-off: the router passes the task to the agent whose turn is next. */
export const handoffPosted = defineEvent(
  'handoff.posted',
  1,
  z.object({
    message_id: z.string(),
    call_id: z.string(),
    from: z.string(),
    to: z.string(),
    task: z.string(),
    ...sessionFields,
  }),
)

/** A message from the router to the room. */
export const noticePosted = defineEvent(
  'notice.posted',
  1,
  z.object({
    message_id: z.string(),
    text: z.string(),
    /** How this notice ends the message, when it is the last one. Logs written before this field lack it. */
    ends: z.enum(['stopped', 'unanswered']).optional(),
    /** Pages of the web app with more detail. */
    links: z.array(z.object({ label: z.string(), address: z.string() })).optional(),
    ...sessionFields,
  }),
)

export const sessionStarted = defineEvent(
  'session.started',
  1,
  z.object({
    session_id: z.string(),
    message_id: z.string(),
    goal: z.string(),
    participants: z.array(z.string()),
    speaker: z.string(),
    max_rounds: z.number().int(),
    autopilot: z.boolean(),
  }),
)

/** Convene is about to ask an agent for its turn. */
export const turnStarted = defineEvent(
  'turn.started',
  1,
  z.object({ session_id: z.string(), speaker: z.string(), round: z.number().int() }),
)

export const sessionEnded = defineEvent(
  'session.ended',
  1,
  z.object({
    session_id: z.string(),
    reason: z.string(),
    round: z.number().int(),
    /** The autopilot cap that was reached. */
    cap: z.enum(['turns', 'tokens', 'minutes']).optional(),
    /** What the last reply said beside its message; absent if no reply ended the session. */
    reply: z
      .union([
        z.object({ malformed: z.literal(true) }),
        z.object({
          handoff: z.object({ to: z.string(), task: z.string() }).optional(),
          final: z.boolean().optional(),
        }),
      ])
      .optional(),
  }),
)

/** A message from one agent to another. */
export const agentMessageSent = defineEvent(
  'agent-message.sent',
  1,
  z.object({
    id: z.string(),
    kind: z.string(),
    from: z.string(),
    to: z.string().optional(),
    topic: z.string().optional(),
    content: z.string(),
    expects_reply: z.boolean(),
    thread: z.string(),
    depth: z.number().int(),
  }),
)
export const agentMessageDelivered = defineEvent(
  'agent-message.delivered',
  1,
  z.object({ id: z.string(), to: z.string(), thread: z.string() }),
)
/** The message was not delivered: the thread is closed or at its cap, or the inbox is full. */
export const agentMessageRefused = defineEvent(
  'agent-message.refused',
  1,
  z.object({ id: z.string(), from: z.string(), thread: z.string(), reason: z.string() }),
)
/** The loop guard: the thread takes no more messages. */
export const threadCapped = defineEvent(
  'thread.capped',
  1,
  z.object({ thread: z.string(), depth: z.number().int(), speakers: z.array(z.string()) }),
)

/** One stream announces all rooms; everything else in a room goes to the room's own stream. */
export const roomsStream = 'rooms'
export const roomStream = (room: string) => `room:${room}`
