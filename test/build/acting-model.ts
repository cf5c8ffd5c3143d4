/** A model on a real socket that acts as a test says: for each ask, a shell command in its folder, then a reply. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { sendEvents } from '../agents/canned-server.ts'
import { listen } from '../agents/emulator.ts'

export interface Question {
  kind: 'scaffold' | 'write-tests' | 'implement' | 'review-impl' | 'judge-child' | 'merge' | 'rebase' | 'child-failed'
  /** The node the ask is about; for a judgement, the part that is judged. */
  node: string
  prompt: string
}

export interface Act {
  /** Run in the folder of the ask, before the reply. */
  command?: string
  reply: unknown
}

export interface ActingModel {
  url: string
  questions: Question[]
  /** The maximum number of concurrent asks. */
  mostAtOnce: number
}

const headings: [RegExp, Question['kind']][] = [
  [/^# Scaffold (\S+)/m, 'scaffold'],
  [/^# Write the tests of (\S+)/m, 'write-tests'],
  [/^# Implement (\S+)/m, 'implement'],
  [/^# Build (\S+)/m, 'implement'],
  [/^# Review the implementation of (\S+)/m, 'review-impl'],
  [/^# Judge (\S+),/m, 'judge-child'],
  [/^# Merge (\S+) into/m, 'merge'],
  [/^# Rebase (\S+)/m, 'rebase'],
  [/^# (\S+), a part of \S+, has failed/m, 'child-failed'],
]

interface Message {
  role: string
  content: unknown
}

export async function actingModel(act: (question: Question) => Act | Promise<Act>): Promise<ActingModel> {
  const model: ActingModel = { url: '', questions: [], mostAtOnce: 0 }
  const open = new Set<string>()
  const replies = new Map<string, unknown>()
  let calls = 0

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { messages, tools = [] } = JSON.parse(await text(request)) as {
      messages: Message[]
      tools?: { function: { name: string } }[]
    }
    const isOffered = (name: string) => tools.some((tool) => tool.function.name === name)
    const end = (key: string) => {
      open.delete(key)
      const reply = replies.get(key)
      if (isOffered('finish')) sendCall(response, `call_${++calls}`, 'finish', reply)
      else sendText(response, JSON.stringify(reply))
    }
    // A conversation that goes on holds the tool calls of earlier tasks.
    const done = messages.findLast(({ role }) => role === 'tool' || role === 'user')
    if (done?.role === 'tool') return end((done as Message & { tool_call_id: string }).tool_call_id)
    const question = questionIn(messages)
    const key = `call_${++calls}`
    model.questions.push(question)
    open.add(key)
    model.mostAtOnce = Math.max(model.mostAtOnce, open.size)
    const { command, reply } = await act(question)
    replies.set(key, reply)
    if (command !== undefined && isOffered('run')) sendCall(response, key, 'run', { command })
    else end(key)
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.writeHead(500).end(JSON.stringify({ error: String(error) })))
  })
  // On a busy machine an idle connection would be closed while a request is on its way, which is then made again.
  server.keepAliveTimeout = 0
  model.url = `${await listen(server)}/v1`
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return model
}

/** A refused reply is followed up without the task's heading: the task is the last one in the conversation. */
function questionIn(messages: Message[]): Question {
  const asked = messages.filter(({ role }) => role === 'user').map(({ content }) => String(content))
  const prompt = asked.at(-1) ?? ''
  for (const message of asked.toReversed())
    for (const [heading, kind] of headings) {
      const node = heading.exec(message)?.[1]
      if (node) return { kind, node, prompt }
    }
  throw new Error(`no task is known by this: ${prompt.slice(0, 200)}`)
}

function sendCall(response: ServerResponse, id: string, name: string, input: unknown): void {
  const call = { index: 0, id, type: 'function', function: { name, arguments: JSON.stringify(input) } }
  send(response, { role: 'assistant', tool_calls: [call] }, 'tool_calls')
}

function sendText(response: ServerResponse, content: string): void {
  send(response, { role: 'assistant', content }, 'stop')
}

function send(response: ServerResponse, delta: unknown, finish_reason: string): void {
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
  sendEvents(response, [
    { id: 'c', choices: [{ index: 0, delta }] },
    { id: 'c', choices: [{ index: 0, delta: {}, finish_reason }] },
    { id: 'c', choices: [], usage },
    '[DONE]',
  ])
}
