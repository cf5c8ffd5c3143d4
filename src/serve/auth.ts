/** Access to the server: a token on every call, and no requests from pages of another origin. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { ConveneError } from '../kernel/errors.ts'

/** Refuses other hosts and origins, so that no other site reaches this server through the user's browser. */
export function sameHost(allowedHosts: () => Set<string>): MiddlewareHandler {
  return async (context, next) => {
    const host = context.req.header('host')?.toLowerCase()
    if (!host || !allowedHosts().has(host)) throw forbidden('host')
    const origin = context.req.header('origin')?.toLowerCase()
    if (origin !== undefined && ![...allowedHosts()].some((allowed) => origin === `http://${allowed}`))
      throw forbidden('origin')
    await next()
  }
}

export function tokenRequired(token: string, cookieName: () => string): MiddlewareHandler {
  return async (context, next) => {
    const bearer = bearerOf(context)
    const cookie = bearer === undefined ? getCookie(context, cookieName()) : undefined
    const isValid = bearer === undefined ? isSession(context, token, cookie) : sameSecret(bearer, token)
    if (!isValid) {
      throw new ConveneError(
        'unauthorized',
        'the token is missing or wrong. Open the address that `convene serve` printed, or send `Authorization: Bearer <token>`.',
        { status: 401 },
      )
    }
    await next()
  }
}

/** For programs alone: no cookie of a browser opens these paths. */
export function bearerRequired(token: string): MiddlewareHandler {
  return async (context, next) => {
    const given = bearerOf(context)
    if (!given || !sameSecret(given, token)) {
      context.header('WWW-Authenticate', 'Bearer')
      throw new ConveneError('unauthorized', 'the token is missing or wrong. Send `Authorization: Bearer <token>`.', {
        status: 401,
      })
    }
    await next()
  }
}

const bearerOf = (context: Context) => /^Bearer +(.+)$/i.exec(context.req.header('authorization') ?? '')?.[1]

/** Turns the token in the address of the first visit into a cookie, and redirects to the address without it. */
export function tokenFromAddress(token: string, cookieName: () => string): MiddlewareHandler {
  return async (context, next) => {
    const given = context.req.query('token')
    if (given === undefined) return next()
    if (!sameSecret(given, token))
      throw new ConveneError('unauthorized', 'the token in the address is wrong', { status: 401 })
    setCookie(context, cookieName(), sessionFor(token, originOf(context)), {
      httpOnly: true,
      sameSite: 'Strict',
      path: '/',
      maxAge: 365 * 24 * 3600,
    })
    const address = new URL(context.req.url)
    address.searchParams.delete('token')
    // A path that starts with two slashes would redirect to another host.
    return context.redirect(address.pathname.replace(/^\/+/, '/') + address.search)
  }
}

/**
 * TR12: cookies ignore ports, so other pages on this host receive it. What it holds opens this origin alone: not the
 * token, and of no use as one.
 */
export function sessionFor(token: string, origin: string): string {
  return createHmac('sha256', token).update(`convene session for ${origin}`).digest('base64url')
}

function isSession(context: Context, token: string, cookie: string | undefined): boolean {
  if (!cookie || !sameSecret(cookie, sessionFor(token, originOf(context)))) return false
  // A page of another port is another origin, but the same site: the browser sends it the cookie and says where it is.
  const site = context.req.header('sec-fetch-site')
  return site === undefined || site === 'same-origin' || site === 'none'
}

/** `sameHost` has checked the host. */
const originOf = (context: Context) => `http://${(context.req.header('host') ?? '').toLowerCase()}`

function forbidden(what: string): ConveneError {
  return new ConveneError('forbidden', `requests from this ${what} are not allowed`, { status: 403 })
}

function sameSecret(given: string, expected: string): boolean {
  const a = Buffer.from(given)
  const b = Buffer.from(expected)
  return a.length === b.length && timingSafeEqual(a, b)
}
