/** Handlers for builds. */
import type { App } from '../../app.ts'
import type { buildRoutes } from '../api/builds.ts'
import type { Handlers } from '../api/route.ts'

export function buildHandlers({ builds }: App): Handlers<typeof buildRoutes> {
  return {
    'GET /api/builds': async () => ({ builds: await builds.list() }),
    'POST /api/builds': ({ body }) => builds.start(body),
    'GET /api/builds/:build': ({ params }) => builds.get(params.build),
    'GET /api/builds/:build/report': ({ params }) => builds.report(params.build),
    'GET /api/builds/:build/diffs/:commit': ({ params }) => builds.diff(params.build, params.commit),
  }
}
