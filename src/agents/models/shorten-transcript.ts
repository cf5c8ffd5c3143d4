/** Keeps the conversation of a working model affordable: what its tools said long ago is shortened. */
import type { ModelMessage, ToolModelMessage } from 'ai'
import { shortenEnd, shortenMiddle } from '../tools/shorten.ts'

/** Characters of tool answers in one conversation; about a quarter of that in tokens. */
const mostCharacters = 240_000
/** Once it is too much, this much is kept: not a little less at each step, which would spoil every prompt cache. */
const keptCharacters = 120_000
const longestAnswer = 60_000
const stub = 200

/** The newest answers stay whole as far as they fit. */
export function withinLimit(messages: ModelMessage[]): ModelMessage[] {
  const readable = messages.map((message) => withAnswers(message, (text) => shortenMiddle(text, longestAnswer)))
  if (readable.reduce((sum, message) => sum + answerSize(message), 0) <= mostCharacters) return readable
  const newest = readable.findLastIndex(({ role }) => role === 'tool')
  let room = keptCharacters
  return readable
    .map((message, index) => ({ message, index }))
    .toReversed()
    .map(({ message, index }) => {
      if (index === newest) message = withAnswers(message, (text) => shortenMiddle(text, share(message)))
      room -= answerSize(message)
      return room >= 0 ? message : withAnswers(message, toStub)
    })
    .toReversed()
}

/** Of the answers to one step's calls; there may be many. */
function share({ content }: ModelMessage): number {
  return Math.floor(keptCharacters / content.length)
}

function toStub(text: string): string {
  if (text.length <= 2 * stub) return text
  return `${shortenEnd(text, stub)}\n[shortened: it was long ago; ask again if you need it]`
}

/** Anthropic reads up to the mark from its cache and puts there what is new, at a tenth of the price. */
export function withCacheMark(messages: ModelMessage[]): ModelMessage[] {
  return messages.map((message, index) => {
    const { providerOptions: _, ...bare } = message
    const last = index === messages.length - 1
    return (last ? { ...bare, providerOptions: cacheMark } : bare) as ModelMessage
  })
}

export const cacheMark = { anthropic: { cacheControl: { type: 'ephemeral' } } }

function answerSize(message: ModelMessage): number {
  if (message.role !== 'tool') return 0
  return message.content.reduce((sum, part) => sum + (textOf(part)?.length ?? 0), 0)
}

function withAnswers(message: ModelMessage, change: (text: string) => string): ModelMessage {
  if (message.role !== 'tool') return message
  const content = message.content.map((part) => {
    const text = textOf(part)
    return text === undefined
      ? part
      : ({ ...part, output: { ...(part as Answer).output, value: change(text) } } as Answer)
  })
  return { ...message, content }
}

type Part = ToolModelMessage['content'][number]
type Answer = Extract<Part, { type: 'tool-result' }>

function textOf(part: Part): string | undefined {
  if (part.type !== 'tool-result') return undefined
  const { output } = part
  return output.type === 'text' || output.type === 'error-text' ? output.value : undefined
}
