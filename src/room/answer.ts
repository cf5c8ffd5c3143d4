/** One agent's answer to a message: asked once, streamed as it arrives, posted when complete. */
import type { AskResult } from '../kernel/ask/ask.ts'
import type { NewEvent } from '../kernel/events.ts'
import { type AskingRun, askInRun } from '../kernel/runs/ask-in-run.ts'
import { createPassFilter, isPass } from '../rules/room/passing.ts'
import { needsNoSource } from '../rules/room/wording/courtesy.ts'
import { attachedText } from './attached-text.ts'
import type { RoomDeps } from './deps.ts'
import { type Attachment, noticePosted, replyPassed, replyPosted, roomStream } from './events.ts'
import { findAgent } from './find-agent.ts'
import { mapMessages, toolsFor } from './readable-source.ts'

export interface Message {
  room: string
  message_id: string
  text: string
  attachments?: Attachment[]
}

export type Role = 'primary' | 'secondary' | 'synthesis' | 'stand-in'

export interface AnswerRequest {
  agent: string
  role?: Role
  /** What the agent is told about the other responders, if there are any. */
  coordination?: string
  /** Whether to post a notice as soon as this agent fails; if not, the round reports it. */
  reportFailure: boolean
}

/** `passed`: the agent was to answer second and had nothing to add. RD13. */
export type AnswerExit = AskResult<string>['exit'] & { passed?: true }

export async function answer(
  run: AskingRun,
  deps: RoomDeps,
  message: Message,
  request: AnswerRequest,
): Promise<AnswerExit> {
  const agent = findAgent(deps, request.agent)
  const second = request.role === 'secondary' || request.role === 'synthesis' ? request.role : undefined
  const { exit } = await askInRun(run, deps, {
    agent,
    kind: 'answer',
    ahead: true,
    source: async () => {
      const isBare = !message.attachments?.length && needsNoSource(message.text, deps.room(message.room).agents)
      return isBare ? null : toolsFor(deps, agent, { ...message, run: run.runId })
    },
    messages: async (source) => {
      const memory = await deps.memories.before(message, run.runId)
      const others = deps.room(message.room).agents.filter((name) => name !== request.agent)
      const system = deps.prompts.render('answer', {
        name: request.agent,
        others,
        coordination: request.coordination,
      })
      return [
        ...mapMessages(deps, source),
        { role: 'system', content: system },
        ...memory.talk(request.agent, source !== null),
        { role: 'user', content: await attachedText(deps.store, message) },
      ]
    },
    stream: roomStream(message.room),
    show: () => (second ? createPassFilter() : (piece) => piece),
    emit: ({ exit }, ask) => {
      if (!exit.ok) return request.reportFailure ? [couldNotAnswer(message, request.agent, exit.failure.message)] : []
      if (second && isPass(exit.text)) return [passed(message, ask, request.agent, second)]
      return [
        reply(message, ask, { agent: request.agent, rehearsal: agent.rehearsal, text: exit.text, role: request.role }),
      ]
    },
  })
  return second && exit.ok && isPass(exit.text) ? { ...exit, passed: true } : exit
}

function passed(message: Message, ask: string, agent: string, role: 'secondary' | 'synthesis'): NewEvent {
  const header = { stream: roomStream(message.room), actor: agent }
  return replyPassed.create(header, { message_id: message.message_id, ask, agent, role })
}

function reply(
  message: Message,
  ask: string,
  answered: { agent: string; rehearsal: boolean; text: string; role?: Role },
): NewEvent {
  const header = { stream: roomStream(message.room), actor: answered.agent }
  return replyPosted.create(header, { message_id: message.message_id, ask, ...answered })
}

export function couldNotAnswer(message: Message, agent: string, why: string): NewEvent {
  return notice(message, `${agent} could not answer: ${why}`)
}

export function notice(
  message: Pick<Message, 'room' | 'message_id'>,
  text: string,
  ends?: 'stopped' | 'unanswered',
): NewEvent {
  return noticePosted.create(
    { stream: roomStream(message.room), actor: 'router' },
    { message_id: message.message_id, text, ...(ends === undefined ? {} : { ends }) },
  )
}
