/** A question that a model answers by working in a folder: it uses tools, sees what they say, and ends with its reply. */
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
import { conversation, type Heard, hear, loadModel, loadSdk, type TokenCounts } from './stream.ts'

/** Answers of the model, tool calls included, that one question may take. */
export const defaultMaxSteps = 60

export interface Worked extends Heard {
  /** What the model gave to `finish`. */
  reply?: string
}

/** `structure`: the reply's shape, for a tool that takes it; without it the last words are the reply. */
export async function work(
  agent: FailingAgent,
  request: AgentRequest & { workspace: AgentWorkspace },
  options: CallOptions,
  maxSteps: number,
  structure: ProviderSchema | null,
): Promise<Worked> {
  const { workspace } = request
  const finish = structure && request.schema ? finishTool(request.schema, structure) : null
  const messages = [...request.messages, { role: 'system' as const, content: instructions(workspace, finish) }]
  let stepsLeft = maxSteps
  const heard = await hear(messages, options, async () => {
    const [sdk, model] = await Promise.all([loadSdk(), loadModel(agent, options)])
    options.signal.throwIfAborted()
    const { stream } = sdk.streamText({
      model,
      ...conversation(messages),
      tools: toolSet(sdk, agent, workspace, finish, options, () => stepsLeft),
      // One after another: two edits of one file must not both start from its old text.
      toolCallConcurrency: 1,
      stopWhen: [
        sdk.isStepCount(maxSteps),
        () => finish?.reply() !== undefined,
        ({ steps }) => !endedWell(steps.at(-1)?.finishReason),
      ],
      prepareStep: ({ stepNumber, messages: soFar, steps }) => {
        stepsLeft = maxSteps - stepNumber - 1
        if (steps.length > 0) askLeave(options, steps)
        return { messages: prepared(agent, soFar) }
      },
      maxOutputTokens: request.maxOutputTokens ?? providerFacts[agent.provider].maxOutputTokens,
      maxRetries: 0,
      abortSignal: options.signal,
      providerOptions: providerOptions[agent.provider],
      onError: () => {},
    })
    return tellingMisuse(stream, workspace)
  })
  return { ...heard, reply: finish?.reply() }
}

/**
 * The reply's shape as a tool takes it. Only OpenAI is held to it strictly, and for that has to be given every property;
 * the others get the common core, without the limits that they have for structured output.
 */
export function finishSchema({ provider }: FailingAgent, schema: AgentRequest['schema']): ProviderSchema | null {
  if (!schema) return null
  return providerSchema(provider === 'openai' ? 'openai' : 'google', schema)
}

/** BU1: between two requests the budget may say that it is enough; the stream is then aborted before the next is sent. */
function askLeave({ onUsage, signal }: CallOptions, steps: readonly { usage: TokenCounts }[]): void {
  const used = steps.map(({ usage: { inputTokens = 0, outputTokens = 0 } }) => ({ inputTokens, outputTokens, usd: 0 }))
  onUsage?.(used.reduce(addUsage, noUsage), true)
  signal.throwIfAborted()
}

/** Calls that no tool ever saw: of a tool that does not exist, or with arguments that cannot be read. */
async function* tellingMisuse(
  stream: AsyncIterable<TextStreamPart<ToolSet>>,
  workspace: AgentWorkspace,
): AsyncGenerator<TextStreamPart<ToolSet>> {
  for await (const part of stream) {
    if (part.type === 'tool-call' && part.invalid)
      workspace.onTool?.({ tool: part.toolName, summary: 'a call that cannot be made', ok: false, milliseconds: 0 })
    yield part
  }
}

/** Otherwise its tool calls may be cut, and were not made. */
function endedWell(reason: string | undefined): boolean {
  return reason === 'stop' || reason === 'tool-calls'
}

function prepared({ provider }: FailingAgent, messages: ModelMessage[]): ModelMessage[] {
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

/** What the tools take is as plain as the replies' common core. */
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
