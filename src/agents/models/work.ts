/** An ask that a model answers by working in a folder: it calls tools, reads their results, and ends with its reply. */
import type { ModelMessage, TextStreamPart, ToolSet } from 'ai'
import type { AgentRequest, AgentWorkspace, CallOptions } from '../../kernel/agent.ts'
import { addUsage, noUsage } from '../../kernel/ask/usage.ts'
import { edit } from '../tools/edit.ts'
import { list } from '../tools/list.ts'
import { read } from '../tools/read.ts'
import { run } from '../tools/run.ts'
import { search } from '../tools/search.ts'
import type { WorkspaceTool } from '../tools/tool.ts'
import { useTool } from '../tools/use-tool.ts'
import { write } from '../tools/write.ts'
import type { FailingAgent } from './failure.ts'
import { type FinishTool, finishTool } from './finish-tool.ts'
import { type JsonSchema, type ProviderSchema, providerSchema } from './provider-schema.ts'
import { providerFacts, providerOptions } from './providers.ts'
import { withCacheMark, withinLimit } from './shorten-transcript.ts'
import {
  consumeStream,
  conversation,
  exchangedIn,
  loadModel,
  loadSdk,
  type ModelResponse,
  type TokenCounts,
} from './stream.ts'

/** How many model replies, tool calls included, one ask may take. */
export const defaultMaxSteps = 60

export interface WorkResponse extends ModelResponse {
  /** The input of the `finish` tool. */
  reply?: string
}

/** With a `structure` the model replies through the `finish` tool; without it, the last text is the reply. */
export async function work(
  agent: FailingAgent,
  request: AgentRequest & { workspace: AgentWorkspace },
  options: CallOptions,
  maxSteps: number,
  structure: ProviderSchema | null,
): Promise<WorkResponse> {
  const { workspace } = request
  const finish = structure && request.schema ? finishTool(request.schema, structure) : null
  const messages = [...request.messages, { role: 'system' as const, content: instructions(workspace, finish) }]
  let stepsLeft = maxSteps
  const response = await consumeStream(messages, options, async () => {
    const [sdk, model] = await Promise.all([loadSdk(), loadModel(agent, options)])
    options.signal.throwIfAborted()
    const { stream } = sdk.streamText({
      model,
      ...conversation(messages),
      tools: toolSet(sdk, agent, workspace, finish, options, () => stepsLeft),
      // Run tool calls one after another: two edits of one file must not both start from its old text.
      toolCallConcurrency: 1,
      stopWhen: [
        sdk.isStepCount(maxSteps),
        () => finish?.reply() !== undefined,
        ({ steps }) => !isComplete(steps.at(-1)?.finishReason),
      ],
      prepareStep: ({ stepNumber, messages: soFar, steps }) => {
        stepsLeft = maxSteps - stepNumber - 1
        if (steps.length > 0) checkBudget(options, steps)
        return { messages: prepareMessages(agent, soFar) }
      },
      maxOutputTokens: request.maxOutputTokens ?? providerFacts[agent.provider].maxOutputTokens,
      maxRetries: 0,
      abortSignal: options.signal,
      providerOptions: providerOptions[agent.provider],
      onStepEnd: ({ response }) => options.onMessages?.(exchangedIn(response.messages)),
      onError: () => {},
    })
    return reportInvalidCalls(stream, workspace)
  })
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
  workspace: AgentWorkspace,
): AsyncGenerator<TextStreamPart<ToolSet>> {
  for await (const part of stream) {
    if (part.type === 'tool-call' && part.invalid)
      workspace.onTool?.({ tool: part.toolName, summary: 'a call that cannot be made', ok: false, milliseconds: 0 })
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
  workspace: AgentWorkspace,
  finish: FinishTool | null,
  { onActivity, signal }: CallOptions,
  stepsLeft: () => number,
): ToolSet {
  const tools: ToolSet = {}
  const offer = <Input>(tool: WorkspaceTool<Input>) => {
    tools[tool.name] = sdk.dynamicTool({
      description: tool.description,
      inputSchema: sdk.jsonSchema(schemaOf(tool)),
      execute: async (given) => {
        const answer = await useTool(tool, given, { workspace, signal, onActivity })
        return answer.text + warning(stepsLeft())
      },
    })
  }
  offer(list)
  offer(read)
  offer(search)
  offer(write)
  offer(edit)
  if (workspace.run) offer(run)
  if (finish) {
    tools.finish = {
      ...sdk.dynamicTool({
        description: finish.description,
        inputSchema: sdk.jsonSchema(finish.schema as object),
        execute: async (given) => {
          const { ok, text } = finish.take(given)
          workspace.onTool?.({ tool: 'finish', summary: 'finish', ok, milliseconds: 0 })
          return text
        },
      }),
      ...(provider === 'openai' ? { strict: true } : {}),
    }
  }
  return tools
}

/** The inputs of tools use only the schemas' common core. */
function schemaOf<Input>({ name, input }: WorkspaceTool<Input>): JsonSchema & object {
  const structure = providerSchema('google', input)
  if (!structure) throw new Error(`the input of the tool ${name} has no portable form`)
  return structure.schema
}

function warning(stepsLeft: number): string {
  if (stepsLeft > 5) return ''
  return `\n[${stepsLeft} more ${stepsLeft === 1 ? 'step' : 'steps'} until the work is cut off: come to an end]`
}

function instructions(workspace: AgentWorkspace, finish: FinishTool | null): string {
  return [
    'You work in a project folder through tools; what is not in a file has not been done. All paths are relative to ' +
      'that folder, and nothing outside of it can be reached.',
    workspace.run
      ? 'Check your work with the run tool before you end: what you report is verified afterwards.'
      : 'No commands can be run here; what you report is verified afterwards.',
    finish
      ? 'When you are done, call the tool finish with the reply you were asked for. Do not just say that you are done.'
      : 'When you are done, send the reply you were asked for as your last message, without any words around it.',
  ].join('\n')
}
