/** The protocols that an owner serves beside its API. Each loads its code with the first request. */
import { cardPath, endpointPath, wireCard } from '../../a2a/agent-card.ts'
import type { App } from '../../app.ts'
import { depthVariable, nestingDepth } from '../../rules/mcp/nested.ts'
import type { Mount } from '../../serve/mount.ts'
import type { ServerSelf } from '../../serve/server.ts'
import { loadOnce } from './load-once.ts'
import { ownClient } from './own-client.ts'
import { version } from './version.ts'

export function mountsOf(app: App, env: NodeJS.ProcessEnv): (server: ServerSelf) => Mount[] {
  return (server) => [mcpMount(app, env, server), cardMount(server), a2aMount(app, env, server)]
}

function mcpMount(app: App, env: NodeJS.ProcessEnv, server: ServerSelf): Mount {
  const callers = perToken((token) =>
    loadOnce(async () => {
      const { mcpSessions } = await import('../../mcp/http.ts')
      const client = ownClient(server, token)
      return mcpSessions({
        version: version(),
        lease: () => ({ owner: async () => client, track() {}, release() {} }),
        depth: nestingDepth(env[depthVariable]),
        allowNested: () => app.allowsNestedCalls,
      })
    }),
  )
  return {
    path: '/mcp',
    handle: async (request, token) => (await callers.of(token).get()).handle(request),
    close: async () => {
      await Promise.all(callers.all().map(async (sessions) => (await sessions.loaded())?.close()))
    },
  }
}

/** Public: other agents read it before they have a token. */
function cardMount(server: ServerSelf): Mount {
  return {
    path: cardPath,
    public: true,
    handle: async () => Response.json(wireCard(server.url(), version()), { headers: { 'cache-control': 'no-cache' } }),
  }
}

function a2aMount(app: App, env: NodeJS.ProcessEnv, server: ServerSelf): Mount {
  const callers = perToken((token) =>
    loadOnce(async () => {
      const { a2aEndpoint } = await import('../../a2a/http.ts')
      return a2aEndpoint(ownClient(server, token), {
        url: server.url(),
        version: version(),
        depth: nestingDepth(env[depthVariable]),
        allowNested: () => app.allowsNestedCalls,
      })
    }),
  )
  return { path: endpointPath, handle: async (request, token) => (await callers.of(token).get())(request) }
}

/** Sessions and tasks belong to the token they were opened with: nobody else's token reaches them. */
function perToken<Value>(create: (token: string) => Value): { of(token: string): Value; all(): Value[] } {
  const values = new Map<string, Value>()
  return {
    of(token) {
      const known = values.get(token) ?? create(token)
      values.set(token, known)
      return known
    },
    all: () => [...values.values()],
  }
}
