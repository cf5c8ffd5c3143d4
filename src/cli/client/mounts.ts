/** The protocols that an owner serves beside its API. Each loads its code with the first request. */
import { cardPath, endpointPath, wireCard } from '../../a2a/agent-card.ts'
import type { App } from '../../app.ts'
import { depthVariable, nestingDepth } from '../../rules/mcp/nested.ts'
import type { Mount } from '../../serve/mount.ts'
import type { ServerSelf } from '../../serve/server.ts'
import { ownClient } from './own-client.ts'
import { version } from './version.ts'

export function mountsOf(app: App, env: NodeJS.ProcessEnv): (server: ServerSelf) => Mount[] {
  return (server) => [mcpMount(app, env, server), cardMount(server), a2aMount(server)]
}

function mcpMount(app: App, env: NodeJS.ProcessEnv, server: ServerSelf): Mount {
  const load = async () => {
    const { mcpSessions } = await import('../../mcp/http.ts')
    const client = ownClient(server)
    return mcpSessions({
      version: version(),
      lease: () => ({ owner: async () => client, track() {}, release() {} }),
      depth: nestingDepth(env[depthVariable]),
      allowNested: () => app.allowsNestedCalls,
    })
  }
  let loading: ReturnType<typeof load> | undefined
  return {
    path: '/mcp',
    async handle(request) {
      loading ??= load()
      return (await loading).handle(request)
    },
    close: async () => (await loading)?.close(),
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

function a2aMount(server: ServerSelf): Mount {
  const load = async () => {
    const { a2aEndpoint } = await import('../../a2a/http.ts')
    return a2aEndpoint(ownClient(server), { url: server.url(), version: version() })
  }
  let loading: ReturnType<typeof load> | undefined
  return {
    path: endpointPath,
    async handle(request) {
      loading ??= load()
      return (await loading)(request)
    },
  }
}
