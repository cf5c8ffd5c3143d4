/** `/login`, and the way to the provider and back: ends with the session of a user who was added. Logout, with or without it. */
import type { Context, Hono } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { ConveneError } from '../../kernel/errors.ts'
import type { Users } from '../../kernel/users/users.ts'
import { userForLogin } from '../../rules/team/login.ts'
import { type CallerVariables, startSession } from '../people/auth.ts'
import type { People } from '../people/people.ts'
import { loginPage } from '../people/plain-pages.ts'
import type { ServerPlace } from '../people/server-place.ts'
import { loginMs, type Oidc } from './oidc.ts'

export interface LoginParts {
  oidc: Oidc
  users: Users
  people: People
  place: ServerPlace
}

const folder = '/auth'

export function loginRoutes(http: Hono<CallerVariables>, { oidc, users, people, place }: LoginParts): void {
  const cookieName = () => `${place.cookieName()}_login`
  const redirectUri = (context: Context) => `${place.originOf(context)}${folder}/callback`
  http.get('/login', (context) => context.html(loginPage()))
  http.get(`${folder}/login`, (context) =>
    explained(context, async () => {
      const { address, cookie } = await oidc.begin(redirectUri(context))
      // Lax: the browser comes back from another site.
      setCookie(context, cookieName(), cookie, {
        httpOnly: true,
        sameSite: 'Lax',
        path: folder,
        maxAge: loginMs / 1000,
        secure: place.isSecure(context),
      })
      return context.redirect(address)
    }),
  )
  http.get(`${folder}/callback`, (context) =>
    explained(context, async () => {
      const begun = getCookie(context, cookieName())
      deleteCookie(context, cookieName(), { path: folder })
      const claims = await oidc.finish(new URL(context.req.url), redirectUri(context), begun)
      const user = userForLogin(claims, await users.list())
      if (!user)
        throw new ConveneError('unknown_user', 'you are not a user of this project. Ask an owner to add you.', {
          status: 403,
        })
      await startSession(context, people, user, place)
      return context.redirect('/')
    }),
  )
}

/** Ends the session of this browser; with a token in the address it can begin another. */
export function logoutRoute(http: Hono<CallerVariables>, place: ServerPlace, { login }: { login: boolean }): void {
  http.post(`${folder}/logout`, (context) => {
    deleteCookie(context, place.cookieName(), { path: '/' })
    return context.redirect(login ? '/login' : '/', 303)
  })
}

/** A person waits in front of it: errors are a page. */
async function explained(context: Context, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ConveneError)) throw error
    return context.html(loginPage(error.message), error.status as ContentfulStatusCode)
  }
}
