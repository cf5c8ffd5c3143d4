/** Handlers for features, their issues and the runs that work on them. */
import type { App } from '../../app.ts'
import type { featureRoutes } from '../api/features.ts'
import type { Handlers } from '../api/route.ts'

export function featureHandlers(app: App): Handlers<typeof featureRoutes> {
  const { features, access } = app
  return {
    'GET /api/features': async ({ person }) => ({
      features: await access.only(person, 'feature', await features.list(), ({ feature }) => feature),
    }),
    'GET /api/features/:feature': ({ params }) => features.get(params.feature),
    'GET /api/features/:feature/status': ({ params }) => features.status(params.feature),
    'POST /api/features/:feature/greenlight': async ({ params, body }) => {
      const { issues = [], from_github } = body
      const imported = from_github === undefined ? [] : await features.importFrom(from_github)
      return features.greenlight(params.feature, [...issues, ...imported])
    },
    'POST /api/features/:feature/unblock': ({ params, body }) => features.unblock(params.feature, body.issue),
    'POST /api/features/:feature/reviewed': ({ params, body: { issue, issues } }) =>
      features.reviewed(params.feature, issue === undefined ? (issues ?? 'all') : [issue]),
    'POST /api/features/:feature/runs': ({ params, body }) => features.start(params.feature, body),
    'GET /api/feature-runs/:run/report': ({ params }) => features.report(params.run),
    'POST /api/webhooks/github': async ({ raw }) =>
      app.receiveFromForge({
        event: raw.headers.get('x-github-event') ?? '',
        signature: raw.headers.get('x-hub-signature-256') ?? undefined,
        body: new Uint8Array(await raw.arrayBuffer()),
      }),
  }
}
