/** Handlers for builds. */
import type { App } from '../../app.ts'
import type { buildRoutes } from '../api/builds.ts'
import type { Handlers } from '../api/route.ts'

export function buildHandlers({ builds, access }: App): Handlers<typeof buildRoutes> {
  return {
    'GET /api/builds': async ({ person }) => ({
      builds: await access.only(person, 'run', await builds.list(), ({ id }) => id),
    }),
    'POST /api/builds': ({ body }) => builds.start(body),
    'GET /api/builds/:build': ({ params }) => builds.get(params.build),
    'GET /api/builds/:build/report': ({ params }) => builds.report(params.build),
    'GET /api/builds/:build/diffs/:commit': ({ params }) => builds.diff(params.build, params.commit),
  }
}
