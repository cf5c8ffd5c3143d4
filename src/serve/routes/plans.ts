/** Handlers for plans. */
import type { App } from '../../app.ts'
import type { planRoutes } from '../api/plans.ts'
import type { Handlers } from '../api/route.ts'

export function planHandlers({ plans, access }: App): Handlers<typeof planRoutes> {
  return {
    'GET /api/plans': async ({ person }) => ({
      plans: await access.only(person, 'run', await plans.list(), ({ id }) => id),
      ...plans.teams(),
    }),
    'POST /api/plans': ({ body }) => plans.start(body),
    'POST /api/plans/advice': ({ body }) => plans.advise(body.goal, body.preset),
    'GET /api/plans/:plan': ({ params }) => plans.get(params.plan),
    'GET /api/plans/:plan/report': ({ params }) => plans.report(params.plan),
    'GET /api/plans/:plan/files': async ({ params }) => ({ files: await plans.files(params.plan) }),
    'GET /api/plans/:plan/files/:file': async ({ params }) => ({ text: await plans.read(params.plan, params.file) }),
  }
}
