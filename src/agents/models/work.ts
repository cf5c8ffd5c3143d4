/** An ask that a model answers with tools: it calls them, reads their results, and ends with its reply. */
import type { ModelMessage, TextStreamPart, ToolSet } from 'ai'
import type { AgentRequest, CallOptions } from '../../kernel/agent.ts'
import { addUsage, noUsage } from '../../kernel/ask/usage.ts'
import { cachedConversation } from './cached-conversation.ts'
import type { FailingAgent } from './failure.ts'
import { type FinishTool, finishTool } from './finish-tool.ts'
import { type ProviderSchema, providerSchema } from './provider-schema.ts'
import { providerFacts, providerOptions } from './providers.ts'
import { withCacheMark, withinLimit } from './shorten-transcript.ts'
import { consumeStream, exchangedIn, loadModel, loadSdk, type ModelResponse, type TokenCounts } from './stream.ts'
import type { Toolbox } from './toolboxes.ts'

/** How many model replies, tool calls included, one ask in a workspace may take. */
export const defaultMaxSteps = 60

export interface WorkResponse extends ModelResponse {
  /** The input of the `finish` tool. */
  reply?: string
}

/** With a `structure` the model replies through the `finish` tool; without it, the last text is the reply. */
export async function work(
  agent: FailingAgent,
  request: AgentRequest,
  options: CallOptions,
  toolbox: Toolbox,
  structure: ProviderSchema | null,
): Promise<WorkResponse> {
  const { maxSteps } = toolbox
  const finish = structure && request.schema ? finishTool(request.schema, structure) : null
  const instructions = toolbox.instructions(finish ? 'finish' : request.schema ? 'object' : 'words')
  const messages = instructions
    ? [...request.messages, { role: 'system' as const, content: instructions }]
    : request.messages
  let stepsLeft = maxSteps
  const response = await consumeStream(
    messages,
    options,
    async () => {
      const [sdk, model] = await Promise.all([loadSdk(), loadModel(agent, options)])
      options.signal.throwIfAborted()
      const { stream } = sdk.streamText({
        model,
        ...cachedConversation(agent.provider, messages),
        tools: toolSet(sdk, agent, toolbox, finish, options, () => stepsLeft),
        toolCallConcurrency: toolbox.concurrency,
        stopWhen: [
          sdk.isStepCount(maxSteps),
          () => finish?.reply() !== undefined,
          ({ steps }) => !isComplete(steps.at(-1)?.finishReason),
        ],
        prepareStep: ({ stepNumber, messages: soFar, steps }) => {
          stepsLeft = maxSteps - stepNumber - 1
          if (steps.length > 0) checkBudget(options, steps)
          const last = toolbox.endsWithAnswer && stepsLeft <= 0 ? lastChoice(finish) : {}
          return { messages: prepareMessages(agent, soFar), ...last }
        },
        maxOutputTokens: request.maxOutputTokens ?? providerFacts[agent.provider].maxOutputTokens,
        maxRetries: 0,
        abortSignal: options.signal,
        providerOptions: providerOptions[agent.provider],
        onStepEnd: ({ response }) => options.onMessages?.(exchangedIn(response.messages)),
        onError: () => {},
      })
      return reportInvalidCalls(stream, toolbox)
    },
    finish && toolbox.endsWithAnswer ? 'finish' : undefined,
  )
  return { ...response, reply: finish?.reply() }
}

/**
 * The reply's schema as a tool's input. Only OpenAI enforces it strictly, and needs every property for that; the others
 * get the common core, without the limits that apply to structured output.
 */
export function finishSchema({ provider }: FailingAgent, schema: AgentRequest['schema']): ProviderSchema | null {
  if (!schema) return null
  return providerSchema(provider === 'openai' ? 'openai' : 'google', schema)
}

/** BU1: the budget may stop the ask between two requests; this aborts the stream before the next one. */
function checkBudget({ onUsage, signal }: CallOptions, steps: readonly { usage: TokenCounts }[]): void {
  const used = steps.map(({ usage: { inputTokens = 0, outputTokens = 0 } }) => ({ inputTokens, outputTokens, usd: 0 }))
  onUsage?.(used.reduce(addUsage, noUsage), true)
  signal.throwIfAborted()
}

/** Reports calls that reach no tool: of an unknown tool, or with arguments that cannot be parsed. */
async function* reportInvalidCalls(
  stream: AsyncIterable<TextStreamPart<ToolSet>>,
  { onTool }: Toolbox,
): AsyncGenerator<TextStreamPart<ToolSet>> {
  for await (const part of stream) {
    if (part.type === 'tool-call' && part.invalid)
      onTool?.({ tool: part.toolName, summary: 'a call that cannot be made', ok: false, milliseconds: 0 })
    yield part
  }
}

/** With any other reason, the tool calls may be cut off and were not run. */
function isComplete(reason: string | undefined): boolean {
  return reason === 'stop' || reason === 'tool-calls'
}

function prepareMessages({ provider }: FailingAgent, messages: ModelMessage[]): ModelMessage[] {
  const shortened = withinLimit(messages)
  return provider === 'anthropic' ? withCacheMark(shortened) : shortened
}

type Sdk = Awaited<ReturnType<typeof loadSdk>>

function toolSet(
  sdk: Sdk,
  { provider }: FailingAgent,
  toolbox: Toolbox,
  finish: FinishTool | null,
  { onActivity, signal }: CallOptions,
  stepsLeft: () => number,
): ToolSet {
  const tools: ToolSet = {}
  for (const { name, description, schema, use } of toolbox.tools) {
    tools[name] = sdk.dynamicTool({
      description,
      inputSchema: sdk.jsonSchema(schema),
      execute: async (given) => (await use(given, { signal, onActivity })).text + warning(stepsLeft()),
    })
  }
  if (finish) {
    tools.finish = {
      ...sdk.dynamicTool({
        description: finish.description,
        inputSchema: sdk.jsonSchema(finish.schema as object),
        execute: async (given) => {
          const { ok, text } = finish.take(given)
          toolbox.onTool?.({ tool: 'finish', summary: 'finish', ok, milliseconds: 0 })
          return text
        },
      }),
      ...(provider === 'openai' ? { strict: true } : {}),
    }
  }
  return tools
}

function lastChoice(finish: FinishTool | null) {
  return { toolChoice: finish ? ({ type: 'tool', toolName: 'finish' } as const) : ('none' as const) }
}

function warning(stepsLeft: number): string {
  if (stepsLeft > 5) return ''
  return `\n[${stepsLeft} more ${stepsLeft === 1 ? 'step' : 'steps'} until the work is cut off: come to an end]`
}
