/**
 * What a client needs to call the API: the types of each route's request and response, and its method and path. Imports
 * the table's types alone, so that a client loads no schema. Browser-safe.
 */
import type { z } from 'zod'
import type { Delta } from '../kernel/ask/deltas.ts'
import type { StoredEvent } from '../kernel/events.ts'
import type { JsonResponse, PathParameter } from './api/route.ts'
import type { Api } from './api.ts'

export type ApiRoute = keyof Api
export type ResponseOf<Route extends ApiRoute> = JsonResponse<Api[Route]>
export type BodyOf<Route extends ApiRoute> = Api[Route] extends { body: infer Schema extends z.ZodType }
  ? z.input<Schema>
  : never
export type QueryOf<Route extends ApiRoute> = Api[Route] extends { query: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : never

type Parts<Route extends ApiRoute> = ([PathParameter<Route>] extends [never]
  ? unknown
  : { params: Record<PathParameter<Route>, string> }) &
  ([QueryOf<Route>] extends [never] ? unknown : Field<'query', QueryOf<Route>>) &
  ([BodyOf<Route>] extends [never] ? unknown : Field<'body', BodyOf<Route>>)

/** Optional if none of its own fields is required. */
type Field<Name extends string, Value> =
  Record<never, never> extends Value ? { [Key in Name]?: Value } : { [Key in Name]: Value }

/** The arguments after the route; optional if the route requires none. */
export type CallArguments<Route extends ApiRoute> =
  Record<never, never> extends Parts<Route> ? [parts?: Parts<Route>] : [parts: Parts<Route>]

export type Happening = { event: StoredEvent } | { delta: Delta }

/** A connection to the owner of a project. */
export interface ApiClient {
  /** Repeats the request if the owner goes away: use it only for idempotent requests. */
  call<Route extends ApiRoute>(route: Route, ...parts: CallArguments<Route>): Promise<ResponseOf<Route>>
  /** Yields everything after `after`, as it happens, until `signal` aborts. */
  follow(query: QueryOf<'GET /api/events'>, after: number, signal: AbortSignal): AsyncGenerator<Happening>
}

export interface RequestParts {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
}

/** Fills in the path and the query; leaves out query fields without a value. */
export function requestLine(
  route: ApiRoute,
  { params = {}, query = {} }: RequestParts,
): { method: 'GET' | 'POST'; path: string } {
  const [method, template] = route.split(' ') as ['GET' | 'POST', string]
  const path = template.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name]!))
  const fields = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const search = new URLSearchParams(fields.map(([name, value]) => [name, String(value)]))
  return { method, path: fields.length > 0 ? `${path}?${search}` : path }
}
