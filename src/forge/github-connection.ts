/** Configures Octokit: throttling, one retry, a timeout, and no console output. */
import { retry } from '@octokit/plugin-retry'
import { throttling } from '@octokit/plugin-throttling'
import { Octokit } from '@octokit/rest'
import { RequestStopped } from './github-failure.ts'

export interface ConnectionSettings {
  apiUrl: string
  token: string
  /** For one request, including its answer. */
  timeoutMs: number
  /** The wait before the one retry. */
  retryWaitMs: number
  /** Aborts running requests. */
  signal?: AbortSignal
}

/** The plugins add no methods that are used here. */
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
    // GitHub asks for a second between writes, and accepts three between comments. A local forge needs neither.
    throttle: { enabled: !isLoopback(apiUrl), onRateLimit: leaveIt, onSecondaryRateLimit: leaveIt },
    retry: { retries: 1, retryAfterBaseValue: retryWaitMs, doNotRetry: clientErrors },
  })
}

/** Not retried by the plugin. 429 is among them: the outbox waits for it. */
const clientErrors = Array.from({ length: 100 }, (_, index) => 400 + index)

/** For a request that must not be repeated blindly: after a lost answer, the caller first looks for its effect. */
export const once = { request: { retries: 0 } } as const

/**
 * Octokit treats an answer that breaks off as empty, and so as success. This reads it to its end
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

  /** The retry plugin cannot handle the AbortError that Octokit passes on. */
  function settle(error: unknown): never {
    throw stop?.aborted ? new RequestStopped() : error
  }
}

/** The outbox schedules retries, without holding up a command. */
function leaveIt(): boolean {
  return false
}

function isLoopback(address: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(address).hostname)
}

function silent(): void {}
