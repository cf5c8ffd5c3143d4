/** Listens to a model: what it says and does as it comes, and what it used, in one step or in many. */
import type { LanguageModel, TextStreamPart, ToolSet } from 'ai'
import type { AgentMessage, CallOptions, Usage } from '../../kernel/agent.ts'
import { addUsage, estimateTokens, noUsage } from '../../kernel/ask/usage.ts'
import { type FailingAgent, NotAStream } from './failure.ts'
import { pacedFetch } from './paced-fetch.ts'
import { loadProvider } from './providers.ts'

/** What was heard of one reply. A step is one answer of the model; tools make for more than one. */
export interface Heard {
  /** The words of the last step. */
  text: string
  /** The tools that the last step called. */
  calls: string[]
  /** How the last step ended; absent while it has not. */
  finish?: { reason: string; raw?: string }
  error?: unknown
  /** Steps that ended. */
  steps: number
  /** Of the steps that are counted; prices are for later. */
  used: Usage
  /** What the last counted step was sent; the next is sent at least that. */
  lastInput: number
  /** The last step said something, and nobody has counted it yet. */
  uncounted: boolean
  /** What went to and fro since the question. */
  transcript: AgentMessage[]
}

/** Fills in what was heard, also where it then throws: what `signal` aborts with, and nothing else. */
export async function hear(
  messages: readonly AgentMessage[],
  options: CallOptions,
  open: () => Promise<AsyncIterable<TextStreamPart<ToolSet>>>,
): Promise<Heard> {
  const heard: Heard = { text: '', calls: [], steps: 0, used: noUsage, lastInput: 0, uncounted: false, transcript: [] }
  try {
    for await (const part of await open()) {
      // Pieces that had arrived before the stop are still in the queue.
      options.signal.throwIfAborted()
      if (part.type !== 'start' && part.type !== 'start-step') options.onActivity?.()
      note(heard, part, messages, options)
    }
  } catch (error) {
    heard.error ??= error
  }
  options.signal.throwIfAborted()
  return heard
}

function note(
  heard: Heard,
  part: TextStreamPart<ToolSet>,
  messages: readonly AgentMessage[],
  options: CallOptions,
): void {
  switch (part.type) {
    case 'start-step':
      Object.assign(heard, { text: '', calls: [], finish: undefined, uncounted: true })
      // Cut short from here on, it has cost what was sent.
      if (heard.steps > 0) options.onUsage?.(addUsage(heard.used, sentAgain(heard)))
      return
    case 'text-delta':
      if (!part.text) return
      if (heard.text === '' && heard.transcript.length > 0) options.onText?.('\n\n')
      heard.text += part.text
      options.onText?.(part.text)
      return
    case 'tool-call':
      heard.calls.push(part.toolName)
      heard.transcript.push({ role: 'assistant', content: JSON.stringify(part.input) ?? '' })
      return
    case 'tool-result':
      heard.transcript.push({ role: 'user', content: String(part.output) })
      return
    case 'tool-error':
      heard.transcript.push({ role: 'user', content: String(part.error) })
      return
    case 'error':
      heard.error ??= part.error
      return
    case 'finish-step':
      heard.finish = { reason: part.finishReason, raw: part.rawFinishReason }
      heard.steps++
      count(heard, part.usage, messages)
      options.onUsage?.(heard.used)
      heard.transcript.push({ role: 'assistant', content: heard.text })
  }
}

export interface TokenCounts {
  inputTokens?: number
  outputTokens?: number
  inputTokenDetails?: { cacheReadTokens?: number }
}

/** The provider's count, or where it gave none, an estimate. */
function count(heard: Heard, counts: TokenCounts, messages: readonly AgentMessage[]): void {
  const { inputTokens = 0, outputTokens = 0, inputTokenDetails } = counts
  if (inputTokens + outputTokens > 0 && counts.inputTokens !== undefined && counts.outputTokens !== undefined) {
    const cached = inputTokenDetails?.cacheReadTokens
    const usage = { inputTokens, outputTokens, ...(cached ? { cachedInputTokens: cached } : {}), usd: 0 }
    add(heard, usage)
  } else if (heard.text !== '' || heard.calls.length > 0) add(heard, estimateStep(heard, messages))
}

function add(heard: Heard, usage: Usage): void {
  heard.used = addUsage(heard.used, usage)
  heard.lastInput = usage.inputTokens
  heard.uncounted = false
}

function sentAgain({ lastInput }: Heard): Usage {
  return { inputTokens: lastInput, outputTokens: 0, usd: 0, estimated: true }
}

/** `reached`: the model got the question even though nothing came back. */
export function usedBy(heard: Heard, messages: readonly AgentMessage[], reached: boolean): Usage {
  const open = heard.uncounted && (reached || heard.text !== '' || heard.calls.length > 0)
  return open ? addUsage(heard.used, estimateStep(heard, messages)) : heard.used
}

function estimateStep({ text, transcript }: Heard, messages: readonly AgentMessage[]): Usage {
  return { ...estimateTokens([...messages, ...transcript], text), usd: 0 }
}

/** Providers take system text in one place, at the top; a question of system text alone has nobody asking. */
export function conversation(messages: readonly AgentMessage[]) {
  const instructions = messages.filter((message) => message.role === 'system').map((message) => message.content)
  const spoken = messages.filter(isSpoken).map(({ role, content }) => ({ role, content }))
  if (spoken.length === 0) return { prompt: instructions.join('\n\n') }
  return instructions.length === 0
    ? { messages: spoken }
    : { instructions: instructions.join('\n\n'), messages: spoken }
}

function isSpoken(message: AgentMessage): message is AgentMessage & { role: 'user' | 'assistant' } {
  return message.role !== 'system'
}

export async function loadSdk() {
  // The SDK's warnings would land on stderr, between the progress lines of a command.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  return import('ai')
}

export async function loadModel(agent: FailingAgent, options: CallOptions): Promise<LanguageModel> {
  const createModel = await loadProvider(agent.provider)
  const { model, baseUrl, apiKey, pace } = agent
  return createModel({ model, baseUrl, apiKey, fetch: pace ? pacedFetch(fetchStream, pace, options) : fetchStream })
}

/** A success that is no stream would be read as an empty reply. */
const fetchStream: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  const contentType = response.headers.get('content-type') ?? ''
  if (!response.ok || !/\b(json|html|plain)\b/i.test(contentType)) return response
  await response.body?.cancel()
  throw new NotAStream(contentType)
}
