/** A scripted model for the tool loop: one reply per step, on any provider, and a parser for the requests it got. */
import { spawn } from 'node:child_process'
import type { ModelProvider } from '../../src/agents/models/providers.ts'
import type { AgentWorkspace, CommandOutcome } from '../../src/kernel/agent.ts'
import type { Emulator } from './emulator.ts'

export interface ScriptedStep {
  text?: string
  calls?: [tool: string, input: unknown][]
  fail?: number
  /** The stream ends after this many pieces, without its closing event. */
  cutAfter?: number
}

/** From now on each request gets the next step, and the last one repeats. */
export function script(emulator: Emulator, provider: ModelProvider, steps: ScriptedStep[]): void {
  emulator.sent.length = 0
  emulator.mock.clearFixtures()
  for (const [index, step] of steps.entries()) {
    const isTurn = () => emulator.sent.length === index + 1 || index === steps.length - 1
    const options = step.cutAfter === undefined ? {} : { truncateAfterChunks: step.cutAfter, chunkSize: 5, latency: 5 }
    emulator.mock.on({ predicate: isTurn }, responseTo(provider, step), options)
  }
}

function responseTo(provider: ModelProvider, { text, calls, fail }: ScriptedStep) {
  if (fail !== undefined) return { error: { message: 'no', type: 'error' }, status: fail }
  const usage = usageOf[provider]
  if (!calls) return { content: text ?? '', usage }
  const toolCalls = calls.map(([name, input], index) => ({
    name,
    arguments: typeof input === 'string' ? input : JSON.stringify(input),
    id: `call_${Math.random().toString(36).slice(2)}_${index}`,
  }))
  // Google has no finish reason of its own for a tool call.
  const finishReason = provider === 'google' ? { finishReason: 'stop' } : {}
  return { ...(text ? { content: text } : {}), toolCalls, usage, ...finishReason }
}

/** The usage that each step reports. */
export const stepUsage = { inputTokens: 1000, outputTokens: 50 }

const usageOf: Record<ModelProvider, Record<string, number>> = {
  anthropic: { input_tokens: 1000, output_tokens: 50 },
  openai: { input_tokens: 1000, output_tokens: 50 },
  google: { promptTokenCount: 1000, candidatesTokenCount: 50 },
  'openai-compatible': { prompt_tokens: 1000, completion_tokens: 50 },
}

type Body = Record<string, unknown>
// biome-ignore lint/suspicious/noExplicitAny: four foreign shapes, read where the providers' own documents put things
type Loose = any

/** The tools as offered to a provider. */
export function offeredTools(provider: ModelProvider, body: Body): OfferedTool[] {
  const tools = body.tools as Loose[]
  if (provider === 'anthropic') return tools.map(({ input_schema, ...tool }) => ({ ...tool, schema: input_schema }))
  if (provider === 'openai') return tools.map(({ parameters, ...tool }) => ({ ...tool, schema: parameters }))
  const declared = provider === 'google' ? tools[0].functionDeclarations : tools.map((tool) => tool.function)
  return declared.map(({ parameters, parametersJsonSchema, ...tool }: Loose) => ({
    ...tool,
    schema: parameters ?? parametersJsonSchema,
  }))
}

export interface OfferedTool {
  name: string
  description: string
  schema: Loose
  strict?: boolean
}

/** The tool results that a provider was sent, oldest first, each with the id or name of its call. */
export function toolAnswers(provider: ModelProvider, body: Body): { call: string; text: string }[] {
  if (provider === 'anthropic')
    return (body.messages as Loose[])
      .flatMap(({ content }) => content)
      .filter(({ type }) => type === 'tool_result')
      .map(({ tool_use_id, content }) => ({ call: tool_use_id, text: asText(content) }))
  if (provider === 'openai')
    return (body.input as Loose[])
      .filter(({ type }) => type === 'function_call_output')
      .map(({ call_id, output }) => ({ call: call_id, text: asText(output) }))
  if (provider === 'google')
    return (body.contents as Loose[])
      .flatMap(({ parts }) => parts)
      .filter(({ functionResponse }) => functionResponse)
      .map(({ functionResponse: { name, response } }) => ({
        call: name,
        text: asText(response.content ?? response.error),
      }))
  return (body.messages as Loose[])
    .filter(({ role }) => role === 'tool')
    .map(({ tool_call_id, content }) => ({ call: tool_call_id, text: asText(content) }))
}

/** The tool calls that a provider was sent as the model's own, by id or name. */
export function madeCalls(provider: ModelProvider, body: Body): string[] {
  if (provider === 'anthropic')
    return (body.messages as Loose[])
      .flatMap(({ content }) => content)
      .filter(({ type }) => type === 'tool_use')
      .map(({ id }) => id)
  if (provider === 'openai')
    return (body.input as Loose[]).filter(({ type }) => type === 'function_call').map(({ call_id }) => call_id)
  if (provider === 'google')
    return (body.contents as Loose[])
      .flatMap(({ parts }) => parts)
      .filter(({ functionCall }) => functionCall)
      .map(({ functionCall }) => functionCall.name)
  return (body.messages as Loose[]).flatMap(({ tool_calls = [] }) => tool_calls).map(({ id }: Loose) => id)
}

function asText(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content)
}

/** A workspace that runs commands in the simplest way: a process group, a time limit, an output limit. */
export function commandsIn(folder: string, limits: { timeoutMs?: number; bytes?: number } = {}) {
  let running = 0
  const { timeoutMs: longest = 30_000, bytes: most = 1_000_000 } = limits
  const run: AgentWorkspace['run'] = (command, { signal, timeoutMs = longest }) => {
    const { promise, resolve } = Promise.withResolvers<CommandOutcome>()
    const child = spawn('sh', ['-c', command], { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    running++
    let ended: CommandOutcome['ended'] = 'exited'
    let output = ''
    const end = (why: CommandOutcome['ended']) => {
      if (ended === 'exited') ended = why
      try {
        process.kill(-child.pid!, 'SIGKILL')
      } catch {}
    }
    const timer = setTimeout(end, Math.min(timeoutMs, longest), 'timed-out')
    const stop = () => end('aborted')
    signal.addEventListener('abort', stop, { once: true })
    const take = (piece: Buffer) => {
      if (output.length < most) output += piece.toString('latin1')
      else end('too-much-output')
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    // Ends only when nobody holds its output open: everything it started has ended too.
    child.on('close', (code) => {
      running--
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      resolve({ exitCode: code ?? 137, output, ended })
    })
    return promise
  }
  return { run, running: () => running }
}
