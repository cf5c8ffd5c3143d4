/**
 * An agent that is a model behind an API, asked through the Vercel AI SDK. It talks; given a workspace, it works there
 * with a few tools of its own.
 */
import type {
  Agent,
  AgentFailure,
  AgentReply,
  AgentRequest,
  AgentWorkspace,
  AskKind,
  CallOptions,
} from '../../kernel/agent.ts'
import { estimateTokens, noUsage } from '../../kernel/ask/usage.ts'
import { type FailingAgent, failure, failureFrom, isSchemaRefused, missingKey } from './failure.ts'
import type { Pace } from './pace.ts'
import { type Price, priced } from './price.ts'
import { type ProviderSchema, providerSchema } from './provider-schema.ts'
import { type ModelProvider, providerFacts } from './providers.ts'
import { type Heard, usedBy } from './stream.ts'
import { talk } from './talk.ts'
import { defaultMaxSteps, finishSchema, type Worked, work } from './work.ts'

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
  /** Shared with all who ask the same provider; without it nobody slows down. */
  pace?: Pace
  /** How many answers, tool calls included, one question in a workspace may take. */
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
  /** Questions whose schema the provider did not take: from then on the prompt alone asks for the shape. */
  const askedPlainly = new Set<AskKind>()

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
        onUsage: (usage, goesOn) => given.onUsage?.(priced(usage, price), goesOn),
      }
      if (agent.apiKeyEnv && !agent.apiKey)
        return { ok: false, failure: missingKey(agent), partialText: '', usage: noUsage }
      const put = (structure: ProviderSchema | null): Promise<Worked> =>
        hasWorkspace(request)
          ? work(agent, request, options, maxSteps, structure)
          : talk(agent, request, options, structure)
      const structure = askedPlainly.has(request.kind) ? null : structureFor(agent, request)
      const heard = await put(structure)
      if (structure && heard.steps === 0 && isSchemaRefused(heard.error)) {
        askedPlainly.add(request.kind)
        return replyFrom(agent, price, request, await put(null), null, maxSteps)
      }
      return replyFrom(agent, price, request, heard, structure, maxSteps)
    },
    estimateUsage: (messages, reply) => priced(estimateTokens(messages, reply), price),
  }
}

function hasWorkspace(request: AgentRequest): request is AgentRequest & { workspace: AgentWorkspace } {
  return request.workspace !== undefined
}

function structureFor(agent: FailingAgent, { schema, workspace }: AgentRequest): ProviderSchema | null {
  if (!schema) return null
  return workspace ? finishSchema(agent, schema) : providerSchema(agent.provider, schema)
}

function replyFrom(
  agent: FailingAgent,
  price: Price | undefined,
  { messages, workspace }: AgentRequest,
  heard: Worked,
  structure: ProviderSchema | null,
  maxSteps: number,
): AgentReply {
  const usage = (reached: boolean) => priced(usedBy(heard, messages, reached), price)
  if (heard.reply !== undefined) return { ok: true, text: heard.reply, usage: usage(true) }
  const problem = problemWith(agent, heard, workspace ? maxSteps : null)
  if (problem)
    return { ok: false, failure: problem, partialText: heard.text, usage: usage(problem.reason === 'disconnect') }
  const text = structure && !workspace ? structure.restore(heard.text) : heard.text
  return { ok: true, text, usage: usage(true) }
}

/** Why what was heard is no reply. `maxSteps` is null where there were no tools. */
function problemWith(agent: FailingAgent, heard: Heard, maxSteps: number | null): AgentFailure | null {
  const saidSomething = heard.text !== '' || heard.calls.length > 0
  if (heard.error !== undefined) return failureFrom(heard.error, agent, saidSomething)
  const { reason, raw } = heard.finish ?? { reason: 'interrupted', raw: undefined }
  if (reason === 'content-filter') return failure(agent, 'refused', `would not answer (${raw ?? 'refusal'})`)
  if (reason === 'interrupted' || (raw === undefined && (reason === 'other' || reason === 'error')))
    return failure(agent, 'disconnect', 'broke off in the middle of its reply')
  if (reason === 'error') return failure(agent, 'malformed', `ended its reply with an error (${raw})`)
  if (maxSteps !== null && heard.calls.length > 0) return unfinished(agent, heard, reason, maxSteps)
  if (reason === 'tool-calls') return failure(agent, 'malformed', 'called a tool that it was not given')
  if (heard.text !== '') return null
  const why = reason === 'length' ? 'used all its output tokens before its first word' : 'sent an empty reply'
  return failure(agent, 'malformed', why)
}

/** Its last word was a tool call, and no more follows. */
function unfinished(agent: FailingAgent, { calls, steps }: Heard, reason: string, maxSteps: number): AgentFailure {
  const last = calls.at(-1)
  if (reason === 'length') return failure(agent, 'malformed', `used all its output tokens while calling ${last}`)
  // Another try would take as many steps and most probably end the same way.
  if (steps >= maxSteps)
    return failure(agent, 'malformed', `did not finish within ${maxSteps} steps; its last was ${last}`, false)
  return failure(agent, 'malformed', `stopped in the middle of its work (${reason}); its last step was ${last}`)
}
