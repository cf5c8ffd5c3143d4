/** What agents say to each other beside the room, and how far a thread of it may go. SPEC.md § AM. */
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

const name = z.string().min(1)

export const agentMessageSchema = z.strictObject({
  kind: z.enum(agentMessageKinds),
  from: name,
  /** Absent: to everybody else in the room. */
  to: name.optional(),
  topic: name.optional(),
  content: z.string().min(1),
  expects_reply: z.boolean(),
  thread: name,
  /** 1 for the first message of a thread. */
  depth: z.int().min(1),
})

export type AgentMessage = z.infer<typeof agentMessageSchema>

/** Depth is counted here, per thread: a count kept by pairs of speakers never sees A → B → C → A. */
export interface AgentThread {
  depth: number
  closed: boolean
}

export const newThread: AgentThread = { depth: 0, closed: false }

export const maxThreadDepth = 6

/** `capReached`: the thread ends here. It is worth an event, and nobody is asked to reply. */
export type ThreadRuling =
  | { kind: 'admit'; message: AgentMessage; thread: AgentThread; capReached: boolean }
  | { kind: 'refuse'; because: 'depth_cap' | 'closed'; thread: AgentThread }

/** The depth that the sender claims is not believed; it is set from the thread. */
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
