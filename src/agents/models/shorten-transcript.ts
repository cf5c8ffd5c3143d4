/** Keeps long tool conversations affordable by shortening old tool results. */
import type { ModelMessage, ToolModelMessage } from 'ai'
import { shortenEnd, shortenMiddle } from '../tools/shorten.ts'

/** The most characters of tool results in one conversation; about a quarter of that in tokens. */
const maxCharacters = 240_000
/** Shorten to this much at once: shortening a little at each step would invalidate every prompt cache. */
const keptCharacters = 120_000
const maxAnswer = 60_000
const stub = 200

/** Keeps the newest results whole, as far as they fit. */
export function withinLimit(messages: ModelMessage[]): ModelMessage[] {
  const readable = messages.map((message) => withAnswers(message, (text) => shortenMiddle(text, maxAnswer)))
  if (readable.reduce((sum, message) => sum + answerSize(message), 0) <= maxCharacters) return readable
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

/** Divides the budget between the results of one step; there may be many. */
function share({ content }: ModelMessage): number {
  return Math.floor(keptCharacters / content.length)
}

function toStub(text: string): string {
  if (text.length <= 2 * stub) return text
  return `${shortenEnd(text, stub)}\n[shortened: it was long ago; ask again if you need it]`
}

/** Anthropic caches the prompt up to this mark; cached tokens cost a tenth. */
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
