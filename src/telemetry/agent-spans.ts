/** One GenAI span for each call to an agent, by OpenTelemetry's conventions. */
import type { Agent, AgentMessage, AgentReply, AgentRequest } from '../kernel/agent.ts'
import type { RunSpans } from './run-spans.ts'
import type { AttributeValue, SpanSink } from './span.ts'

export interface AgentSpanOptions {
  sink: SpanSink
  runs: RunSpans
  /** Whether prompts and replies are exported; never without a person's wish. */
  content: boolean
  redactText(text: string): string
  now(): number
}

/** The agent itself, with a span around each call. */
export function traced(agent: Agent, options: AgentSpanOptions): Agent {
  const call: Agent['call'] = async (request, callOptions) => {
    const start = options.now()
    try {
      const reply = await agent.call(request, callOptions)
      recordSafely(agent, request, start, reply, options)
      return reply
    } catch (error) {
      recordSafely(agent, request, start, error, options)
      throw error
    }
  }
  return new Proxy(agent, {
    get(target, key) {
      if (key === 'call') return call
      const value = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** Agents with tools and a mind of their own; everything else is one chat with a model. */
const isAgent = ({ provider }: Agent) => provider === 'acp' || provider === 'a2a'

/** The names that OpenTelemetry gives to providers that it knows. */
const providerNames: Record<string, string> = { google: 'gcp.gemini' }

/** A span that cannot be made is lost; the reply is not. */
function recordSafely(...args: Parameters<typeof record>): void {
  try {
    record(...args)
  } catch {
    // The span is lost.
  }
}

function record(
  agent: Agent,
  request: AgentRequest,
  start: number,
  ended: AgentReply | unknown,
  { sink, runs, content, redactText, now }: AgentSpanOptions,
): void {
  const reply = isReply(ended) ? ended : null
  const operation = isAgent(agent) ? 'invoke_agent' : 'chat'
  const error = reply === null ? 'aborted' : reply.ok ? undefined : reply.failure.reason
  const { run, step } = request.question
  sink({
    name: `${operation} ${isAgent(agent) ? agent.name : (agent.model ?? agent.name)}`,
    kind: 'client',
    ...runs.parentOf(run, step),
    spanId: runs.newId(),
    start,
    end: now(),
    attributes: {
      'convene.run.id': run,
      'convene.ask.kind': request.kind,
      'convene.ask.try': request.question.try,
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': providerNames[agent.provider] ?? agent.provider,
      'gen_ai.agent.name': agent.name,
      'gen_ai.output.type': request.schema ? 'json' : 'text',
      ...(agent.model === undefined ? {} : { 'gen_ai.request.model': agent.model }),
      ...(request.maxOutputTokens === undefined ? {} : { 'gen_ai.request.max_tokens': request.maxOutputTokens }),
      ...(reply ? usageOf(reply) : {}),
      ...(error === undefined ? {} : { 'error.type': error }),
      ...(content ? contentOf(request.messages, reply, redactText) : {}),
    },
    ...(error === undefined ? {} : { error }),
  })
}

function isReply(value: unknown): value is AgentReply {
  return typeof value === 'object' && value !== null && 'ok' in value && 'usage' in value
}

function usageOf({ usage }: AgentReply): Record<string, AttributeValue> {
  return {
    'gen_ai.usage.input_tokens': usage.inputTokens,
    'gen_ai.usage.output_tokens': usage.outputTokens,
    ...(usage.cachedInputTokens === undefined
      ? {}
      : { 'gen_ai.usage.cache_read.input_tokens': usage.cachedInputTokens }),
    ...(usage.usd === null ? {} : { 'convene.usage.usd': usage.usd }),
    ...(usage.estimated ? { 'convene.usage.estimated': true } : {}),
  }
}

function contentOf(
  messages: readonly AgentMessage[],
  reply: AgentReply | null,
  redactText: (text: string) => string,
): Record<string, AttributeValue> {
  const part = (text: string) => [{ type: 'text', content: redactText(text) }]
  const system = messages.filter(({ role }) => role === 'system').flatMap(({ content }) => part(content))
  const said = messages
    .filter(({ role }) => role !== 'system')
    .map(({ role, content }) => ({ role, parts: part(content) }))
  const text = reply === null ? '' : reply.ok ? reply.text : reply.partialText
  return {
    ...(system.length > 0 ? { 'gen_ai.system_instructions': JSON.stringify(system) } : {}),
    'gen_ai.input.messages': JSON.stringify(said),
    'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: part(text) }]),
  }
}
