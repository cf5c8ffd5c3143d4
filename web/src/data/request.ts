/** Calls the API of the server this page came from. Failures are `ApiError`s with a message for people. */
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

/** Longer than any API response takes. */
const patienceMs = 20_000

export async function request<Answer>(path: string, body?: unknown): Promise<Answer> {
  const response = await send(path, body)
  const text = await response.text()
  const answer = readJson(text)
  if (response.ok && answer !== undefined) return answer as Answer
  throw new ApiError(response.status, problemOf(answer, response.status))
}

async function send(path: string, body: unknown): Promise<Response> {
  const early = body === undefined ? takePrefetched(path) : undefined
  const signal = AbortSignal.timeout(patienceMs)
  const headers = { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
  const method = body === undefined ? 'GET' : 'POST'
  try {
    if (early) return await early
    return await fetch(`/api${path}`, {
      method,
      headers,
      signal,
      body: body === undefined ? null : JSON.stringify(body),
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
