/** Consumes a model's response stream, of one step or many: text, tool calls and usage. */
import type { LanguageModel, ModelMessage, TextStreamPart, ToolSet } from 'ai'
import type { AgentMessage, CallOptions, Usage } from '../../kernel/agent.ts'
import { replyMeter } from '../../kernel/ask/reply-too-large.ts'
import { addUsage, estimateTokens, noUsage } from '../../kernel/ask/usage.ts'
import { carefulFetch } from './careful-fetch.ts'
import { type FailingAgent, NotAStream } from './failure.ts'
import { pacedFetch } from './paced-fetch.ts'
import { loadProvider } from './providers.ts'

/** What has arrived of one reply. A step is one model response; with tools there may be several. */
export interface ModelResponse {
  /** The text of the last step. */
  text: string
  /** The text of all steps, as it was streamed. */
  allText: string
  /** The tools that the last step called. */
  calls: string[]
  /** Their arguments as they were sent, by call. */
  inputs: Record<string, string>
  /** How the last step ended; absent until it has. */
  finish?: { reason: string; raw?: string }
  error?: unknown
  /** Completed steps. */
  steps: number
  /** Usage of the counted steps, without prices. */
  used: Usage
  /** Input tokens of the last counted step; the next step sends at least as many. */
  lastInput: number
  /** The last step has output that is not in `used` yet. */
  uncounted: boolean
  /** Messages exchanged since the request. */
  transcript: AgentMessage[]
}

/**
 * Never throws on a failed stream: `error` holds the failure. Throws only the abort reason of `signal`. The input of
 * `replyTool` is the reply, so it streams like text.
 */
export async function consumeStream(
  messages: readonly AgentMessage[],
  options: CallOptions,
  open: () => Promise<AsyncIterable<TextStreamPart<ToolSet>>>,
  replyTool?: string,
): Promise<ModelResponse> {
  const response: ModelResponse = {
    text: '',
    allText: '',
    calls: [],
    inputs: {},
    steps: 0,
    used: noUsage,
    lastInput: 0,
    uncounted: false,
    transcript: [],
  }
  const replies = new Set<string>()
  const countCalls = replyMeter('toolCalls')
  try {
    for await (const part of await open()) {
      // Parts that arrived before the abort are still in the queue.
      options.signal.throwIfAborted()
      if (part.type !== 'start' && part.type !== 'start-step') options.onActivity?.()
      if (part.type === 'tool-input-start' && part.toolName === replyTool) replies.add(part.id)
      if (part.type === 'tool-input-delta' && replies.has(part.id)) options.onText?.(part.delta)
      if (part.type === 'tool-call') countCalls(1)
      applyPart(response, part, messages, options, replyTool !== undefined)
    }
  } catch (error) {
    response.error ??= error
  }
  options.signal.throwIfAborted()
  return response
}

