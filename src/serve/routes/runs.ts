/** Handlers for durable runs. */
import type { App } from '../../app.ts'
import type { Handlers } from '../api/route.ts'
import type { runRoutes } from '../api/runs.ts'

export function runHandlers(app: App): Handlers<typeof runRoutes> {
  const { runs, access } = app
  return {
    'GET /api/runs': async ({ person, query }) => {
      const found = query.unrecorded ? await runs.unrecorded() : await runs.list()
      return { runs: await access.only(person, 'run', found, ({ id }) => id) }
    },
    'GET /api/runs/:run': ({ params }) => runs.get(params.run),
    'GET /api/runs/:run/overview': ({ params }) => app.overview(params.run),
    'POST /api/runs/:run/stop': ({ params }) => runs.stop(params.run),
    'POST /api/runs/:run/resume': ({ params }) => runs.resume(params.run),
    'POST /api/runs/:run/fork': ({ params, body }) => runs.fork(params.run, body.from),
    'POST /api/runs/:run/replay': ({ params }) => app.replay(params.run),
    'GET /api/why': ({ query, person }) => app.origin(query.what, (found) => access.seesOrigin(person, found)),
  }
}
