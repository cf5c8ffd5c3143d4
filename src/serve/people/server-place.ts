/** Under which addresses browsers and programs reach the server. */
import type { Context } from 'hono'

export interface ServerPlace {
  /** Whether a `Host` header names this server. */
  hasHost(host: string): boolean
  hasOrigin(origin: string): boolean
  /** The origin of a request whose host was checked. */
  originOf(context: Context): string
  /** Whether the browser reached it over TLS. */
  isSecure(context: Context): boolean
  cookieName(): string
}

/** `hosts` as `host:port`; `publicUrl` is where a proxy in front of the server is reached. */
export function serverPlace(hosts: () => Set<string>, port: () => number, publicUrl: URL | undefined): ServerPlace {
  const isPublic = (host: string) => publicUrl !== undefined && host === publicUrl.host
  const originOf = (context: Context) => {
    const host = (context.req.header('host') ?? '').toLowerCase()
    return isPublic(host) ? publicUrl!.origin : `http://${host}`
  }
  return {
    hasHost: (host) => hosts().has(host) || isPublic(host),
    hasOrigin: (origin) => origin === publicUrl?.origin || [...hosts()].some((host) => origin === `http://${host}`),
    originOf,
    isSecure: (context) => originOf(context).startsWith('https:'),
    // Servers on several ports of one host share its cookies. Behind a proxy all servers are one.
    cookieName: () => (publicUrl === undefined ? `convene_${port()}` : 'convene'),
  }
}
