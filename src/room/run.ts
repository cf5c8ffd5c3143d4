/** How a message is answered, from the first call to the last word. */
import type { AgentMessage } from '../kernel/agent.ts'
import type { AskResult } from '../kernel/ask.ts'
import { type AskSurroundings, askInRun } from '../kernel/ask-in-run.ts'
import { type Run, Stopped, type Workflow } from '../kernel/engine.ts'
import { noticePosted, replyPosted, roomStream } from './events.ts'

export interface AnswerInput {
  room: string
  message_id: string
  target: string
  text: string
}

export interface AnswerResult {
  /** Why nobody answered, where nobody did. */
  reason?: string
}

export interface AnswerSurroundings extends AskSurroundings {
  agent(name: string): import('../kernel/agent.ts').Agent
  /** What was said in the room before this message, oldest first. */
  history(room: string, before: string): Promise<AgentMessage[]>
}

export function answerWorkflow(around: AnswerSurroundings): Workflow<AnswerInput, AnswerResult> {
  return {
    name: 'room.answer',
    version: 1,
    async run(run, input) {
      try {
        return await singleCall(run, around, input)
      } catch (error) {
        if (!(error instanceof Stopped)) throw error
        await run.append(notice(input, 'Stopped by user.'))
        return { reason: 'stopped' }
      }
    },
  }
}

async function singleCall(run: Run, around: AnswerSurroundings, input: AnswerInput): Promise<AnswerResult> {
  const history = await run.step('history', () => around.history(input.room, input.message_id))
  const { exit } = await askInRun(run, around, {
    agent: around.agent(input.target),
    kind: 'answer',
    messages: [
      { role: 'system', content: introduction(input.target) },
      ...history,
      { role: 'user', content: input.text },
    ],
    stream: roomStream(input.room),
    tell: (result, ask) => reply(around, input, result, ask),
  })
  return exit.ok ? {} : { reason: exit.failure.reason }
}

function reply(around: AnswerSurroundings, input: AnswerInput, { exit }: AskResult<string>, ask: string) {
  if (!exit.ok) return [notice(input, `${input.target} could not answer: ${exit.failure.message}`)]
  const { rehearsal } = around.agent(input.target)
  const place = { stream: roomStream(input.room), actor: input.target }
  return [
    replyPosted.create(place, { message_id: input.message_id, ask, agent: input.target, rehearsal, text: exit.text }),
  ]
}

function notice(input: AnswerInput, text: string) {
  return noticePosted.create(
    { stream: roomStream(input.room), actor: 'router' },
    { message_id: input.message_id, text },
  )
}

function introduction(name: string): string {
  return `You are ${name}, one of several agents in a room with a person. Answer the person's message directly and briefly; use Markdown where it helps.`
}
