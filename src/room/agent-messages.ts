/** Agents write to each other beside the talk: delivered after the round, a few at a time, and never in circles. AM. */

import { z } from 'zod'
import { askInRun } from '../kernel/ask-in-run.ts'
import type { Run, Workflow } from '../kernel/engine.ts'
import { Stopped } from '../kernel/engine.ts'
import type { StoredEvent } from '../kernel/events.ts'
import {
  type AgentMessage,
  type AgentThread,
  admitToThread,
  agentMessageKinds,
  newThread,
} from '../rules/agent-message.ts'
import { readReplyJson } from '../rules/reply-json.ts'
import { agentMessageDelivered, agentMessageRefused, agentMessageSent, roomStream, threadCapped } from './events.ts'
import type { RoomSurroundings } from './surroundings.ts'

export interface AgentMessageInput {
  room: string
  id: string
  message: Omit<AgentMessage, 'depth'>
}

/** A thread is short: what it needs is among the last events of its room. */
const eventsRead = 2000

const replySchema = z.object({
  kind: z.enum(agentMessageKinds).default('inform'),
  content: z.string().min(1),
  to: z.string().optional(),
  topic: z.string().optional(),
  expects_reply: z.boolean().default(false),
})
type Reply = z.infer<typeof replySchema>

export function agentMessageWorkflow(around: RoomSurroundings): Workflow<AgentMessageInput, void> {
  const workflow: Workflow<AgentMessageInput, void> = {
    name: 'room.agent-message',
    version: 1,
    async run(run, { room, id, message }) {
      const ruling = await run.step('admit', async ({ emit }) => {
        const thread = foldThread(
          await around.store.read({ stream: roomStream(room), last: eventsRead }),
          message.thread,
        )
        const ruling = admitToThread(thread.state, message, around.settings.messages.max_depth)
        const place = { stream: roomStream(room), actor: message.from }
        if (ruling.kind === 'refuse')
          emit(
            agentMessageRefused.create(place, {
              id,
              from: message.from,
              thread: message.thread,
              reason: ruling.because,
            }),
          )
        else emit(agentMessageSent.create(place, { id, ...ruling.message }))
        const capped = ruling.kind === 'refuse' ? ruling.because === 'depth_cap' : ruling.capReached
        if (capped && !thread.capped)
          emit(
            threadCapped.create(place, {
              thread: message.thread,
              depth: ruling.thread.depth,
              speakers: [...new Set([...thread.speakers, message.from])],
            }),
          )
        return ruling.kind === 'admit' ? ruling.message : null
      })
      if (!ruling) return
      const everybody = around.room(room).agents.filter((name) => name !== ruling.from)
      for (const to of ruling.to === undefined ? everybody : [ruling.to]) {
        const reply = await deliver(run, around, room, id, ruling, to)
        if (!reply) continue
        const next = {
          kind: reply.kind,
          from: to,
          to: reply.to ?? ruling.from,
          topic: reply.topic ?? ruling.topic,
          content: reply.content,
          expects_reply: reply.expects_reply,
          thread: ruling.thread,
        }
        await run.start(workflow, { room, id: run.id(), message: next })
      }
    },
  }
  return workflow
}

/** What the agent says to it, if it is asked for a reply and gives one. */
async function deliver(
  run: Run,
  around: RoomSurroundings,
  room: string,
  id: string,
  message: AgentMessage,
  to: string,
): Promise<Reply | null> {
  const others = around.room(room).agents.filter((name) => name !== to)
  const place = { stream: roomStream(room), actor: to }
  try {
    const entered = await run.step(`inbox of ${to}`, ({ signal }) => around.inboxes.enter(room, to, id, signal), {
      stoppable: true,
    })
    if (!entered) {
      await run.append(
        agentMessageRefused.create(place, {
          id,
          from: message.from,
          thread: message.thread,
          reason: `the inbox of ${to} is full`,
        }),
      )
      return null
    }
    const { exit, raw } = await askInRun(run, around, {
      agent: around.agent(to),
      kind: 'agent-message',
      messages: () => {
        const content = around.prompts.render('agent-message', {
          ...message,
          name: to,
          others,
          max_depth: around.settings.messages.max_depth,
        })
        return [{ role: 'user', content }]
      },
      stream: roomStream(room),
      tell: () => [agentMessageDelivered.create(place, { id, to, thread: message.thread })],
    })
    if (!message.expects_reply || (!exit.ok && exit.failure.reason !== 'malformed')) return null
    return readReply(exit.ok ? exit.text : raw, others, message.from)
  } catch (error) {
    if (error instanceof Stopped) return null
    throw error
  } finally {
    around.inboxes.leave(room, to, id)
  }
}

/** Words that are not the JSON that was asked for are taken as an answer to the sender that wants no reply. */
function readReply(text: string, others: string[], sender: string): Reply {
  const json = readReplyJson(text)
  const parsed = replySchema.safeParse(json.ok ? json.value : null)
  const reply: Reply = parsed.success
    ? parsed.data
    : { kind: 'inform', content: text.trim() || '(nothing)', expects_reply: false }
  return reply.to !== undefined && !others.includes(reply.to) ? { ...reply, to: sender } : reply
}

function foldThread(
  events: StoredEvent[],
  thread: string,
): { state: AgentThread; speakers: string[]; capped: boolean } {
  let state = newThread
  let capped = false
  const speakers: string[] = []
  for (const event of events) {
    if (threadCapped.is(event) && event.data.thread === thread) capped = true
    if (!agentMessageSent.is(event) || event.data.thread !== thread) continue
    state = { depth: event.data.depth, closed: event.data.kind === 'resolution' }
    speakers.push(event.data.from)
  }
  return { state, speakers, capped }
}
