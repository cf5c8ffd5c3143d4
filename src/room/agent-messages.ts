/** Messages between agents: delivered after the round, a few at a time, with a cap on each thread's depth. AM. */

import { z } from 'zod'
import type { Run, Workflow } from '../kernel/engine.ts'
import { Stopped } from '../kernel/engine.ts'
import type { StoredEvent } from '../kernel/events.ts'
import { askInRun } from '../kernel/runs/ask-in-run.ts'
import { parkingRun } from '../kernel/runs/patient-run.ts'
import { SerialQueue } from '../kernel/serial-queue.ts'
import type { Store } from '../kernel/store.ts'
import {
  type AgentMessage,
  type AgentMessageKind,
  type AgentThread,
  admitToThread,
  agentMessageKinds,
  newThread,
  person,
} from '../rules/room/agent-message.ts'
import { readBySchema } from '../rules/schema/reply.ts'
import { permitCalls } from './call-permit.ts'
import type { RoomDeps } from './deps.ts'
import {
  agentMessageDelivered,
  agentMessageRefused,
  agentMessageSent,
  noticePosted,
  roomStream,
  threadCapped,
} from './events.ts'
import { findAgent } from './find-agent.ts'

export interface AgentMessageRequest {
  kind: AgentMessageKind
  from: string
  to?: string
  topic?: string
  content: string
  expects_reply?: boolean
  thread?: string
}

export interface AgentMessageInput {
  room: string
  id: string
  message: Omit<AgentMessage, 'depth'>
  /** The message opens a new thread, so there are no events of it to look up. */
  opens?: boolean
}

const pageSize = 500

const replySchema = z.object({
  kind: z.enum(agentMessageKinds).default('inform'),
  content: z.string().min(1),
  to: z.string().optional(),
  topic: z.string().min(1).optional(),
  expects_reply: z.boolean().default(false),
})
type Reply = z.infer<typeof replySchema>

export function agentMessageWorkflow(deps: RoomDeps): Workflow<AgentMessageInput, void> {
  const threads = new SerialQueue()
  const workflow: Workflow<AgentMessageInput, void> = {
    name: 'room.agent-message',
    version: 1,
    async run(started, input) {
      const run = parkingRun(started, deps.parking)
      const { room, id } = input
      try {
        // Two messages that read the same depth would both pass the cap.
        const thread = JSON.stringify([room, input.message.thread])
        const { message, recipients } = await threads.run(thread, () => admit(run, deps, input))
        if (!message) return
        for (const to of recipients) {
          const reply = await deliver(run, deps, input, message, to)
          if (reply) await run.start(workflow, { room, id: run.id(), message: replyMessage(message, to, reply) })
        }
      } finally {
        for (const agent of deps.room(room).agents) deps.inboxes.leave(room, agent, id)
      }
    },
  }
  return workflow
}

interface Admitted {
  /** The message with its depth in the thread; null if the thread refused it. */
  message: AgentMessage | null
  recipients: string[]
}

function admit(run: Run, deps: RoomDeps, input: AgentMessageInput): Promise<Admitted> {
  const { room, id, message } = input
  return run.step('admit', async ({ emit }) => {
    const thread = input.opens ? emptyThread : await readThread(deps.store, room, message.thread)
    const ruling = admitToThread(thread.state, message, deps.settings.messages.max_depth)
    const header = { stream: roomStream(room), actor: message.from }
    const { from, thread: name } = message
    if (ruling.kind === 'refuse')
      emit(agentMessageRefused.create(header, { id, from, thread: name, reason: ruling.because }))
    else emit(agentMessageSent.create(header, { id, ...ruling.message }))
    const capped = ruling.kind === 'refuse' ? ruling.because === 'depth_cap' : ruling.capReached
    if (capped && !thread.capped) {
      const speakers = [...new Set([...thread.speakers, from])]
      emit(threadCapped.create(header, { thread: name, depth: ruling.thread.depth, speakers }))
    }
    if (ruling.kind === 'refuse') return { message: null, recipients: [] }
    // A message to the person is delivered by being in the log.
    if (message.to === person) return { message: ruling.message, recipients: [] }
    const everybody = deps.room(room).agents.filter((agent) => agent !== from)
    return { message: ruling.message, recipients: message.to === undefined ? everybody : [message.to] }
  })
}