function applyPart(
  response: ModelResponse,
  part: TextStreamPart<ToolSet>,
  messages: readonly AgentMessage[],
  options: CallOptions,
  isStructured: boolean,
): void {
  switch (part.type) {
    case 'start-step':
      Object.assign(response, { text: '', calls: [], inputs: {}, finish: undefined, uncounted: true })
      // Report what was sent, in case the step is interrupted.
      if (response.steps > 0) options.onUsage?.(addUsage(response.used, sentAgain(response)))
      return
    case 'text-delta':
      if (!part.text) return
      if (isStructured) {
        response.text += part.text
        // Words between tool calls are not part of a structured reply.
        if (/^\s*[{`]/.test(response.text)) say(response, part.text, options)
        return
      }
      if (response.text === '' && response.allText !== '') say(response, '\n\n', options)
      response.text += part.text
      say(response, part.text, options)
      return
    case 'tool-input-delta':
      response.inputs[part.id] = (response.inputs[part.id] ?? '') + part.delta
      return
    case 'tool-call':
      response.calls.push(part.toolName)
      response.inputs[part.toolCallId] ||= JSON.stringify(part.input) ?? ''
      response.transcript.push({ role: 'assistant', content: JSON.stringify(part.input) ?? '' })
      return
    case 'tool-result':
      response.transcript.push({ role: 'user', content: String(part.output) })
      return
    case 'tool-error':
      response.transcript.push({ role: 'user', content: String(part.error) })
      return
    case 'error':
      response.error ??= part.error
      return
    case 'finish-step':
      response.finish = { reason: part.finishReason, raw: part.rawFinishReason }
      response.steps++
      count(response, part.usage, messages)
      options.onUsage?.(response.used)
      response.transcript.push({ role: 'assistant', content: response.text })
  }
}

function say(response: ModelResponse, text: string, options: CallOptions): void {
  response.allText += text
  options.onText?.(text)
}

export interface TokenCounts {
  inputTokens?: number
  outputTokens?: number
  inputTokenDetails?: { cacheReadTokens?: number }
}

/** Uses the provider's count, or an estimate if it gave none. */
function count(response: ModelResponse, counts: TokenCounts, messages: readonly AgentMessage[]): void {
  const { inputTokens = 0, outputTokens = 0, inputTokenDetails } = counts
  if (inputTokens + outputTokens > 0 && counts.inputTokens !== undefined && counts.outputTokens !== undefined) {
    const cached = inputTokenDetails?.cacheReadTokens
    const usage = { inputTokens, outputTokens, ...(cached ? { cachedInputTokens: cached } : {}), usd: 0 }
    add(response, usage)
  } else if (response.text !== '' || response.calls.length > 0) add(response, estimateStep(response, messages))
}

function add(response: ModelResponse, usage: Usage): void {
  response.used = addUsage(response.used, usage)
  response.lastInput = usage.inputTokens
  response.uncounted = false
}

function sentAgain({ lastInput }: ModelResponse): Usage {
  return { inputTokens: lastInput, outputTokens: 0, usd: 0, estimated: true }
}

/** `reached`: the model received the request even if nothing came back. */
export function usageOf(response: ModelResponse, messages: readonly AgentMessage[], reached: boolean): Usage {
  const open = response.uncounted && (reached || response.text !== '' || response.calls.length > 0)
  return open ? addUsage(response.used, estimateStep(response, messages)) : response.used
}

function estimateStep({ text, transcript }: ModelResponse, messages: readonly AgentMessage[]): Usage {
  return { ...estimateTokens([...messages, ...transcript], text), usd: 0 }
}

/** Providers accept system text only at the top; a request of only system text becomes a user prompt. */
export function conversation(messages: readonly AgentMessage[]) {
  const instructions = messages.filter((message) => message.role === 'system').map((message) => message.content)
  const spoken = messages.flatMap(toModelMessage)
  if (spoken.length === 0) return { prompt: instructions.join('\n\n') }
  return instructions.length === 0
    ? { messages: spoken }
    : { instructions: instructions.join('\n\n'), messages: spoken }
}

function toModelMessage({ role, content, native }: AgentMessage): ModelMessage[] {
  if (role === 'system') return []
  // What another kind of agent said has no form that a model knows.
  if (isModelMessage(native)) return [native]
  return [{ role: role === 'assistant' ? role : 'user', content }]
}

function isModelMessage(native: unknown): native is ModelMessage {
  return typeof native === 'object' && native !== null && 'role' in native && 'content' in native
}

/** The messages of a step in the port's form. None of a step whose tool calls were not all run: it cannot be continued. */
export function exchangedIn(messages: readonly ModelMessage[]): AgentMessage[] {
  const ids = (type: 'tool-call' | 'tool-result') =>
    messages.flatMap(({ content }) =>
      typeof content === 'string' ? [] : content.flatMap((part) => (part.type === type ? [part.toolCallId] : [])),
    )
  const answered = new Set(ids('tool-result'))
  if (ids('tool-call').some((id) => !answered.has(id))) return []
  return messages.flatMap((message) =>
    message.role === 'assistant' || message.role === 'tool'
      ? [{ role: message.role, content: readable(message), native: message }]
      : [],
  )
}

/** What a message says, for people and for counting its tokens. */
function readable({ content }: ModelMessage): string {
  if (typeof content === 'string') return content
  const parts = content.map((part) => {
    if (part.type === 'text' || part.type === 'reasoning') return part.text
    if (part.type === 'tool-call') return `[${part.toolName} ${JSON.stringify(part.input)}]`
    if (part.type !== 'tool-result') return ''
    return 'value' in part.output && typeof part.output.value === 'string'
      ? part.output.value
      : JSON.stringify(part.output)
  })
  return parts.filter(Boolean).join('\n')
}

export async function loadSdk() {
  // The SDK would print warnings to stderr, between a command's progress lines.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  return import('ai')
}

export async function loadModel(agent: FailingAgent, options: CallOptions): Promise<LanguageModel> {
  const createModel = await loadProvider(agent.provider)
  const { model, baseUrl, apiKey, pace } = agent
  return createModel({ model, baseUrl, apiKey, fetch: pace ? pacedFetch(fetchStream, pace, options) : fetchStream })
}

/** A successful response that is not a stream would be read as an empty reply. */
const fetchStream: typeof fetch = async (input, init) => {
  const response = await carefulFetch(input, init)
  const contentType = response.headers.get('content-type') ?? ''
  if (!response.ok || !/\b(json|html|plain)\b/i.test(contentType)) return response
  await response.body?.cancel()
  throw new NotAStream(contentType)
}
