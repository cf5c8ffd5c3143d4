/** Access to the server: a token on every call, and no requests from pages of another origin. */
import type { Context, MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { ConveneError } from '../../kernel/errors.ts'
import type { Person } from '../../rules/team/roles.ts'
import type { People } from './people.ts'
import { wrongTokenPage } from './plain-pages.ts'
import type { ServerPlace } from './server-place.ts'

/** Refuses other hosts and origins, so that no other site reaches this server through the user's browser. */
export function sameHost(place: ServerPlace): MiddlewareHandler {
  return async (context, next) => {
    const host = context.req.header('host')?.toLowerCase()
    if (!host || !place.hasHost(host)) throw forbidden('host')
    const origin = context.req.header('origin')?.toLowerCase()
    if (origin !== undefined && !place.hasOrigin(origin)) throw forbidden('origin')
    await next()
  }
}

/** Where the middleware leaves who calls, for the handlers behind it. */
export interface CallerVariables {
  Variables: { person: Person; token: string }
}

/** US1 is applied later, route by route; here it only counts who calls. */
export function personRequired(people: People, place: ServerPlace): MiddlewareHandler<CallerVariables> {
  return async (context, next) => {
    const bearer = bearerOf(context)
    const person = bearer === undefined ? await personOfSession(context, people, place) : await people.byToken(bearer)
    if (!person) {
      throw new ConveneError(
        'unauthorized',
        'the token is missing or wrong. Open the address that `convene serve` printed, or send `Authorization: Bearer <token>`.',
        { status: 401 },
      )
    }
    context.set('person', person)
    await next()
  }
}

/** For programs alone: no cookie of a browser opens these paths. */
export function bearerRequired(people: People): MiddlewareHandler<CallerVariables> {
  return async (context, next) => {
    const given = bearerOf(context)
    const person = given === undefined ? null : await people.byToken(given)
    if (given === undefined || !person) {
      context.header('WWW-Authenticate', 'Bearer')
      throw new ConveneError('unauthorized', 'the token is missing or wrong. Send `Authorization: Bearer <token>`.', {
        status: 401,
      })
    }
    context.set('person', person)
    context.set('token', given)
    await next()
  }
}

const bearerOf = (context: Context) => /^Bearer +(.+)$/i.exec(context.req.header('authorization') ?? '')?.[1]

/** Turns the token in the address of the first visit into a cookie, and redirects to the address without it. */
export function tokenFromAddress(people: People, place: ServerPlace): MiddlewareHandler {
  return async (context, next) => {
    const given = context.req.query('token')
    if (given === undefined) return next()
    const person = await people.byToken(given)
    if (!person) {
      if (context.req.header('accept')?.includes('text/html')) return context.html(wrongTokenPage(), 401)
      throw new ConveneError('unauthorized', 'the token in the address is wrong', { status: 401 })
    }
    await startSession(context, people, person, place)
    const address = new URL(context.req.url)
    address.searchParams.delete('token')
    // A path that starts with two slashes would redirect to another host.
    return context.redirect(address.pathname.replace(/^\/+/, '/') + address.search)
  }
}

export async function startSession(
  context: Context,
  people: People,
  person: Person,
  place: ServerPlace,
): Promise<void> {
  const session = await people.sessionOf(person, place.originOf(context))
  if (!session) return
  setCookie(context, place.cookieName(), session.cookie, {
    httpOnly: true,
    sameSite: 'Strict',
    path: '/',
    maxAge: session.seconds,
    secure: place.isSecure(context),
  })
}

async function personOfSession(context: Context, people: People, place: ServerPlace): Promise<Person | null> {
  const cookie = getCookie(context, place.cookieName())
  if (!cookie) return null
  // A page of another port is another origin, but the same site: the browser sends it the cookie and says where it is.
  const site = context.req.header('sec-fetch-site')
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return null
  return people.bySession(cookie, place.originOf(context))
}

function forbidden(what: string): ConveneError {
  return new ConveneError('forbidden', `requests from this ${what} are not allowed`, { status: 403 })
}
