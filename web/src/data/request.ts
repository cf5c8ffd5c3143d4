/** Calls the API of the server this page came from. Failures are `ApiError`s with a message for people. */
import {
  type ApiRoute,
  type CallArguments,
  type RequestParts,
  type ResponseOf,
  requestLine,
} from '../../../src/serve/call.ts'
import { takePrefetched } from './prefetch.ts'

export interface Problem {
  code: string
  message: string
  path?: string
  expected?: string
}

export class ApiError extends Error {
  readonly code: string
  readonly status: number
  readonly path?: string
  readonly expected?: string

  constructor(status: number, problem: Problem) {
    super(problem.message)
    this.name = 'ApiError'
    this.status = status
    this.code = problem.code
    this.path = problem.path
    this.expected = problem.expected
  }
}

/** Longer than an API response takes that asks no model. */
const patienceMs = 20_000

export function call<Route extends ApiRoute>(
  route: Route,
  ...[parts]: CallArguments<Route>
): Promise<ResponseOf<Route>> {
  return callWithin(patienceMs, route, parts ?? {})
}

/** For a response that takes longer. */
export async function callWithin<Route extends ApiRoute>(
  milliseconds: number,
  route: Route,
  parts: RequestParts,
): Promise<ResponseOf<Route>> {
  const response = await send(route, parts, milliseconds)
  const body = readJson(await response.text())
  if (response.ok && body !== undefined) return body as ResponseOf<Route>
  throw new ApiError(response.status, problemOf(body, response.status))
}

async function send(route: ApiRoute, parts: RequestParts, milliseconds: number): Promise<Response> {
  const { method, path } = requestLine(route, parts)
  const early = method === 'GET' ? takePrefetched(path) : undefined
  const signal = AbortSignal.timeout(milliseconds)
  const headers = { accept: 'application/json', ...(method === 'GET' ? {} : { 'content-type': 'application/json' }) }
  try {
    if (early) return await early
    return await fetch(path, {
      method,
      headers,
      signal,
      body: method === 'GET' ? null : JSON.stringify(parts.body ?? {}),
    })
  } catch {
    const message = signal.aborted ? 'The server is not responding.' : 'The server cannot be reached.'
    throw new ApiError(0, { code: 'unreachable', message })
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function problemOf(answer: unknown, status: number): Problem {
  const error = (answer as { error?: Partial<Problem> } | undefined)?.error
  if (typeof error?.message === 'string') return { code: 'unknown', ...error, message: error.message }
  return { code: 'unknown', message: `The server answered with status ${status}.` }
}
