/** Calls the API of a server in this process, without a socket. */
import type { ApiClient, ApiRoute, CallArguments, RequestParts, ResponseOf } from '../../serve/call.ts'
import { requestLine } from '../../serve/call.ts'
import type { ServerSelf } from '../../serve/server.ts'
import { bodyOf } from './client.ts'
import { happenings } from './server-sent-events.ts'

/** Acts with the token of the caller. */
export function ownClient(server: ServerSelf, token: string): ApiClient {
  const send = (path: string, init: RequestInit & { headers: Record<string, string> }) => {
    const url = server.url()
    const headers = { ...init.headers, host: new URL(url).host, authorization: `Bearer ${token}` }
    return server.fetch(new Request(url + path, { ...init, headers }))
  }
  return {
    async call<Route extends ApiRoute>(route: Route, ...[given]: CallArguments<Route>) {
      const parts: RequestParts = given ?? {}
      const { method, path } = requestLine(route, parts)
      const headers = { accept: 'application/json', 'content-type': 'application/json' }
      const body = method === 'GET' ? {} : { body: JSON.stringify(parts.body ?? {}) }
      return bodyOf<ResponseOf<Route>>(await send(path, { method, headers, ...body }))
    },
    async *follow(query, after, signal) {
      const { path } = requestLine('GET /api/events', { query: { ...query, after } })
      const response = await send(path, { headers: { accept: 'text/event-stream' }, signal })
      if (!response.ok) await bodyOf(response)
      yield* happenings(response.body!, signal)
    },
  }
}
