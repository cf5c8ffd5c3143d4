/** Who may talk to the server: a token on every call, and only pages that came from this very server. */
import { timingSafeEqual } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { ConveneError } from '../kernel/errors.ts'

/** Refuses other hosts and origins: a page elsewhere must not reach this server through the user's browser. */
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
    const bearer = /^Bearer +(.+)$/i.exec(context.req.header('authorization') ?? '')?.[1]
    const given = bearer ?? getCookie(context, cookieName())
    if (!given || !sameSecret(given, token)) {
      throw new ConveneError(
        'unauthorized',
        'the token is missing or wrong. Open the address that `convene serve` printed, or send `Authorization: Bearer <token>`.',
        { status: 401 },
      )
    }
    await next()
  }
}

/** The first visit carries the token in its address; from then on a cookie does, and the address is clean. */
export function tokenFromAddress(token: string, cookieName: () => string): MiddlewareHandler {
  return async (context, next) => {
    const given = context.req.query('token')
    if (given === undefined) return next()
    if (!sameSecret(given, token))
      throw new ConveneError('unauthorized', 'the token in the address is wrong', { status: 401 })
    setCookie(context, cookieName(), token, { httpOnly: true, sameSite: 'Strict', path: '/', maxAge: 365 * 24 * 3600 })
    const address = new URL(context.req.url)
    address.searchParams.delete('token')
    // Two slashes at the beginning would lead to another host.
    return context.redirect(address.pathname.replace(/^\/+/, '/') + address.search)
  }
}

function forbidden(what: string): ConveneError {
  return new ConveneError('forbidden', `this ${what} may not talk to Convene`, { status: 403 })
}

function sameSecret(given: string, expected: string): boolean {
  const a = Buffer.from(given)
  const b = Buffer.from(expected)
  return a.length === b.length && timingSafeEqual(a, b)
}
