/** Handlers for the agents and roles of `convene.yaml`. */
import type { App } from '../../app.ts'
import type { Handlers } from '../api/route.ts'
import type { settingsRoutes } from '../api/settings.ts'

export function settingsHandlers({ settings }: App): Handlers<typeof settingsRoutes> {
  return {
    'GET /api/settings': async () => (await settings()).describe(),
    'POST /api/settings/agents': async ({ body }) => (await settings()).connect(body.connect),
    'POST /api/settings/agents/:agent/try': async ({ params, raw }) => (await settings()).try(params.agent, raw.signal),
    'POST /api/settings/roles': async ({ body }) => (await settings()).assign(body.roles),
  }
}
