/** Turns whatever a provider's SDK throws into an agent failure with a clear message. Removes the API key from it. */
import type { AgentFailure, FailureReason } from '../../kernel/agent.ts'
import { ReplyTooLarge } from '../../kernel/ask/reply-too-large.ts'
import { redactShapes } from '../../kernel/redaction/redact.ts'
import { isConfigurationFault, isOutOfCredit } from '../../rules/build/configuration-fault.ts'
import { ForeignRedirect } from './careful-fetch.ts'
import type { Pace } from './pace.ts'
import { type ModelProvider, providerFacts } from './providers.ts'
import { retryAfterMs } from './retry-after.ts'

export interface FailingAgent {
  name: string
  provider: ModelProvider
  model: string
  baseUrl?: string
  apiKey?: string
  /** The environment variable that should hold this agent's key. */
  apiKeyEnv?: string
  /** Shared by all agents of the same provider and key. */
  pace?: Pace
}

/** The response was not an event stream: a login page, a proxy's notice, a server that does not stream. */
export class NotAStream extends Error {
  constructor(contentType: string) {
    super(`the response is ${contentType}, not an event stream`)
    this.name = 'NotAStream'
  }
}

/** `partial`: part of the reply had arrived. */
export function failureFrom(error: unknown, agent: FailingAgent, partial: boolean, now = Date.now()): AgentFailure {
  const foreign = findCause(error, ForeignRedirect)
  if (foreign) return redirected(agent, foreign)
  const large = findCause(error, ReplyTooLarge)
  if (large) return { ...failure(agent, 'malformed', large.message, false), rule: 'TR5' }
  const details = inspect(error)
  if (details.status !== undefined && details.status >= 400) {
    const refused = byStatus(details.status, details, agent, now)
    const words = `${details.words} ${details.type ?? ''} ${details.body ?? ''}`
    return isConfigurationFault({ status: details.status, words }) ? { ...refused, configuration: true } : refused
  }
  if (/stream ended without/i.test(details.words))
    return failure(agent, 'disconnect', 'disconnected in the middle of its reply')
  if (details.names.some((name) => unreadable.has(name))) {
    return failure(agent, 'malformed', `sent a reply that cannot be parsed: ${details.words}`)
  }
  if (isInvalidRequest(details))
    return failure(agent, 'refused', `cannot be called with this request: ${details.words}`)
  if (details.code && waitCodes.has(details.code))
    return failure(agent, 'timeout', `did not answer in time (${details.code})`)
  if (details.code && cutCodes.has(details.code)) return failure(agent, 'disconnect', `disconnected (${details.code})`)
  if (partial || hasAnswered(details))
    return failure(agent, 'disconnect', `disconnected in the middle of its reply: ${details.words}`)
  const address = agent.baseUrl?.replace(/\/\/[^/@]*@/, '//') ?? providerFacts[agent.provider].title
  const unreached = failure(agent, 'unavailable', `cannot be reached at ${address}: ${details.code ?? details.words}`)
  return details.code || /fetch failed|cannot connect to/i.test(details.words)
    ? { ...unreached, unreached: true }
    : unreached
}

/** A key never follows a redirect to another origin (TR4); only a person can say whether the address is right. */
function redirected(agent: FailingAgent, { origin }: ForeignRedirect): AgentFailure {
  const what = `was redirected to ${origin}, and a key is not sent on to another address; if it is the right one, set agents.${agent.name}.base_url to it`
  return { ...failure(agent, 'refused', what), configuration: true, rule: 'TR4' }
}

function findCause<Kind extends Error>(
  error: unknown,
  kind: abstract new (...args: never[]) => Kind,
): Kind | undefined {
  return causes(error).find((cause) => cause instanceof kind) as Kind | undefined
}

export function missingKey(agent: FailingAgent): AgentFailure {
  const missing = failure(agent, 'refused', `has no API key: set the environment variable ${agent.apiKeyEnv}`)
  return { ...missing, configuration: true, lacks: 'login' }
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

/** A provider that does not accept our schema responds with 400; the same request without the schema may succeed. */
export function isSchemaRefused(error: unknown): boolean {
  const { status, words, body } = inspect(error)
  if (status !== 400 && status !== 422 && status !== 501) return false
  return schemaWords.test(`${words} ${body ?? ''}`)
}

const schemaWords =
  /schema|response[_ .]?(format|mime)|output[_ .]?(config|format)|text\.format|structured.?output|json.?(mode|object)|grammar/i

function byStatus(status: number, details: ErrorDetails, agent: FailingAgent, now: number): AgentFailure {
  const { title } = providerFacts[agent.provider]
  const suffix = details.words ? `: ${details.words}` : ''
  const wait = retryAfterMs(details.headers, details.body, now)
  const waiting = (made: AgentFailure) => (wait === undefined ? made : { ...made, retryAfterMs: wait })
  if (status === 401) {
    // The provider's message may quote the key or part of it, so leave it out.
    const fix = agent.apiKeyEnv
      ? `set ${agent.apiKeyEnv} to a valid key`
      : 'set api_key_env to the variable that holds a valid one'
    const refused = failure(agent, 'refused', `was refused by ${title} (401): the API key is not valid; ${fix}`)
    return { ...refused, lacks: 'login' }
  }
  if (status === 403) {
    const key = agent.apiKeyEnv ? `the API key in ${agent.apiKeyEnv}` : 'this agent'
    return failure(agent, 'refused', `was refused by ${title} (403): ${key} may not do this${suffix}`)
  }
  if (status === 404) {
    const fix = `check agents.${agent.name}.model and base_url in convene.yaml`
    return failure(agent, 'refused', `was refused by ${title} (404)${suffix}; ${fix}`)
  }
  if (status === 402 || isOutOfCredit(`${details.words} ${details.body ?? ''} ${details.type ?? ''}`)) {
    return failure(agent, 'rate-limited', `has no credit left at ${title} (${status})${suffix}`, false)
  }
  if (status === 429) return waiting(failure(agent, 'rate-limited', `was rate-limited by ${title} (429)${suffix}`))
  if (status === 408) return waiting(failure(agent, 'timeout', `timed out at ${title} (408)${suffix}`))
  if (status === 409 || status === 425 || status >= 500) {
    return waiting(failure(agent, 'unavailable', `failed because ${title} is unavailable (${status})${suffix}`))
  }
  return failure(agent, 'refused', `was refused by ${title} (${status})${suffix}`)
}

const waitCodes = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])
const cutCodes = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])
const unreadable = new Set(['AI_JSONParseError', 'AI_TypeValidationError', 'AI_InvalidResponseDataError', 'NotAStream'])
const requestErrors = new Set(['AI_InvalidPromptError', 'AI_UnsupportedFunctionalityError', 'AI_InvalidArgumentError'])

function isInvalidRequest({ names, words }: ErrorDetails): boolean {
  return requestErrors.has(names[0]!) || /header value|ByteString|Invalid URL|parse URL/i.test(words)
}

/** The response had started; reading it failed. */
function hasAnswered({ status, names }: ErrorDetails): boolean {
  return status !== undefined || names[0] === 'AI_NoOutputGeneratedError'
}

/** The useful parts of a thrown value, whatever its class. */
interface ErrorDetails {
  words: string
  /** The names of the error and its causes, outermost first. */
  names: string[]
  status?: number
  /** The network error code, such as `ECONNREFUSED`. */
  code?: string
  /** The provider's own type or code for the error. */
  type?: string
  headers?: Record<string, string>
  body?: string
}

function inspect(error: unknown): ErrorDetails {
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
