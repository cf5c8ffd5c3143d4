/** Listens on a socket with the API and the web app. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { serve } from '@hono/node-server'
import type { App } from '../app.ts'
import { ConveneError } from '../kernel/errors.ts'
import { readToken } from '../kernel/trust/token.ts'
import type { AttachedClient } from '../rules/trust/owner.ts'
import { AttachedClients } from './attached-clients.ts'
import { createHttp, type HttpOptions } from './http.ts'
import { createOidc } from './login/oidc.ts'
import type { Mount } from './mount.ts'
import { serverPlace } from './people/server-place.ts'

/** The server as the protocols that it mounts see it. */
export interface ServerSelf {
  url(): string
  token: string
  fetch(request: Request): Promise<Response>
}

export interface RunningServer {
  url: string
  token: string
  /** Handles a request without a socket: the owner calls its own API this way. */
  fetch(request: Request): Promise<Response>
  /** The commands that use this server over its socket. */
  clients(): AttachedClient[]
  close(): Promise<void>
}

export async function startServer(
  app: App,
  options: {
    host?: string
    port: number
    /** Where a proxy in front of this server is reached. */
    publicUrl?: URL
    env: NodeJS.ProcessEnv
    mounts?: (self: ServerSelf) => Mount[]
  } & Pick<HttpOptions, 'version' | 'observe'>,
): Promise<RunningServer> {
  const host = options.host ?? '127.0.0.1'
  const token = readToken(app.stateFolder, options.env)
  const closing = new AbortController()
  let port = options.port
  const names = ['127.0.0.1', 'localhost', '[::1]', ...namesOf(host)].map((name) => name.toLowerCase())
  // Browsers omit the default port from the Host header.
  const hosts = () => new Set(names.flatMap((name) => [`${name}:${port}`, ...(port === 80 ? [name] : [])]))
  const url = () => `http://${inAddress(host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host)}:${port}`
  const mounts = options.mounts?.({ url, token, fetch: async (request) => http.fetch(request) }) ?? []
  const http = createHttp(app, {
    token,
    version: options.version,
    place: serverPlace(hosts, () => port, options.publicUrl),
    oidc: app.auth && app.users.shared ? createOidc(app.auth, options.env) : undefined,
    closing: closing.signal,
    observe: options.observe,
    mounts,
  })
  const server = await new Promise<ReturnType<typeof serve>>((resolve, reject) => {
    const starting = serve({ fetch: http.fetch, port: options.port, hostname: host }, () => resolve(starting))
    starting.once('error', (error: NodeJS.ErrnoException) => reject(cannotListen(error, host, options.port)))
  })
  const clients = new AttachedClients()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => clients.note(request, response))
  port = (server.address() as AddressInfo).port
  return {
    url: url(),
    token,
    fetch: async (request) => http.fetch(request),
    clients: () => clients.list(),
    async close() {
      closing.abort()
      await Promise.all(mounts.map((mount) => mount.close?.()))
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      if ('closeAllConnections' in server) setTimeout(() => server.closeAllConnections(), 200).unref()
      await closed
    },
  }
}

/** A server on all interfaces accepts each of its own addresses as Host: no other site can use those. */
function namesOf(host: string): string[] {
  const everywhere = host === '0.0.0.0' || host === '::'
  const own = everywhere ? Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []) : []
  return [host, ...own.map(({ address }) => address)].map(inAddress)
}

const inAddress = (host: string) => (host.includes(':') ? `[${host}]` : host)

function cannotListen(error: NodeJS.ErrnoException, host: string, port: number): ConveneError {
  const reason =
    error.code === 'EADDRINUSE'
      ? `port ${port} is in use. Choose another with --port.`
      : error.code === 'EACCES'
        ? `port ${port} needs administrator rights. Choose one above 1023 with --port.`
        : error.message
  return new ConveneError('cannot_listen', `cannot listen on ${host}: ${reason}`, { cause: error, path: 'port' })
}
