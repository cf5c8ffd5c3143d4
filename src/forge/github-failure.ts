/** Translates GitHub errors: what failed, and whether a retry can help. Never lets the token through. */
import { ForgeFailed, type ForgeFailure } from './forge.ts'

export interface FailingPlace {
  repo: string
  /** The API's address, without credentials. */
  host: string
  /** The environment variable that holds the token. */
  tokenName: string
  redactText: (text: string) => string
  now: () => number
}

/** A request that Convene aborted because it is shutting down. Octokit passes it on as the `cause` of its own error. */
export class RequestStopped extends Error {
  constructor() {
    super('Convene is shutting down')
    this.name = 'RequestStopped'
  }
}

/** `doing` completes "cannot …". */
export function failureFrom(error: unknown, doing: string, place: FailingPlace): ForgeFailed {
  if (error instanceof ForgeFailed) return error
  const seen = look(error)
  const { code, says, retryable } = seen.status === undefined ? unreachable(seen, place) : byStatus(seen, place)
  const retryAfterMs = retryable ? waitAskedFor(seen, code, place.now()) : undefined
  return new ForgeFailed(code, place.redactText(`Cannot ${doing}: ${says}`), { retryable, retryAfterMs })
}

interface Seen {
  /** Absent if there was no answer. */
  status?: number
  headers: Record<string, string | number | undefined>
  words: string
  /** A network error code, such as ECONNRESET. */
  cause: string
}

interface Finding {
  code: ForgeFailure
  says: string
  retryable: boolean
}

function byStatus(seen: Seen, { repo, host, tokenName }: FailingPlace): Finding {
  const said = seen.words ? ` (${host} says: ${seen.words})` : ''
  const final = (code: ForgeFailure, says: string): Finding => ({ code, says: `${says}${said}`, retryable: false })
  const passing = (code: ForgeFailure, says: string): Finding => ({ code, says: `${says}${said}`, retryable: true })
  const status = seen.status!

  if (isRateLimit(seen)) return passing('forge_rate_limited', 'rate limit reached')
  if (status === 401) {
    const advice = `make a new one that may write issues of ${repo}, set ${tokenName}, and start again`
    return final('forge_unauthorized', `the token in ${tokenName} is wrong, expired or revoked: ${advice}`)
  }
  if (status === 403) {
    const advice = 'give it write access to issues (and to pull requests where those are opened)'
    return final('forge_forbidden', `the token in ${tokenName} may not do this in ${repo}: ${advice}`)
  }
  if (status === 404) {
    const advice = `check forge.github.repo, the issue's github number, and that the token in ${tokenName} may see them`
    return final('forge_not_found', `${repo} does not have it: ${advice}`)
  }
  if (status === 410) {
    const advice = "switch them on in its settings, or remove the issue's github number"
    return final('forge_not_found', `it was deleted, or issues are switched off in ${repo}: ${advice}`)
  }
  if (status === 422) return final('forge_refused', 'GitHub rejects it; correct what its message names')
  if (status === 408 || status === 409 || status >= 500)
    return passing('forge_unavailable', `${host} answered ${status}`)
  return final('forge_refused', `${host} answered ${status}; is forge.github.api_url the address of its API?`)
}

function unreachable({ cause }: Seen, { host }: FailingPlace): Finding {
  const says = `${host} cannot be reached (${cause})`
  return { code: 'forge_unreachable', says, retryable: true }
}

/** GitHub answers 403 both for rate limits and for missing permission. */
function isRateLimit({ status, headers, words }: Seen): boolean {
  if (status === 429) return true
  if (status !== 403) return false
  return headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0' || limitWords.test(words)
}

const limitWords = /rate limit|abuse detection/i

/** `retry-after` (seconds or a date), else the rate limit's reset, else the minute GitHub recommends. */
function waitAskedFor({ headers }: Seen, code: ForgeFailure, now: number): number | undefined {
  const header = String(headers['retry-after'] ?? '').trim()
  if (/^\d+(\.\d+)?$/.test(header)) return Math.ceil(Number(header) * 1000)
  const date = /[a-z]/i.test(header) ? Date.parse(header) : Number.NaN
  if (!Number.isNaN(date)) return Math.max(0, date - now)
  if (code !== 'forge_rate_limited') return undefined
  const reset = Number(headers['x-ratelimit-reset'])
  if (headers['x-ratelimit-remaining'] === '0' && reset > 0) return Math.max(0, reset * 1000 - now) + 1000
  return 60_000
}

function look(error: unknown): Seen {
  const { status, response, message } = (error ?? {}) as {
    status?: number
    response?: { headers?: Seen['headers'] }
    message?: string
  }
  // Octokit reports a request without an answer as status 500.
  if (!response) return { headers: {}, words: '', cause: causeOf(error) }
  const words = (message ?? '').replace(/[\s\p{Cc}]+/gu, ' ').trim()
  return { status, headers: response.headers ?? {}, words: words.slice(0, 300), cause: '' }
}

/** Only codes and names: the message of a network error may contain an address with a password. */
function causeOf(error: unknown, depth = 0): string {
  const { code, name, cause } = (error ?? {}) as Partial<NodeJS.ErrnoException> & { cause?: unknown }
  if (typeof code === 'string') return code
  if (name === 'TimeoutError') return 'no answer in time'
  if (error instanceof RequestStopped) return 'stopped'
  return cause !== undefined && depth < 5 ? causeOf(cause, depth + 1) : 'no answer'
}
