/** How GitHub is called: politely paced, with few retries of its own, a time limit, and nothing on the console. */
import { retry } from '@octokit/plugin-retry'
import { throttling } from '@octokit/plugin-throttling'
import { Octokit } from '@octokit/rest'
import { RequestStopped } from './github-failure.ts'

export interface ConnectionSettings {
  apiUrl: string
  token: string
  /** For one request, its answer included. */
  timeoutMs: number
  /** The wait before the one retry. */
  retryWaitMs: number
  /** Ends what is under way. */
  signal?: AbortSignal
}

/** Named for what it is used as: the plugins add no calls of their own. */
const PoliteOctokit: typeof Octokit = Octokit.plugin(throttling, retry)

export type Connection = Octokit

export function connect({ apiUrl, token, timeoutMs, retryWaitMs, signal }: ConnectionSettings): Connection {
  const log = { debug: silent, info: silent, warn: silent, error: silent }
  const request = { fetch: wholeAnswers(timeoutMs, signal), log }
  return new PoliteOctokit({
    auth: token,
    baseUrl: apiUrl,
    userAgent: 'convene',
    log,
    request,
    // GitHub asks for a second between writes and takes three between comments well. A forge on this machine does not.
    throttle: { enabled: !isLoopback(apiUrl), onRateLimit: leaveIt, onSecondaryRateLimit: leaveIt },
    retry: { retries: 1, retryAfterBaseValue: retryWaitMs, doNotRetry: clientErrors },
  })
}

/** The plugin's own list leaves some out: 429 among them, for which the wait is the outbox's to keep. */
const clientErrors = Array.from({ length: 100 }, (_, index) => 400 + index)

/** For a request that must not be sent twice: after a lost answer, what it did has to be looked for first. */
export const once = { request: { retries: 0 } } as const

/**
 * Octokit takes an answer that breaks off in the middle for an empty one, and so for success. Here it is read to its end
 * first, under the same time limit.
 */
function wholeAnswers(timeoutMs: number, stop: AbortSignal | undefined): typeof fetch {
  return async (input, init) => {
    if (stop?.aborted) throw new RequestStopped()
    const limit = AbortSignal.timeout(timeoutMs)
    const answer = await fetch(input, { ...init, signal: stop ? AbortSignal.any([limit, stop]) : limit }).catch(settle)
    const body = await answer.arrayBuffer().catch(settle)
    const { status, statusText, headers } = answer
    return new Response(body.byteLength === 0 ? null : body, { status, statusText, headers })
  }

  /** The retry plugin trips over an AbortError, which Octokit passes on bare. */
  function settle(error: unknown): never {
    throw stop?.aborted ? new RequestStopped() : error
  }
}

/** The outbox knows better when to come back: it does not hold up a command meanwhile. */
function leaveIt(): boolean {
  return false
}

function isLoopback(address: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(address).hostname)
}

function silent(): void {}
