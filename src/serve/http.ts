/** The HTTP surface: routes by noun, each a line or two over the app. */
import { Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit as limitBody } from 'hono/body-limit'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { z } from 'zod'
import type { App } from '../app.ts'
import { ConveneError } from '../kernel/errors.ts'
import { roomStream } from '../room/events.ts'
import { isRuleName, loadRule, ruleNames } from '../rules/catalogue.ts'
import { applyRule, inputError } from '../rules/schema/rule.ts'
import { sameHost, tokenFromAddress, tokenRequired } from './auth.ts'
import {
  bodyLimit,
  byteRange,
  eventQuery,
  featureRunRequest,
  forkRequest,
  greenlightRequest,
  newAgentMessage,
  newAnswer,
  newBuild,
  newMessage,
  newPlan,
  newRoom,
  newShip,
  planAdviceRequest,
  reviewedRequest,
  roomOverride,
  unblockRequest,
  whyQuery,
} from './contract.ts'
import { securityHeaders } from './security-headers.ts'
import { eventStream } from './sse.ts'
import { webApp } from './web-app.ts'

export interface HttpOptions {
  token: string
  version: string
  /** `host:port` values that the `Host` header may have. */
  allowedHosts: () => Set<string>
  cookieName: () => string
  /** Ends open event streams when the server closes. */
  closing: AbortSignal
}

