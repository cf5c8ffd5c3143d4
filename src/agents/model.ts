/** An agent that is a model behind an API, asked through the Vercel AI SDK. It talks; it has no tools and no workspace. */
import type {
  Agent,
  AgentFailure,
  AgentMessage,
  AgentReply,
  AgentRequest,
  AskKind,
  CallOptions,
  Usage,
} from '../kernel/agent.ts'
import { estimateTokens, noUsage } from '../kernel/usage.ts'
import { type FailingAgent, failure, failureFrom, isSchemaRefused, missingKey, NotAStream } from './model-failure.ts'
import { loadProvider, type ModelProvider, providerFacts, providerOptions } from './model-providers.ts'
import { type JsonSchema, type ProviderSchema, providerSchema } from './provider-schema.ts'

/** USD per million tokens. */
export interface Price {
  input: number
  output: number
  cached_input?: number
}

export interface ModelAgentSettings {
  name: string
  provider: ModelProvider
  model: string
  /** What the provider's SDK takes, its version path included. */
  baseUrl?: string
  apiKey?: string
  /** The variable the key is expected in: what to set is said where it is missing or wrong. */
  apiKeyEnv?: string
  /** Left out: costs are reported as unknown. */
  price?: Price
  retries?: number
}

export function createModelAgent(settings: ModelAgentSettings): Agent {
  const { name, provider, model, price } = settings
  const facts = providerFacts[provider]
  const agent: FailingAgent = {
    name,
    provider,
    model,
    baseUrl: settings.baseUrl,
    apiKey: settings.apiKey?.trim() || undefined,
    apiKeyEnv: settings.apiKeyEnv ?? facts.keyVariables[0],
  }
  /** Questions whose schema the provider did not take: from then on the prompt alone asks for the shape. */
  const askedPlainly = new Set<AskKind>()

  return {
    name,
    provider,
    model,
    rehearsal: false,
    retries: settings.retries,
    async call(request, options) {
      options.signal.throwIfAborted()
      if (agent.apiKeyEnv && !agent.apiKey)
        return { ok: false, failure: missingKey(agent), partialText: '', usage: noUsage }
      const plain = !request.schema || askedPlainly.has(request.kind)
      const structure = plain ? null : providerSchema(provider, request.schema!)
      const stream = await streamOnce(agent, request, options, structure)
      if (structure && isSchemaRefused(stream.error)) {
        askedPlainly.add(request.kind)
        return replyFrom(agent, price, request, await streamOnce(agent, request, options, null))
      }
      return replyFrom(agent, price, request, stream, structure)
    },
    estimateUsage: (messages, reply) => priced(estimateTokens(messages, reply), price),
  }
}

/** What was heard of one streamed reply. */
interface Heard {
  text: string
  error?: unknown
  finish?: { reason: string; raw?: string; usage: TokenCounts }
}

interface TokenCounts {
  inputTokens?: number
  outputTokens?: number
  inputTokenDetails?: { cacheReadTokens?: number }
}

async function streamOnce(
  agent: FailingAgent,
  request: AgentRequest,
  options: CallOptions,
  structure: ProviderSchema | null,
): Promise<Heard> {
  const heard: Heard = { text: '' }
  try {
    const [{ streamText, Output }, createModel] = await Promise.all([loadSdk(), loadProvider(agent.provider)])
    options.signal.throwIfAborted()
    const { stream } = streamText({
      model: createModel({ ...agent, fetch: fetchStream }),
      ...conversation(request.messages),
      maxOutputTokens: request.maxOutputTokens ?? providerFacts[agent.provider].maxOutputTokens,
      maxRetries: 0,
      abortSignal: options.signal,
      output: structure ? { ...Output.text(), responseFormat: jsonFormat(structure.schema) } : Output.text(),
      providerOptions: providerOptions[agent.provider],
      onError: () => {},
    })
    for await (const part of stream) {
      // Pieces that had arrived before the stop are still in the queue.
      options.signal.throwIfAborted()
      if (part.type !== 'start' && part.type !== 'start-step') options.onActivity?.()
      if (part.type === 'text-delta' && part.text) {
        heard.text += part.text
        options.onText?.(part.text)
      }
      if (part.type === 'error') heard.error ??= part.error
      if (part.type === 'finish-step') {
        heard.finish = { reason: part.finishReason, raw: part.rawFinishReason, usage: part.usage }
      }
    }
  } catch (error) {
    heard.error ??= error
  }
  options.signal.throwIfAborted()
  return heard
}