/** Delivers the message and returns the agent's reply, if a reply is expected and the agent gives one. */
async function deliver(
  run: Run,
  deps: RoomDeps,
  { room, id }: AgentMessageInput,
  message: AgentMessage,
  to: string,
): Promise<Reply | null> {
  const others = deps.room(room).agents.filter((name) => name !== to)
  const header = { stream: roomStream(room), actor: to }
  const { from, thread } = message
  try {
    if (!(await run.step(`inbox of ${to}`, () => deps.inboxes.admit(room, to, id)))) {
      const reason = `the inbox of ${to} is full`
      await run.append(agentMessageRefused.create(header, { id, from, thread, reason }))
      return null
    }
    const delivered = () => agentMessageDelivered.create(header, { id, to, thread })
    if (!message.expects_reply) {
      // AM1: the agent reads it with its next prompt; a call now would only give a reply that nobody wants.
      await run.step(
        `deliver to ${to}`,
        async (step) => {
          await deps.inboxes.waitForDelivery(room, to, id)
          step.emit(delivered())
        },
        { stoppable: true },
      )
      return null
    }
    await permitCalls(run, deps, room, 1, (words) =>
      noticePosted.create({ stream: roomStream(room), actor: 'router' }, { message_id: id, text: words }),
    )
    const { exit, raw } = await askInRun(run, deps, {
      agent: findAgent(deps, to),
      kind: 'agent-message',
      messages: async () => {
        // Wait inside the step, so that it waits again after a restart.
        await deps.inboxes.waitForDelivery(room, to, id)
        const { max_depth } = deps.settings.messages
        const bystanders = others.filter((name) => name !== from)
        const content = deps.prompts.render('agent-message', { ...message, name: to, others: bystanders, max_depth })
        return [{ role: 'user', content }]
      },
      stream: roomStream(room),
      emit: () => [delivered()],
    })
    if (!exit.ok && exit.failure.reason !== 'malformed') return null
    return readReply(exit.ok ? exit.text : raw, others, from)
  } catch (error) {
    if (error instanceof Stopped) return null
    throw error
  } finally {
    deps.inboxes.leave(room, to, id)
  }
}

function replyMessage(message: AgentMessage, from: string, reply: Reply): Omit<AgentMessage, 'depth'> {
  const { kind, content, expects_reply } = reply
  const topic = reply.topic ?? message.topic
  return {
    kind,
    from,
    to: reply.to ?? message.from,
    ...(topic === undefined ? {} : { topic }),
    content,
    expects_reply,
    thread: message.thread,
  }
}

/** Treats a reply that is not the requested JSON as an answer to the sender that expects no reply. */
function readReply(text: string, others: string[], sender: string): Reply {
  const read = readBySchema(text, replySchema)
  const reply: Reply = read.ok
    ? read.value
    : { kind: 'inform', content: text.trim() || '(nothing)', expects_reply: false }
  return reply.to !== undefined && !others.includes(reply.to) ? { ...reply, to: sender } : reply
}

interface ThreadSoFar {
  state: AgentThread
  speakers: string[]
  capped: boolean
}

const emptyThread: ThreadSoFar = { state: newThread, speakers: [], capped: false }

/** Reads backwards up to the thread's first message: most threads are short and recent. */
async function readThread(store: Store, room: string, thread: string): Promise<ThreadSoFar> {
  const found: StoredEvent[] = []
  for (let before: number | undefined; ; ) {
    const page = await store.read({ stream: roomStream(room), before, last: pageSize })
    found.unshift(...page.filter((event) => isOfThread(event, thread)))
    const first = found.find((event) => agentMessageSent.is(event))
    if (page.length < pageSize || first?.data.depth === 1) return foldThread(found)
    before = page[0]!.seq
  }
}

function isOfThread(event: StoredEvent, thread: string): boolean {
  return (agentMessageSent.is(event) || threadCapped.is(event)) && event.data.thread === thread
}

function foldThread(events: StoredEvent[]): ThreadSoFar {
  const sent = events.filter((event) => agentMessageSent.is(event))
  const last = sent.at(-1)
  return {
    state: last ? { depth: last.data.depth, closed: last.data.kind === 'resolution' } : newThread,
    speakers: sent.map(({ data }) => data.from),
    capped: events.some((event) => threadCapped.is(event)),
  }
}
