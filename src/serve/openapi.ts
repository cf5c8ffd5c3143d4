/** The OpenAPI 3.1 document, generated from the API table. */
import { z } from 'zod'
import { specSchema } from '../rules/build/spec.ts'
import { loadRule, ruleNames } from '../rules/catalogue.ts'
import { issueSchema } from '../ship/events.ts'
import { event } from './api/log.ts'
import { agent } from './api/project.ts'
import { room, roomWithOverride, session, transcriptItem } from './api/rooms.ts'
import { type ErrorStatus, errorStatuses, type Route } from './api/route.ts'
import { run } from './api/runs.ts'
import { cost, errorResponse, question, workStatus } from './api/shared.ts'
import { apiGroups } from './api.ts'

export const successDescriptions = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted; follow progress on `/api/events`.',
} as const

export const errorDescriptions: Record<ErrorStatus, string> = {
  400: 'A value in the request has the wrong type or is not allowed; `path` names it.',
  401: 'The token is missing or wrong.',
  403: "The Host or Origin header names another server, or the caller's role may not do this.",
  404: 'Not found.',
  409: 'Not possible in the current state.',
  413: 'The body is larger than 1 MB.',
  429: 'An inbox is full; try again later.',
  503: 'The forge is unavailable; send the request again later.',
}

/** Schemas that others refer to by name. Every other body and response is named after its route. */
const shared: Record<string, z.ZodType> = {
  Agent: agent,
  Cost: cost,
  Error: errorResponse,
  Event: event,
  Issue: issueSchema,
  Question: question,
  Room: room,
  RoomWithOverride: roomWithOverride,
  Run: run,
  Session: session,
  Spec: specSchema,
  TranscriptItem: transcriptItem,
  WorkStatus: workStatus,
}

type Json = Record<string, unknown>
type Names = z.core.$ZodRegistry<{ id: string }>

export interface ListedRoute extends Route {
  group: string
  method: string
  path: string
}

export const listedRoutes: readonly ListedRoute[] = Object.entries(apiGroups).flatMap(([group, routes]) =>
  Object.entries(routes).map(([key, route]) => {
    const [method, path] = key.split(' ') as [string, string]
    return { ...route, group, method, path }
  }),
)

export async function openApiDocument(version: string): Promise<Json> {
  const names = await nameSchemas()
  const { schemas } = z.toJSONSchema(names, { io: 'input', unrepresentable: 'any', uri: reference })
  const paths: Record<string, Json> = {}
  for (const route of listedRoutes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, names) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Convene',
      version,
      description:
        'Rooms, plans, builds, ships and durable runs of a project. `convene serve` prints its address with a token, which is also in `.convene/token`. In a browser, the first visit to that address sets a cookie that replaces the token.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutHead(schema)])),
      responses: Object.fromEntries(
        errorStatuses.map((status) => [
          refusal(status),
          { description: errorDescriptions[status], content: json(reference('Error')) },
        ]),
      ),
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  }
}

/** The statuses a route can refuse a request with. */
export function errorsOf({ method, path, body, query, errors = [], role }: ListedRoute): ErrorStatus[] {
  const all = new Set<ErrorStatus>([403, ...errors])
  if (role !== 'public') all.add(401)
  if (body || query) all.add(400)
  // The limit holds whether or not the route reads a body.
  if (method !== 'GET') all.add(413)
  if (path.includes(':')) all.add(404)
  return [...all].sort((a, b) => a - b)
}

async function nameSchemas(): Promise<Names> {
  const names = z.registry<{ id: string }>()
  const name = (schema: z.ZodType | undefined, id: string) => {
    if (schema && !names.has(schema)) names.add(schema, { id })
  }
  for (const [id, schema] of Object.entries(shared)) name(schema, id)
  for (const route of listedRoutes) {
    if (route.name !== 'decide') name(route.body, `${capital(route.name)}Body`)
    name(route.response, `${capital(route.name)}Response`)
  }
  for (const rule of ruleNames) name((await loadRule(rule)).input, ruleInput(rule))
  return names
}

function operation(route: ListedRoute, names: Names): Json {
  const { name, summary, group, status = 200, response, media = {}, role } = route
  const parameters = parametersOf(route)
  const body = bodyOf(route, names)
  return {
    operationId: name,
    summary,
    tags: [group],
    ...(role === 'public' ? { security: [] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: body } : {}),
    responses: {
      [status]: {
        description: successDescriptions[status],
        content: {
          ...(response ? json(referTo(response, names)) : {}),
          ...Object.fromEntries(
            Object.entries(media).map(([type, description]) => [type, { schema: { type: 'string', description } }]),
          ),
        },
      },
      ...Object.fromEntries(errorsOf(route).map((each) => [each, { $ref: `#/components/responses/${refusal(each)}` }])),
    },
  }
}

function bodyOf({ name, body, rawBody }: ListedRoute, names: Names): Json | null {
  if (rawBody) return { required: true, content: { 'application/json': { schema: { type: 'object' } } } }
  if (!body) return null
  const schema =
    name === 'decide'
      ? { anyOf: ruleNames.map((rule) => ({ $ref: reference(ruleInput(rule)) })) }
      : { $ref: referTo(body, names) }
  const required = name === 'decide' || !body.safeParse({}).success
  return { required, content: { 'application/json': { schema } } }
}

function parametersOf({ path, query, name }: ListedRoute): Json[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, parameter]) => ({
    name: parameter,
    in: 'path',
    required: true,
    schema: name === 'decide' ? { type: 'string', enum: ruleNames } : { type: 'string' },
  }))
  const { properties = {}, required = [] } = query ? z.toJSONSchema(query, { io: 'output' }) : {}
  const inQuery = Object.entries(properties).map(([parameter, schema]) => ({
    name: parameter,
    in: 'query',
    ...(required.includes(parameter) ? { required: true } : {}),
    schema,
  }))
  const inHeader = name === 'events' ? [{ name: 'Last-Event-ID', in: 'header', schema: { type: 'integer' } }] : []
  return [...inPath, ...inQuery, ...inHeader]
}

const reference = (id: string) => `#/components/schemas/${id}`
const referTo = (schema: z.ZodType, names: Names) => reference(names.get(schema)!.id)
const json = (ref: string) => ({ 'application/json': { schema: { $ref: ref } } })
const refusal = (status: ErrorStatus) => `Refused${status}`
const capital = (name: string) => name[0]!.toUpperCase() + name.slice(1)
const ruleInput = (rule: string) => `Decide${capital(rule)}Input`

/** Drops what only a JSON Schema document of its own needs. */
function withoutHead(schema: object): Json {
  const { $schema: _, $id: __, ...rest } = schema as Json
  return rest
}
