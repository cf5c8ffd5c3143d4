/** The events of a long conversation in one room: eight for every message, as a run of the room writes them. */
import type { NewEvent } from '../src/kernel/events.ts'

/** `first` and `count` are multiples of eight. */
export function conversation(first: number, count: number): NewEvent[] {
  const events: NewEvent[] = []
  for (let message = first / 8; message < (first + count) / 8; message++) events.push(...oneMessage(message))
  return events
}

function oneMessage(number: number): NewEvent[] {
  const message_id = `message-${number}`
  const run = `run-${number}`
  const room = { version: 1, stream: 'room:bench', run }
  const question = (agent: string) => ({ ask: `${run}/${agent}`, kind: 'turn', agent, rehearsal: false, attempt: 1 })
  const usage = { inputTokens: 1200 + number, outputTokens: 80, usd: 0.0042 }
  const text = `Message ${number}: how should the parser treat an empty line?`
  return [
    { ...room, type: 'message.posted', data: { message_id, text, mode: 'coordinate', target: 'router' } },
    { ...room, type: 'run.started', stream: `run:${run}`, data: { workflow: 'room', version: 1 } },
    { ...room, type: 'ask.started', data: { ...question('ada'), reserved: { tokens: 2000, usd: 0.01 } } },
    { ...room, type: 'ask.finished', data: { ...question('ada'), exit: 'reply', usage, tries: 1, milliseconds: 812 } },
    { ...room, type: 'ask.started', data: { ...question('bob'), reserved: { tokens: 2000, usd: 0.01 } } },
    { ...room, type: 'ask.finished', data: { ...question('bob'), exit: 'reply', usage, tries: 1, milliseconds: 640 } },
    {
      ...room,
      type: 'reply.posted',
      actor: 'ada',
      data: {
        message_id,
        ask: `${run}/ada`,
        agent: 'ada',
        rehearsal: false,
        text: `${number} ${'An empty line. '.repeat(20)}`,
      },
    },
    { ...room, type: 'run.finished', stream: `run:${run}`, data: { status: 'done' } },
  ]
}