function replyFrom(
  agent: FailingAgent,
  price: Price | undefined,
  request: AgentRequest,
  heard: Heard,
  structure?: ProviderSchema | null,
): AgentReply {
  const failed = (failure: AgentFailure): AgentReply => {
    const usage = usageOf(heard, request.messages, price, failure.reason === 'disconnect')
    return { ok: false, failure, partialText: heard.text, usage }
  }
  if (heard.error !== undefined) return failed(failureFrom(heard.error, agent, heard.text !== ''))
  const { reason, raw } = heard.finish ?? { reason: 'interrupted', raw: undefined }
  if (reason === 'content-filter') return failed(failure(agent, 'refused', `would not answer (${raw ?? 'refusal'})`))
  if (reason === 'interrupted' || (raw === undefined && (reason === 'other' || reason === 'error'))) {
    return failed(failure(agent, 'disconnect', 'broke off in the middle of its reply'))
  }
  if (reason === 'tool-calls') return failed(failure(agent, 'malformed', 'called a tool that it was not given'))
  if (reason === 'error') return failed(failure(agent, 'malformed', `ended its reply with an error (${raw})`))
  if (heard.text === '') {
    const why = reason === 'length' ? 'used all its output tokens before its first word' : 'sent an empty reply'
    return failed(failure(agent, 'malformed', why))
  }
  const text = structure ? structure.restore(heard.text) : heard.text
  return { ok: true, text, usage: usageOf(heard, request.messages, price, true) }
}

/** The provider's count, or where it gave none and the question had reached the model, an estimate. */
function usageOf(heard: Heard, messages: readonly AgentMessage[], price: Price | undefined, reached: boolean): Usage {
  const { inputTokens, outputTokens, inputTokenDetails } = heard.finish?.usage ?? {}
  if (inputTokens !== undefined && outputTokens !== undefined && inputTokens + outputTokens > 0) {
    const cached = inputTokenDetails?.cacheReadTokens
    return priced({ inputTokens, outputTokens, ...(cached ? { cachedInputTokens: cached } : {}), usd: null }, price)
  }
  return reached || heard.text !== '' ? priced(estimateTokens(messages, heard.text), price) : noUsage
}

function priced(usage: Usage, price: Price | undefined): Usage {
  if (!price) return usage
  const cached = Math.min(usage.cachedInputTokens ?? 0, usage.inputTokens)
  const millionths =
    (usage.inputTokens - cached) * price.input +
    cached * (price.cached_input ?? price.input) +
    usage.outputTokens * price.output
  return { ...usage, usd: Math.round(millionths * 1000) / 1e9 }
}

/** Providers take system text in one place, at the top; a question of system text alone has nobody asking. */
function conversation(messages: readonly AgentMessage[]) {
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

function jsonFormat(schema: JsonSchema) {
  return Promise.resolve({ type: 'json' as const, name: 'reply', schema })
}

async function loadSdk() {
  // The SDK's warnings would land on stderr, between the progress lines of a command.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  return import('ai')
}

/** A success that is no stream would be read as an empty reply. */
const fetchStream: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  const contentType = response.headers.get('content-type') ?? ''
  if (!response.ok || !/\b(json|html|plain)\b/i.test(contentType)) return response
  await response.body?.cancel()
  throw new NotAStream(contentType)
}
