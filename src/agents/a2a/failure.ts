/** Turns whatever goes wrong with a remote agent into an agent failure with a clear message. */
import type { AgentFailure, FailureReason } from '../../kernel/agent.ts'
import { ReplyTooLarge } from '../../kernel/ask/reply-too-large.ts'
import { ForeignRedirect } from '../models/careful-fetch.ts'
import { HttpError, NoUsableCard } from './connect-remote.ts'
import { BrokenOff, TaskEnded } from './remote-task.ts'

interface FailingRemote {
  name: string
  url: string
  apiKeyEnv?: string
}

/** `isAccepted`: the agent has the task. `partial`: part of the reply had arrived. */
export function failureFrom(
  thrown: unknown,
  agent: FailingRemote,
  { isAccepted, partial }: { isAccepted: boolean; partial: boolean },
): AgentFailure {
  const known = causes(thrown)
  const find = <Kind extends Error>(kind: abstract new (...args: never[]) => Kind) =>
    known.find((error): error is Kind => error instanceof kind)
  const ended = find(TaskEnded)
  if (ended) return fromTask(agent, ended)
  if (find(BrokenOff)) return failure(agent, 'disconnect', 'broke off in the middle of its reply')
  const card = find(NoUsableCard)
  if (card) return { ...failure(agent, 'unavailable', `cannot be used: ${card.message}`, false), configuration: true }
  const redirect = find(ForeignRedirect)
  if (redirect) {
    const what = `was redirected to ${redirect.origin}; if it is the right one, set agents.${agent.name}.url to it`
    return { ...failure(agent, 'refused', what, false), configuration: true, rule: 'TR4' }
  }
  const large = find(ReplyTooLarge)
  if (large) return { ...failure(agent, 'malformed', large.message, false), rule: 'TR5' }
  const http = find(HttpError)
  if (http) return fromStatus(agent, http)
  const code = known.map((error) => (error as NodeJS.ErrnoException).code).find((each) => typeof each === 'string')
  const words = known[0]?.message ?? String(thrown)
  if (code !== undefined && /TIMEOUT|TIMEDOUT/.test(code))
    return failure(agent, 'timeout', `did not answer in time (${code})`)
  if (partial || code === 'ECONNRESET' || code === 'UND_ERR_SOCKET')
    return failure(agent, 'disconnect', `disconnected in the middle of its reply (${code ?? words})`)
  if (code !== undefined || known.some((error) => error.message === 'fetch failed'))
    return {
      ...failure(agent, 'unavailable', `cannot be reached at ${agent.url}: ${code ?? words}`),
      // A task that it has accepted goes on without us.
      ...(isAccepted ? {} : { unreached: true }),
    }
  // It was reached and answered, but not with what the protocol asks for.
  return failure(agent, 'malformed', `answered with a protocol error: ${words}`)
}

function fromTask(agent: FailingRemote, { state, message }: TaskEnded): AgentFailure {
  const why = message === '' ? '' : `: ${message}`
  switch (state) {
    case 'rejected':
      return failure(agent, 'refused', `rejected the task${why}`, false)
    case 'auth-required':
      return { ...failure(agent, 'refused', `wants to be authorised${why}`, false), configuration: true }
    case 'canceled':
      return failure(agent, 'disconnect', `cancelled the task${why}`)
    default:
      return failure(agent, 'unavailable', `failed at the task${why}`)
  }
}

function fromStatus(agent: FailingRemote, { status, message, retryAfterMs }: HttpError): AgentFailure {
  const said = message === '' ? '' : `: ${message}`
  const key =
    agent.apiKeyEnv === undefined
      ? `set agents.${agent.name}.api_key_env to the variable that holds its token`
      : `check the variable ${agent.apiKeyEnv}`
  if (status === 401 || status === 403)
    return {
      ...failure(agent, 'refused', `refused the token (${status}); ${key}`, false),
      configuration: true,
      lacks: 'login',
    }
  if (status === 404)
    return { ...failure(agent, 'refused', `has no endpoint at ${agent.url} (404)`, false), configuration: true }
  if (status === 429)
    return {
      ...failure(agent, 'rate-limited', `is rate-limited${said}`),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    }
  if (status === 408 || status === 504) return failure(agent, 'timeout', `did not answer in time (${status})`)
  if (status >= 500) return failure(agent, 'unavailable', `is not available (${status})${said}`)
  return failure(agent, 'refused', `refused the request (${status})${said}`, false)
}

function failure(
  { name }: FailingRemote,
  reason: FailureReason,
  what: string,
  retryable = reason !== 'refused',
): AgentFailure {
  return { reason, message: `agent "${name}" ${what}`, retryable }
}

/** The error and what caused it, outermost first. */
function causes(thrown: unknown): Error[] {
  const found: Error[] = []
  for (let error = thrown; error instanceof Error && found.length < 10; error = error.cause) found.push(error)
  return found
}
