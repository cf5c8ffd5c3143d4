/** Handlers for the users of a shared project and what they did. */

import { readAudit } from '../../app/audit.ts'
import type { App } from '../../app.ts'
import type { Handlers } from '../api/route.ts'
import type { teamRoutes } from '../api/team.ts'

export function teamHandlers({ users, store }: App): Handlers<typeof teamRoutes> {
  return {
    'GET /api/me': ({ person: { name, role } }) => ({ name, role, shared: users.shared }),
    'GET /api/users': async () => ({ users: await users.list() }),
    'POST /api/users': ({ body }) => users.add(body),
    'POST /api/users/:user/token': async ({ params }) => ({ token: await users.replaceToken(params.user) }),
    'POST /api/users/:user/remove': async ({ params }) => {
      await users.remove(params.user)
      return { removed: params.user }
    },
    'GET /api/audit': ({ query }) => readAudit(store, query),
  }
}
