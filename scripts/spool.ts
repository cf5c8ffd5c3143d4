/** Reads a spool: requests to a model and its replies, joined to exchanges that each end in words. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { redactShapes } from '../src/kernel/redaction/redact.ts'

interface ChatMessage {
  role: string
  content: unknown
}

export interface ToolUse {
  name: string
  arguments: Record<string, unknown>
}

export interface Exchange {
  model: string
  /** The texts of the first request, without what tools returned later. */
  prompt: string
  /** The last message of the person or the orchestrator. */
  last: string
  tools: ToolUse[]
  reply: string
}

interface Call {
  model: string
  messages: ChatMessage[]
  reply: { content?: string | null; tool_calls?: ToolUse[] }
}

/** In the order in which they were begun. A request whose reply used tools is continued by a later one. */
export function readSpool(folder: string): Exchange[] {
  const open: (Exchange & { messages: ChatMessage[] })[] = []
  const done: Exchange[] = []
  for (const { model, messages, reply } of callsIn(folder)) {
    const begun = open.find((one) => one.model === model && continues(messages, one.messages))
    const exchange = begun ?? begin(model, messages)
    if (!begun) {
      open.push(exchange)
      done.push(exchange)
    }
    exchange.messages = messages
    // An agent with tools gives a structured reply by calling `finish`.
    const finish = reply.tool_calls?.find(({ name }) => name === 'finish')
    exchange.tools.push(...(reply.tool_calls ?? []).filter((call) => call !== finish).map(redactedTool))
    if (!reply.tool_calls || finish) {
      exchange.reply = finish ? JSON.stringify(redactedTool(finish).arguments) : redacted(reply.content ?? '')
      open.splice(open.indexOf(exchange), 1)
    }
  }
  return done.filter((one) => !open.includes(one as (typeof open)[number]))
}

function callsIn(folder: string): Call[] {
  const files = new Set(readdirSync(folder))
  return [...files]
    .filter((file) => /^\d+\.json$/.test(file) && files.has(file.replace('.json', '.reply.json')))
    .sort()
    .map((file) => {
      const { body } = read<{ body: { model: string; messages: ChatMessage[] } }>(join(folder, file))
      const reply = read<Call['reply']>(join(folder, file.replace('.json', '.reply.json')))
      return { model: body.model, messages: body.messages, reply }
    })
}

function read<Value>(file: string): Value {
  return JSON.parse(readFileSync(file, 'utf8')) as Value
}

function begin(model: string, messages: ChatMessage[]) {
  const texts = messages.map(({ content }) => redacted(textOf(content)))
  const last = texts[messages.findLastIndex(({ role }) => role === 'user')] ?? ''
  return { model, prompt: texts.join('\n\n'), last, tools: [], reply: '', messages } as Exchange & {
    messages: ChatMessage[]
  }
}

/** The same messages, then what the model called and what its tools returned. */
function continues(messages: readonly ChatMessage[], before: readonly ChatMessage[]): boolean {
  const added = messages.slice(before.length)
  if (added.length === 0 || !added.every(({ role }) => role === 'assistant' || role === 'tool')) return false
  return before.every((message, index) => JSON.stringify(message) === JSON.stringify(messages[index]))
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: { text?: unknown }) => (typeof part.text === 'string' ? part.text : '')).join('')
}

function redactedTool({ name, arguments: given }: ToolUse): ToolUse {
  return { name, arguments: JSON.parse(redacted(JSON.stringify(given))) as Record<string, unknown> }
}

/** No secret, no local address and no absolute path of the machine it was recorded on. */
export function redacted(text: string): string {
  return redactShapes(text)
    .replace(/\b(?:https?:\/\/)?(?:127\.0\.0\.1|localhost):\d+/g, 'http://localhost')
    .replace(/(?<![\w./~-])\/(?:home|Users|root|tmp|work|var|private|mnt|opt)\/[\w.@/+-]*/g, '/project')
}
