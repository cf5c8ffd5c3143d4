/** The protocols that an owner serves beside its API. Each loads its code with the first request. */
import { cardPath, endpointPath, wireCard } from '../../a2a/agent-card.ts'
import type { App } from '../../app.ts'
import { version } from '../../kernel/version.ts'
import { depthVariable, nestingDepth } from '../../rules/mcp/nested.ts'
import type { Mount, MountCaller } from '../../serve/mount.ts'
import type { ServerSelf } from '../../serve/server.ts'
import { loadOnce } from './load-once.ts'
import { ownClient } from './own-client.ts'

export function mountsOf(app: App, env: NodeJS.ProcessEnv): (server: ServerSelf) => Mount[] {
  return (server) => [mcpMount(app, env, server), cardMount(server), a2aMount(app, env, server)]
}

function mcpMount(app: App, env: NodeJS.ProcessEnv, server: ServerSelf): Mount {
  const callers = perToken(app, (token) =>
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
  const close = async (sessions: ReturnType<typeof callers.of>) => (await sessions.loaded())?.close()
  return {
    path: '/mcp',
    handle: async (request, caller) => (await callers.of(caller, close).get()).handle(request),
    close: async () => {
      await Promise.all(callers.all().map(close))
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
  const callers = perToken(app, (token) =>
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
  return { path: endpointPath, handle: async (request, caller) => (await callers.of(caller).get())(request) }
}

/** Sessions and tasks belong to the token they were opened with: nobody else's token reaches them, and they end with it. */
function perToken<Value>({ users }: App, create: (token: string) => Value) {
  const values = new Map<string, Value>()
  return {
    of({ token, person }: MountCaller, end?: (value: Value) => unknown): Value {
      const known = values.get(token)
      if (known !== undefined) return known
      const value = create(token)
      values.set(token, value)
      const { signal, release } = users.revocation(person)
      const forget = () => {
        release()
        values.delete(token)
        end?.(value)
      }
      if (signal.aborted) forget()
      else signal.addEventListener('abort', forget, { once: true })
      return value
    },
    all: () => [...values.values()],
  }
}
