/**
 * An agent that calls a model's API through the Vercel AI SDK. With a workspace or a source it has tools; otherwise it
 * replies in text.
 */
import type { Agent, AgentFailure, AgentReply, AgentRequest, AskKind, CallOptions } from '../../kernel/agent.ts'
import { estimateTokens, noUsage } from '../../kernel/ask/usage.ts'
import { type FailingAgent, failure, failureFrom, isSchemaRefused, missingKey } from './failure.ts'
import type { Pace } from './pace.ts'
import { type Price, priced } from './price.ts'
import { type ProviderSchema, providerSchema } from './provider-schema.ts'
import { type ModelProvider, providerFacts } from './providers.ts'
import { type ModelResponse, usageOf } from './stream.ts'
import { talk } from './talk.ts'
import { sourceTools, type Toolbox, workspaceTools } from './toolboxes.ts'
import { defaultMaxSteps, finishSchema, type WorkResponse, work } from './work.ts'

export interface ModelAgentSettings {
  name: string
  provider: ModelProvider
  model: string
  /** The base URL for the provider's SDK, including the version path. */
  baseUrl?: string
  apiKey?: string
  /** The environment variable that should hold the key, for error messages. */
  apiKeyEnv?: string
  /** Without it, costs are reported as unknown. */
  price?: Price
  retries?: number
  /** Shared by all agents of the same provider and key; without it, rate-limited calls fail. */
  pace?: Pace
  /** How many model replies, tool calls included, one ask in a workspace may take. */
  maxSteps?: number
}

export function createModelAgent(settings: ModelAgentSettings): Agent {
  const { name, provider, model, price, maxSteps = defaultMaxSteps } = settings
  const facts = providerFacts[provider]
  const agent: FailingAgent = {
    name,
    provider,
    model,
    baseUrl: settings.baseUrl,
    apiKey: settings.apiKey?.trim() || undefined,
    apiKeyEnv: settings.apiKeyEnv ?? facts.keyVariables[0],
    pace: settings.pace,
  }
  /** Kinds of ask whose schema the provider refused: from then on only the prompt describes the reply's shape. */
  const refusedSchemas = new Set<AskKind>()

  return {
    name,
    provider,
    model,
    rehearsal: false,
    retries: settings.retries,
    async call(request, given) {
      given.signal.throwIfAborted()
      const options: CallOptions = {
        ...given,
        onUsage: (usage, continues) => given.onUsage?.(priced(usage, price), continues),
      }
      if (agent.apiKeyEnv && !agent.apiKey)
        return { ok: false, failure: missingKey(agent), partialText: '', usage: noUsage }
      const toolbox = toolboxFor(request, maxSteps)
      const send = (structure: ProviderSchema | null): Promise<WorkResponse> =>
        toolbox ? work(agent, request, options, toolbox, structure) : talk(agent, request, options, structure)
      const structure = refusedSchemas.has(request.kind) ? null : structureFor(agent, request)
      const response = await send(structure)
      if (structure && response.steps === 0 && isSchemaRefused(response.error)) {
        refusedSchemas.add(request.kind)
        return replyFrom(agent, price, request, await send(null), null, toolbox)
      }
      return replyFrom(agent, price, request, response, structure, toolbox)
    },
    estimateUsage: (messages, reply) => priced(estimateTokens(messages, reply), price),
  }
}

function toolboxFor({ workspace, source }: AgentRequest, maxSteps: number): Toolbox | null {
  if (workspace) return workspaceTools(workspace, maxSteps)
  return source ? sourceTools(source) : null
}

function structureFor(agent: FailingAgent, { schema, workspace, source }: AgentRequest): ProviderSchema | null {
  if (!schema) return null
  return workspace || source ? finishSchema(agent, schema) : providerSchema(agent.provider, schema)
}

function replyFrom(
  agent: FailingAgent,
  price: Price | undefined,
  { kind, messages, schema }: AgentRequest,
  response: WorkResponse,
  structure: ProviderSchema | null,
  toolbox: Toolbox | null,
): AgentReply {
  const usage = (reached: boolean) => priced(usageOf(response, messages, reached), price)
  if (response.reply !== undefined) return { ok: true, text: response.reply, usage: usage(true) }
  const unoffered = toolbox || !schema ? null : unofferedCall(response)
  if (unoffered) return { ok: true, ...unoffered, usage: usage(true) }
  const problem = problemWith(agent, response, toolbox?.maxSteps ?? null)
  // People see an answer as it streams, so the answer is all of it; of another reply, only the last message counts.
  const said = kind === 'answer' ? response.allText : response.text
  // After a step, files may have changed.
  if (response.steps > 0) delete problem?.unreached
  if (problem) return { ok: false, failure: problem, partialText: said, usage: usage(problem.reason === 'disconnect') }
  const text = structure && !toolbox ? structure.restore(said) : said
  return { ok: true, text, usage: usage(true) }
}

/** AS1: where no tool is offered, the arguments of a call may be the reply. */
function unofferedCall({ error, finish, text, calls, inputs }: ModelResponse) {
  const { reason, raw } = finish ?? {}
  // Some endpoints give a reason that the SDK does not know.
  const isWhole = reason === 'tool-calls' || reason === 'stop' || (reason === 'other' && raw !== undefined)
  const calledTool = calls.at(-1)
  if (error !== undefined || !isWhole || calledTool === undefined) return null
  return { calledTool, text: [text, ...Object.values(inputs)].filter((part) => part.trim() !== '').join('\n') }
}

/** Why the response is not a valid reply, or null. `maxSteps` is null if there were no tools. */
function problemWith(agent: FailingAgent, response: ModelResponse, maxSteps: number | null): AgentFailure | null {
  const saidSomething = response.text !== '' || response.calls.length > 0
  if (response.error !== undefined) return failureFrom(response.error, agent, saidSomething)
  const { reason, raw } = response.finish ?? { reason: 'interrupted', raw: undefined }
  if (reason === 'content-filter') return failure(agent, 'refused', `refused to answer (${raw ?? 'refusal'})`)
  if (reason === 'interrupted' || (raw === undefined && (reason === 'other' || reason === 'error')))
    return failure(agent, 'disconnect', 'disconnected in the middle of its reply')
  if (reason === 'error') return failure(agent, 'malformed', `ended its reply with an error (${raw})`)
  if (maxSteps !== null && response.calls.length > 0) return unfinishedWork(agent, response, reason, maxSteps)
  if (reason === 'tool-calls') return failure(agent, 'malformed', 'called a tool that does not exist')
  if (response.text !== '') return null
  const why = reason === 'length' ? 'used all its output tokens before its first text' : 'sent an empty reply'
  return failure(agent, 'malformed', why)
}

/** The last step called a tool, and no further step follows. */
function unfinishedWork(
  agent: FailingAgent,
  { calls, steps }: ModelResponse,
  reason: string,
  maxSteps: number,
): AgentFailure {
  const last = calls.at(-1)
  if (reason === 'length') return failure(agent, 'malformed', `used all its output tokens while calling ${last}`)
  // A retry would take as many steps and most probably end the same way.
  if (steps >= maxSteps)
    return failure(agent, 'malformed', `did not finish within ${maxSteps} steps; its last was ${last}`, false)
  return failure(agent, 'malformed', `stopped in the middle of its work (${reason}); its last step was ${last}`)
}
