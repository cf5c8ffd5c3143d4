/** Compares every response of a server with the API table: a status or a field that the table lacks fails the test. */
import { isDeepStrictEqual } from 'node:util'
import type { MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import { errorResponse } from '../../src/serve/api/shared.ts'
import { errorsOf, type ListedRoute, listedRoutes } from '../../src/serve/openapi.ts'

/** `report` gets a sentence for each response that differs from the table. */
export function checkResponses(report: (problem: string) => void): MiddlewareHandler {
  return async (context, next) => {
    await next()
    const paths = matchedRoutes(context).map(({ path }) => path)
    const route = listedRoutes.find(({ method, path }) => method === context.req.method && paths.includes(path))
    if (!route) return
    const { status, headers } = context.res
    const isJson = headers.get('content-type')?.startsWith('application/json')
    const problem = problemWith(route, status, isJson ? await context.res.clone().json() : undefined)
    if (problem) report(`${route.method} ${route.path} answered ${status}: ${problem}`)
  }
}

function problemWith(route: ListedRoute, status: number, body: unknown): string | null {
  const succeeded = status === (route.status ?? 200)
  if (!succeeded && !errorsOf(route).some((each) => each === status)) return 'a status that the table lacks'
  if (body === undefined) return succeeded && route.media ? null : 'no JSON'
  const schema = succeeded ? route.response : errorResponse
  if (!schema) return 'JSON, which the table lacks'
  const parsed = schema.safeParse(body)
  if (!parsed.success) return parsed.error.message
  // Parsing strips the fields that a schema does not name.
  return isDeepStrictEqual(parsed.data, body) ? null : `fields that the table lacks in ${JSON.stringify(body)}`
}
