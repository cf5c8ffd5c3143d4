/** Handlers for comparisons. */
import type { App } from '../../app.ts'
import type { comparisonRoutes } from '../api/comparisons.ts'
import type { Handlers } from '../api/route.ts'

export function comparisonHandlers({ comparisons }: App): Handlers<typeof comparisonRoutes> {
  return {
    'POST /api/comparisons': ({ body }) => comparisons.start(body),
    'GET /api/comparisons/:comparison/report': ({ params }) => comparisons.report(params.comparison),
  }
}
