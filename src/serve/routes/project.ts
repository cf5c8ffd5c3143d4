/** Handlers for the server itself, its project and its agents. */
import type { App } from '../../app.ts'
import type { projectRoutes } from '../api/project.ts'
import type { Handlers } from '../api/route.ts'

export function projectHandlers(
  app: App,
  server: { version: string; login: boolean; describe(): Promise<Record<string, unknown>> },
): Handlers<typeof projectRoutes> {
  return {
    'GET /api/health': () => ({ ok: true, version: server.version, ...(server.login ? { login: true } : {}) }),
    'GET /api/openapi.json': () => server.describe(),
    'GET /api/project': () => app.sample.describe(),
    'POST /api/sample/reset': () => app.sample.reset(),
    'GET /api/workers': async ({ person }) => ({
      workers: await app.workers(),
      waiting: await app.access.only(person, 'run', await app.runs.queued(), ({ run }) => run),
    }),
    'GET /api/agents': () => ({ agents: app.agents.describe() }),
  }
}
