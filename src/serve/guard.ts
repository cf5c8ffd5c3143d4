/** Stands before every handler: applies the roles (US1) and the members of rooms (US2), and records who did what (US3). */

import type { Scoped } from '../app/access.ts'
import type { App } from '../app.ts'
import { ConveneError } from '../kernel/errors.ts'
import { actAs } from '../kernel/users/acting-person.ts'
import { actionTaken } from '../kernel/users/user-events.ts'
import { actionsStream, mayUse, type Person } from '../rules/team/roles.ts'
import { unknownFeature } from '../ship/feature-name.ts'
import type { Route } from './api/route.ts'

export interface GuardedRequest {
  params: Record<string, string>
  query: unknown
  body: unknown
  person: Person
  raw: Pick<Request, 'method'>
}

/** US1. Before the body is read: what is wrong with it is no business of who may not call. */
export function requireRole({ role }: Route, person: Person): void {
  if (role === 'public' || mayUse(person, role)) return
  throw new ConveneError(
    'forbidden',
    `${person.name} is a ${person.role}; this needs the role ${role}. An owner can change it: convene user remove, then convene user add --role ${role}.`,
    { status: 403, expected: role },
  )
}

/** A name in a path, a query or a body that stands for something of a room. */
export const scopedNames = [
  'room',
  'session',
  'run',
  'plan',
  'build',
  'ship',
  'comparison',
  'feature',
  'question',
  'ref',
] as const satisfies readonly Scoped[]

export async function guard<Request extends GuardedRequest>(
  app: App,
  route: Route,
  given: Request,
  handle: (request: Request) => unknown,
): Promise<unknown> {
  if (route.role === 'public') return handle(given)
  const { person } = given
  const request = await withRoomId(app, given)
  for (const [kind, id] of namedIn(route, request))
    if (!(await app.access.sees(person, kind, id))) throw unknown(kind, id)
  const result = await actAs(person, () => handle(request))
  const changes = route.role !== 'viewer' && request.raw.method !== 'GET'
  if (app.users.shared && changes && !route.recorded)
    await app.store.append([
      actionTaken.create(
        { stream: actionsStream, actor: person.name },
        { action: route.name, target: { ...startedIn(result), ...request.params } },
      ),
    ])
  return result
}

/** A room in the path may be given by its name, if only one room that the person sees has it. */
async function withRoomId<Request extends GuardedRequest>(app: App, request: Request): Promise<Request> {
  const { params, person } = request
  const { room } = params
  if (room === undefined || (await app.rooms.find(room))) return request
  const named = app.rooms.list().filter(({ name }) => name === room)
  const seen = await app.access.only(person, 'room', named, ({ id }) => id)
  if (seen.length > 1)
    throw new ConveneError(
      'ambiguous_room',
      `${seen.length} rooms are called '${room}'. Use an id of \`GET /api/rooms\`.`,
      {
        status: 409,
        path: 'room',
      },
    )
  const [only] = seen
  return only ? { ...request, params: { ...params, room: only.id } } : request
}

/** The input of a rule may name anything: a route that only reads acts on nothing that its body names. */
function namedIn({ role }: Route, { params, query, body }: GuardedRequest): [Scoped, string][] {
  return [params, query, role === 'viewer' ? undefined : body].flatMap((part) =>
    scopedNames.flatMap((name): [Scoped, string][] => {
      const value = part === undefined || part === null ? undefined : (part as Record<string, unknown>)[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
}

/** What a request started, as its response names it. */
function startedIn(result: unknown): { run?: string } {
  const { id, run } = (result ?? {}) as { id?: unknown; run?: unknown }
  const started = typeof run === 'string' ? run : id
  return typeof started === 'string' ? { run: started } : {}
}

/** The same answer as for something that does not exist. */
function unknown(kind: Scoped, id: string): ConveneError {
  if (kind === 'feature') return unknownFeature(id)
  const hint = hints[kind] ?? ''
  return new ConveneError(`unknown_${kind}`, `there is no ${kind} '${id}'${hint}`, { status: 404, path: kind })
}

const hints: Partial<Record<Scoped, string>> = {
  run: '. `convene runs` lists them.',
  question: '. `convene questions` lists what is open.',
}
