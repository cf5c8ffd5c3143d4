/** Serves the API table and the web app: joins each route with its handler, validates requests, formats errors. */
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit as limitBody } from 'hono/body-limit'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { z } from 'zod'
import type { App } from '../app.ts'
import { ConveneError } from '../kernel/errors.ts'
import { inputError } from '../rules/schema/rule.ts'
import { tokenHolder } from '../rules/team/roles.ts'
import type { HandlerRequest, Handlers, Route, RouteKey } from './api/route.ts'
import { type Api, api } from './api.ts'
import { guard, requireRole } from './guard.ts'
import type { Oidc } from './login/oidc.ts'
import { loginRoutes, logoutRoute } from './login/routes.ts'
import type { Mount } from './mount.ts'
import { bearerRequired, type CallerVariables, personRequired, sameHost, tokenFromAddress } from './people/auth.ts'
import { createPeople } from './people/people.ts'
import type { ServerPlace } from './people/server-place.ts'
import { buildHandlers } from './routes/builds.ts'
import { comparisonHandlers } from './routes/comparisons.ts'
import { featureHandlers } from './routes/features.ts'
import { logHandlers } from './routes/log.ts'
import { planHandlers } from './routes/plans.ts'
import { projectHandlers } from './routes/project.ts'
import { questionHandlers } from './routes/questions.ts'
import { roomHandlers } from './routes/rooms.ts'
import { runHandlers } from './routes/runs.ts'
import { settingsHandlers } from './routes/settings.ts'
import { shipHandlers } from './routes/ships.ts'
import { teamHandlers } from './routes/team.ts'
import { securityHeaders } from './security-headers.ts'
import { webApp } from './web-app.ts'

export interface HttpOptions {
  token: string
  version: string
  place: ServerPlace
  /** Login by OpenID Connect, if it is configured. */
  oidc?: Oidc
  /** Ends open event streams when the server closes. */
  closing: AbortSignal
  /** Sees every response before it is sent: tests compare them with the table. */
  observe?: MiddlewareHandler
  mounts?: readonly Mount[]
}

const bodyLimit = 1024 * 1024

export function createHttp(app: App, options: HttpOptions): Hono<CallerVariables> {
  const http = new Hono<CallerVariables>()
  const people = createPeople(options.token, app.users)
  http.onError((error, context) => {
    const known = error instanceof ConveneError ? error : null
    if (!known) console.error(error)
    const body = known?.body() ?? {
      code: 'internal',
      message: "internal error in Convene; see the server's terminal for details",
    }
    return context.json({ error: body }, (known?.status ?? 500) as ContentfulStatusCode)
  })
  http.notFound((context) => {
    const message = `there is nothing at ${context.req.method} ${context.req.path}`
    return context.json({ error: { code: 'not_found', message } }, 404)
  })

  if (options.observe) http.use(options.observe)
  http.use(securityHeaders())
  http.use(sameHost(options.place))
  const handlers = handlersOf(app, options)
  const routes = Object.entries(api) as [RouteKey, Route][]
  for (const [key, route] of routes) if (route.role === 'public') serve(key, route, limited())
  http.use('/api/*', personRequired(people, options.place))
  http.use('/api/*', limited())
  for (const [key, route] of routes) if (route.role !== 'public') serve(key, route)
  http.all('/api/*', (context) => context.notFound())
  for (const mount of options.mounts ?? []) {
    const { path } = mount
    if (!mount.public) http.use(path, bearerRequired(people))
    http.all(path, limited(), ({ req, var: caller }) =>
      mount.public ? mount.handle(req.raw) : mount.handle(req.raw, caller),
    )
  }
  logoutRoute(http, options.place, { login: options.oidc !== undefined })
  if (options.oidc) loginRoutes(http, { oidc: options.oidc, users: app.users, people, place: options.place })
  http.get('*', tokenFromAddress(people, options.place), webApp())
  return http

  function serve(key: RouteKey, route: Route, ...middleware: MiddlewareHandler[]): void {
    const [method, path] = key.split(' ') as [string, string]
    // The table has the types; here a route and its handler are known by their key alone.
    const handler = handlers[key as keyof Api] as (
      request: HandlerRequest<string, unknown>,
    ) => unknown | Promise<unknown>
    http.on(method, [path], ...middleware, async (context) => {
      const person = context.get('person') ?? tokenHolder
      requireRole(route, person)
      const request = {
        params: context.req.param(),
        query: (route.query && parse(route.query, given(context.req.query()))) as undefined,
        body: (route.body && parse(route.body, await json(context))) as undefined,
        person,
        raw: context.req.raw,
      }
      const result = await guard(app, route, request, handler)
      if (result instanceof Response) return result
      return context.json(result as object, route.status ?? 200)
    })
  }
}

function handlersOf(app: App, { version, closing, oidc }: HttpOptions): Handlers<Api> {
  const describe = async () => (await import('./openapi.ts')).openApiDocument(version)
  return {
    ...projectHandlers(app, { version, describe, login: oidc !== undefined }),
    ...settingsHandlers(app),
    ...teamHandlers(app),
    ...roomHandlers(app),
    ...planHandlers(app),
    ...buildHandlers(app),
    ...comparisonHandlers(app),
    ...shipHandlers(app),
    ...featureHandlers(app),
    ...questionHandlers(app),
    ...runHandlers(app),
    ...logHandlers(app, closing),
  }
}

function limited(): MiddlewareHandler {
  return limitBody({
    maxSize: bodyLimit,
    onError: async (context) => {
      await drain(context.req.raw.body)
      throw new ConveneError('too_large', 'the body is larger than 1 MB', { status: 413, expected: 'at most 1 MB' })
    },
  })
}

/** A client that is cut off while sending sees a broken connection instead of the 413: reads on, up to 32 MB. */
async function drain(body: ReadableStream<Uint8Array> | null): Promise<void> {
  // Locked: the body had no Content-Length, and Hono has already read up to the limit.
  if (!body || body.locked) return
  let left = 32 * bodyLimit
  for await (const chunk of body) {
    left -= chunk.length
    if (left < 0) return
  }
}

/** `?room=` means the same as no `room` at all. */
function given(query: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))
}

async function json(context: Context): Promise<unknown> {
  const text = await context.req.text()
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ConveneError('invalid_json', `the body is not JSON: ${(error as Error).message}`, {
      expected: 'a JSON object',
    })
  }
}

function parse(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const { code, message, path, expected } = inputError(parsed.error)
  throw new ConveneError(code, message, { path, expected })
}
