/** Says in our words what a provider did wrong. Whatever its SDK throws ends here, and so does the key. */
import type { AgentFailure, FailureReason } from '../../kernel/agent.ts'
import { redactShapes } from '../../kernel/redaction/redact.ts'
import type { Pace } from './pace.ts'
import { type ModelProvider, providerFacts } from './providers.ts'
import { retryAfterMs } from './retry-after.ts'

export interface FailingAgent {
  name: string
  provider: ModelProvider
  model: string
  baseUrl?: string
  apiKey?: string
  /** The variable a person sets to give this agent a key. */
  apiKeyEnv?: string
  /** Shared with all who ask the same provider. */
  pace?: Pace
}

/** The answer was no event stream: a login page, a proxy's notice, a server that does not stream. */
export class NotAStream extends Error {
  constructor(contentType: string) {
    super(`the answer is ${contentType}, not a stream of events`)
    this.name = 'NotAStream'
  }
}

/** `heard`: part of the reply had arrived. */
export function failureFrom(error: unknown, agent: FailingAgent, heard: boolean, now = Date.now()): AgentFailure {
  const seen = look(error)
  if (seen.status !== undefined && seen.status >= 400) return byStatus(seen.status, seen, agent, now)
  if (/stream ended without/i.test(seen.words))
    return failure(agent, 'disconnect', 'broke off in the middle of its reply')
  if (seen.names.some((name) => unreadable.has(name))) {
    return failure(agent, 'malformed', `sent something that cannot be read: ${seen.words}`)
  }
  if (isOurMistake(seen)) return failure(agent, 'refused', `cannot be asked this: ${seen.words}`)
  if (seen.code && waitCodes.has(seen.code)) return failure(agent, 'timeout', `did not answer in time (${seen.code})`)
  if (seen.code && cutCodes.has(seen.code)) return failure(agent, 'disconnect', `broke off (${seen.code})`)
  if (heard || hasAnswered(seen)) return failure(agent, 'disconnect', `broke off in the middle: ${seen.words}`)
  const place = agent.baseUrl?.replace(/\/\/[^/@]*@/, '//') ?? providerFacts[agent.provider].title
  return failure(agent, 'unavailable', `cannot be reached at ${place}: ${seen.code ?? seen.words}`)
}

export function missingKey(agent: FailingAgent): AgentFailure {
  return failure(agent, 'refused', `has no API key: set the environment variable ${agent.apiKeyEnv}`)
}

export function failure(
  agent: FailingAgent,
  reason: FailureReason,
  what: string,
  retryable = reason !== 'refused',
): AgentFailure {
  const message = `agent "${agent.name}" (${agent.model}) ${what}`
  const safe = agent.apiKey ? message.replaceAll(agent.apiKey, '[key]') : message
  return { reason, message: redactShapes(safe), retryable }
}

/** A provider that cannot take our schema says so with a 400; the same question without it is worth asking. */
export function isSchemaRefused(error: unknown): boolean {
  const { status, words, body } = look(error)
  if (status !== 400 && status !== 422 && status !== 501) return false
  return schemaWords.test(`${words} ${body ?? ''}`)
}

const schemaWords =
  /schema|response[_ .]?(format|mime)|output[_ .]?(config|format)|text\.format|structured.?output|json.?(mode|object)|grammar/i

function byStatus(status: number, seen: Seen, agent: FailingAgent, now: number): AgentFailure {
  const { title } = providerFacts[agent.provider]
  const said = seen.words ? `: ${seen.words}` : ''
  const wait = retryAfterMs(seen.headers, seen.body, now)
  const waiting = (made: AgentFailure) => (wait === undefined ? made : { ...made, retryAfterMs: wait })
  if (status === 401) {
    // What the provider says here may quote the key, or a part of it.
    const fix = agent.apiKeyEnv
      ? `set ${agent.apiKeyEnv} to one that is`
      : 'name the variable that holds one: api_key_env'
    return failure(agent, 'refused', `was refused by ${title} (401): the API key is not valid; ${fix}`)
  }
  if (status === 403) {
    const key = agent.apiKeyEnv ? `the API key in ${agent.apiKeyEnv}` : 'this agent'
    return failure(agent, 'refused', `was refused by ${title} (403): ${key} may not do this${said}`)
  }
  if (status === 402 || isOutOfCredit(`${seen.words} ${seen.body ?? ''} ${seen.type ?? ''}`)) {
    return failure(agent, 'rate-limited', `has no credit left at ${title} (${status})${said}`, false)
  }
  if (status === 429) return waiting(failure(agent, 'rate-limited', `was told to slow down by ${title} (429)${said}`))
  if (status === 408) return waiting(failure(agent, 'timeout', `was not answered in time by ${title} (408)${said}`))
  if (status === 409 || status === 425 || status >= 500) {
    return waiting(failure(agent, 'unavailable', `found ${title} unavailable (${status})${said}`))
  }
  return failure(agent, 'refused', `was refused by ${title} (${status})${said}`)
}

/** OpenAI answers 429 both for "too fast" and for "no money left"; only the first passes by itself. */
export function isOutOfCredit(said: string): boolean {
  return /insufficient_quota|credit balance is too low|billing_hard_limit/i.test(said)
}

const waitCodes = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])
const cutCodes = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])
const unreadable = new Set(['AI_JSONParseError', 'AI_TypeValidationError', 'AI_InvalidResponseDataError', 'NotAStream'])
const ours = new Set(['AI_InvalidPromptError', 'AI_UnsupportedFunctionalityError', 'AI_InvalidArgumentError'])

function isOurMistake({ names, words }: Seen): boolean {
  return ours.has(names[0]!) || /header value|ByteString|Invalid URL|parse URL/i.test(words)
}

/** The response had begun: what failed was the reading of it. */
function hasAnswered({ status, names }: Seen): boolean {
  return status !== undefined || names[0] === 'AI_NoOutputGeneratedError'
}

/** The parts of a thrown value that say something, whatever class it has. */
interface Seen {
  words: string
  /** Of the error and its causes, outermost first. */
  names: string[]
  status?: number
  /** Of the network: `ECONNREFUSED` and its like. */
  code?: string
  /** The provider's own word for the kind of error. */
  type?: string
  headers?: Record<string, string>
  body?: string
}

function look(error: unknown): Seen {
  const chain = causes(error)
  const [outer = {}] = chain
  const text = typeof error === 'string' ? error : String(outer.message ?? '')
  const code = chain.map((cause) => String(cause.code ?? '')).find((value) => /^(E|UND_ERR_|ERR_)[A-Z_]+$/.test(value))
  return {
    words: text.length > 500 ? `${text.slice(0, 500)}…` : text,
    names: chain.map((cause) => String(cause.name ?? '')),
    code,
    ...(typeof outer.statusCode === 'number' ? { status: outer.statusCode } : {}),
    ...(outer.type || outer.code ? { type: String(outer.type ?? outer.code) } : {}),
    ...(isRecord(outer.responseHeaders) ? { headers: outer.responseHeaders as Record<string, string> } : {}),
    ...(typeof outer.responseBody === 'string' ? { body: outer.responseBody } : {}),
  }
}

function causes(error: unknown): Record<string, unknown>[] {
  const chain: Record<string, unknown>[] = []
  let next = error
  while (isRecord(next) && chain.length < 8) {
    chain.push(next)
    next = next.cause
  }
  return chain
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
