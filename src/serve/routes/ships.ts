/** Handlers for ships. */
import type { App } from '../../app.ts'
import type { Handlers } from '../api/route.ts'
import type { shipRoutes } from '../api/ships.ts'

export function shipHandlers({ ships, shipSettings, access }: App): Handlers<typeof shipRoutes> {
  return {
    'GET /api/ships': async ({ person }) => ({
      ships: await access.only(person, 'run', await ships.list(), ({ id }) => id),
    }),
    'POST /api/ships': ({ body }) => ships.start(body),
    'GET /api/ships/:ship': ({ params }) => ships.get(params.ship),
    'GET /api/ships/:ship/report': ({ params }) => ships.report(params.ship),
    'GET /api/ship-settings': () => shipSettings,
  }
}
