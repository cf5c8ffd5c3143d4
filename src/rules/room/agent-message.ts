/** The messages agents send each other outside the transcript, and how long a thread may get. SPEC.md § AM. */
import { z } from 'zod'

/** `resolution` closes its thread and gets no reply; `negotiate` is open-ended. */
export const agentMessageKinds = [
  'question',
  'inform',
  'delegate',
  'status',
  'flag',
  'resolution',
  'negotiate',
] as const
export type AgentMessageKind = (typeof agentMessageKinds)[number]

/** The sender of a person's message to an agent. No agent can have this name. */
export const person = 'you'

const name = z.string().min(1)

export const agentMessageSchema = z.strictObject({
  kind: z.enum(agentMessageKinds),
  from: name,
  /** Absent: everyone else in the room. */
  to: name.optional(),
  topic: name.optional(),
  content: z.string().min(1),
  expects_reply: z.boolean(),
  thread: name,
  /** 1 for the first message of a thread. */
  depth: z.int().min(1),
})

export type AgentMessage = z.infer<typeof agentMessageSchema>

/** Depth is counted per thread: a count per pair of speakers would miss A → B → C → A. */
export interface AgentThread {
  depth: number
  closed: boolean
}

export const newThread: AgentThread = { depth: 0, closed: false }

export const maxThreadDepth = 6

/** How many messages an agent may send with its tool while it writes one answer or turn. */
export const mostTold = 3

/** `capReached`: this is the thread's last message; the floor emits an event and asks for no reply. */
export type ThreadRuling =
  | { kind: 'admit'; message: AgentMessage; thread: AgentThread; capReached: boolean }
  | { kind: 'refuse'; because: 'depth_cap' | 'closed'; thread: AgentThread }

/** Sets the depth from the thread and ignores the sender's. */
export function admitToThread(
  thread: AgentThread,
  message: Omit<AgentMessage, 'depth'>,
  maxDepth: number = maxThreadDepth,
): ThreadRuling {
  if (thread.depth >= maxDepth) return { kind: 'refuse', because: 'depth_cap', thread }
  if (thread.closed) return { kind: 'refuse', because: 'closed', thread }

  const depth = thread.depth + 1
  const capReached = depth === maxDepth
  const closed = message.kind === 'resolution'
  const expects_reply = message.expects_reply && !closed && !capReached
  return { kind: 'admit', message: { ...message, depth, expects_reply }, thread: { depth, closed }, capReached }
}