export function createHttp(app: App, options: HttpOptions): Hono {
  const http = new Hono()
  http.onError((error, context) => {
    const known = error instanceof ConveneError ? error : null
    if (!known) console.error(error)
    const body = known?.body() ?? {
      code: 'internal',
      message: 'something went wrong inside Convene; its log on the terminal says what',
    }
    return context.json({ error: body }, (known?.status ?? 500) as ContentfulStatusCode)
  })
  http.notFound((context) => {
    return context.json(
      { error: { code: 'not_found', message: `there is nothing at ${context.req.method} ${context.req.path}` } },
      404,
    )
  })

  http.use(securityHeaders())
  http.use(sameHost(options.allowedHosts))
  http.get('/api/health', (context) => context.json({ ok: true, version: options.version }))
  // Who sends these has no token: their signature is the proof.
  http.post('/api/webhooks/github', limited(), async (context) => {
    const { req } = context
    const [event, signature] = [req.header('x-github-event') ?? '', req.header('x-hub-signature-256')]
    const body = new Uint8Array(await req.arrayBuffer())
    return context.json(await app.heardFromForge({ event, signature, body }), 202)
  })
  http.use('/api/*', tokenRequired(options.token, options.cookieName))
  http.use('/api/*', limited())

  http.get('/api/openapi.json', async (context) => {
    const { openApiDocument } = await import('./openapi.ts')
    return context.json(await openApiDocument(options.version))
  })
  http.get('/api/project', async (context) => context.json(await app.sample.describe()))
  http.post('/api/sample/reset', async (context) => context.json(await app.sample.reset()))
  http.get('/api/agents', (context) => context.json({ agents: app.agents.describe() }))

  http.get('/api/rooms', (context) => context.json({ rooms: app.rooms.list() }))
  http.post('/api/rooms', async (context) => context.json(await app.rooms.create(await body(context, newRoom)), 201))
  http.get('/api/rooms/:room', (context) => context.json(app.rooms.get(context.req.param('room'))))
  http.get('/api/rooms/:room/transcript', async (context) =>
    context.json({ items: await app.rooms.transcript(context.req.param('room')) }),
  )
  http.post('/api/rooms/:room/messages', async (context) => {
    return context.json(await app.rooms.post(context.req.param('room'), await body(context, newMessage)), 202)
  })

  http.post('/api/rooms/:room/override', async (context) => {
    const { override } = await body(context, roomOverride)
    return context.json(await app.rooms.override(context.req.param('room'), override))
  })
  http.post('/api/rooms/:room/agent-messages', async (context) => {
    const message = await body(context, newAgentMessage)
    return context.json(await app.rooms.postAgentMessage(context.req.param('room'), message), 202)
  })

  http.get('/api/sessions/:session', async (context) =>
    context.json(await app.rooms.session(context.req.param('session'))),
  )
  http.post('/api/sessions/:session/stop', async (context) => {
    return context.json(await app.rooms.stopSession(context.req.param('session')), 202)
  })

  http.get('/api/plans', async (context) => context.json({ plans: await app.plans.list(), ...app.plans.teams() }))
  http.post('/api/plans', async (context) => context.json(await app.plans.start(await body(context, newPlan)), 202))
  http.post('/api/plans/advice', async (context) => {
    const { goal, preset } = await body(context, planAdviceRequest)
    return context.json(app.plans.advise(goal, preset))
  })
  http.get('/api/plans/:plan', async (context) => context.json(await app.plans.get(context.req.param('plan'))))
  http.get('/api/plans/:plan/report', async (context) =>
    context.json(await app.plans.report(context.req.param('plan'))),
  )
  http.get('/api/plans/:plan/files', async (context) =>
    context.json({ files: await app.plans.files(context.req.param('plan')) }),
  )
  http.get('/api/plans/:plan/files/:file', async (context) => {
    const { plan, file } = context.req.param()
    return context.json({ text: await app.plans.read(plan, file) })
  })

  http.get('/api/builds', async (context) => context.json({ builds: await app.builds.list() }))
  http.post('/api/builds', async (context) => context.json(await app.builds.start(await body(context, newBuild)), 202))
  http.get('/api/builds/:build', async (context) => context.json(await app.builds.get(context.req.param('build'))))
  http.get('/api/builds/:build/report', async (context) =>
    context.json(await app.builds.report(context.req.param('build'))),
  )
  http.get('/api/builds/:build/diffs/:commit', async (context) => {
    const { build, commit } = context.req.param()
    return context.json(await app.builds.diff(build, commit))
  })

  http.get('/api/ships', async (context) => context.json({ ships: await app.ships.list() }))
  http.post('/api/ships', async (context) => context.json(await app.ships.start(await body(context, newShip)), 202))
  http.get('/api/ships/:ship', async (context) => context.json(await app.ships.get(context.req.param('ship'))))
  http.get('/api/ships/:ship/report', async (context) =>
    context.json(await app.ships.report(context.req.param('ship'))),
  )

  http.get('/api/ship-settings', (context) => context.json(app.shipSettings))
  http.get('/api/features', async (context) => context.json({ features: await app.features.list() }))
  http.get('/api/features/:feature', async (context) =>
    context.json(await app.features.get(context.req.param('feature'))),
  )
  http.get('/api/features/:feature/status', async (context) =>
    context.json(await app.features.status(context.req.param('feature'))),
  )
  http.post('/api/features/:feature/greenlight', async (context) => {
    const { issues = [], from_github } = await body(context, greenlightRequest)
    const imported = from_github === undefined ? [] : await app.features.importFrom(from_github)
    return context.json(await app.features.greenlight(context.req.param('feature'), [...issues, ...imported]))
  })
  http.post('/api/features/:feature/unblock', async (context) => {
    const { issue } = await body(context, unblockRequest)
    return context.json(await app.features.unblock(context.req.param('feature'), issue))
  })
  http.post('/api/features/:feature/reviewed', async (context) => {
    const { issue, issues } = await body(context, reviewedRequest)
    const numbers = issue === undefined ? (issues ?? 'all') : [issue]
    return context.json(await app.features.reviewed(context.req.param('feature'), numbers))
  })
  http.post('/api/features/:feature/runs', async (context) => {
    const request = await body(context, featureRunRequest)
    return context.json(await app.features.start(context.req.param('feature'), request), 202)
  })
  http.get('/api/feature-runs/:run/report', async (context) =>
    context.json(await app.features.report(context.req.param('run'))),
  )

  http.get('/api/questions', async (context) => context.json({ questions: await app.questions.open() }))
  http.post('/api/questions/:question/answer', async (context) => {
    const answer = await body(context, newAnswer)
    return context.json(await app.questions.answer(context.req.param('question'), answer), 202)
  })

  http.get('/api/payloads/:ref', async (context) => {
    const { start, end } = parse(byteRange, context.req.query())
    const bytes = await app.store.readPayload(context.req.param('ref'), { start, end })
    return new Response(new Uint8Array(bytes), {
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'private, max-age=31536000, immutable' },
    })
  })

  http.get('/api/why', async (context) => {
    const { what } = parse(whyQuery, context.req.query())
    return context.json(await app.origin(what))
  })
  http.post('/api/runs/:run/replay', async (context) => context.json(await app.replay(context.req.param('run'))))

  http.get('/api/runs', async (context) => context.json({ runs: await app.runs.list() }))
  http.get('/api/runs/:run', async (context) => context.json(await app.runs.get(context.req.param('run'))))
  http.get('/api/runs/:run/overview', async (context) => context.json(await app.overview(context.req.param('run'))))
  http.post('/api/runs/:run/stop', async (context) => context.json(await app.runs.stop(context.req.param('run')), 202))
  http.post('/api/runs/:run/resume', async (context) =>
    context.json(await app.runs.resume(context.req.param('run')), 202),
  )
  http.post('/api/runs/:run/fork', async (context) => {
    const { from } = await body(context, forkRequest)
    return context.json(await app.runs.fork(context.req.param('run'), from), 202)
  })

  http.get('/api/events', async (context) => {
    const given = Object.entries(context.req.query()).filter(([, value]) => value !== '')
    const { after, before, limit, last, room, types, ...rest } = parse(eventQuery, Object.fromEntries(given))
    const filter = {
      ...rest,
      ...(types === undefined ? {} : { types: types.split(',') }),
      ...(room === undefined ? {} : { stream: roomStream(room) }),
    }
    if (
      !context.req.header('accept')?.includes('text/event-stream') &&
      context.req.header('accept')?.includes('application/json')
    ) {
      if (last !== undefined)
        return context.json({ events: await app.store.read({ ...filter, after, before, last }), next: null })
      const size = limit ?? 1000
      const found = await app.store.read({ ...filter, after: after ?? 0, before, limit: size + 1 })
      const events = found.slice(0, size)
      return context.json({ events, next: found.length > size ? events.at(-1)!.seq : null })
    }
    const now = await app.store.lastSeq()
    const resumeFrom = lastEventId(context.req.header('last-event-id'))
    // A listener may remember a log that has since lost its tail: it goes on with what comes now.
    const start = resumeFrom === undefined ? (after ?? now) : Math.min(resumeFrom, now)
    // Not joined into one signal: a joined one may be collected as garbage while its listener still waits.
    const signals = [options.closing, context.req.raw.signal]
    return new Response(eventStream(app.store, app.deltas, start, filter, signals), {
      headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
    })
  })

  http.post('/api/decide/:rule', async (context) => {
    const name = context.req.param('rule')
    if (!isRuleName(name))
      throw new ConveneError('unknown_rule', `there is no rule '${name}'`, {
        status: 404,
        expected: ruleNames.join(' | '),
      })
    const ruling = applyRule(await loadRule(name), await json(context))
    if (!ruling.ok) return context.json({ error: ruling.error }, 400)
    return context.json(ruling.output as object)
  })

  http.all('/api/*', (context) => {
    throw new ConveneError('not_found', `there is nothing at ${context.req.method} ${context.req.path}`, {
      status: 404,
    })
  })
  http.get('*', tokenFromAddress(options.token, options.cookieName), webApp())
  return http
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

/** A sender that is cut off in the middle sees a broken connection and not the answer. It may finish, up to a point. */
async function drain(body: ReadableStream<Uint8Array> | null): Promise<void> {
  // Of a body whose length was not told, as much as is allowed has been read already, by another reader.
  if (!body || body.locked) return
  let left = 32 * bodyLimit
  for await (const chunk of body) {
    left -= chunk.length
    if (left < 0) return
  }
}

interface RequestContext {
  req: { text(): Promise<string> }
}

async function json(context: RequestContext): Promise<unknown> {
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

async function body<Value>(context: RequestContext, schema: z.ZodType<Value>): Promise<Value> {
  return parse(schema, await json(context))
}

function parse<Value>(schema: z.ZodType<Value>, value: unknown): Value {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const { code, message, path, expected } = inputError(parsed.error)
  throw new ConveneError(code, message, { path, expected })
}

function lastEventId(header: string | undefined): number | undefined {
  if (header === undefined || header === '') return undefined
  const seq = Number(header)
  if (!/^\d+$/.test(header) || !Number.isSafeInteger(seq))
    throw new ConveneError('invalid_input', 'Last-Event-ID is not a sequence number', {
      path: 'Last-Event-ID',
      expected: 'a whole number',
    })
  return seq
}
