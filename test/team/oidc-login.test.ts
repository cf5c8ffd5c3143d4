/** Login by OpenID Connect, against a provider that others wrote, as a browser would do it. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { rehearsalProject, run, temporaryFolder } from '../support/convene.ts'
import { browserOf } from './login-browser.ts'
import { serveTeam, type Team } from './served-team.ts'
import { type RunningPostgres, startPostgres } from './start-postgres.ts'

let postgres: RunningPostgres
let projects = 0
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres?.stop())

/** It has no types. */
const untyped = 'oidc-provider'
const secret = 'the-client-secret-of-the-tests'

describe('login by OpenID Connect', () => {
  it('[US5] gives a session to a user who was added, and ends it with logout and with the user', async () => {
    const { team, browser, account } = await ready()
    await team.owner.call('POST', '/api/users', { name: 'ann', role: 'member', email: 'ann@example.com' })
    await account({ sub: '1', email: 'ann@example.com', email_verified: true })
    expect((await browser.get('/api/health')).text).toContain('"login":true')
    expect((await browser.get('/login')).text).toContain('href="/auth/login"')
    expect((await browser.get('/api/me')).status).toBe(401)
    const back = await browser.login()
    expect([back.status, back.location]).toEqual([302, '/'])
    const session = back.cookies.find((cookie) => cookie.includes('ann~'))!
    expect(session).toMatch(/HttpOnly; SameSite=Strict$/)
    expect((await browser.get('/api/me')).text).toContain('"name":"ann","role":"member"')

    // Bound to its origin, as TR12 has it: elsewhere, changed or from another page it opens nothing.
    const [cookie] = session.split(';') as [string]
    const tried = (headers: Record<string, string>) =>
      fetch(`${team.served.server.url}/api/me`, { headers }).then(({ status }) => status)
    expect(await tried({ cookie })).toBe(200)
    expect(await tried({ cookie: cookie.replace('ann~', 'you~') })).toBe(401)
    expect(await tried({ cookie: cookie.replace(/~(\d+)~/, (_, until) => `~${Number(until) + 1}~`) })).toBe(401)
    expect(await tried({ cookie, 'sec-fetch-site': 'same-site' })).toBe(401)
    expect(await tried({ authorization: `Bearer ${cookie.split('=')[1]}` })).toBe(401)

    expect((await browser.post('/auth/logout')).location).toBe('/login')
    expect((await browser.get('/api/me')).status).toBe(401)
    await browser.login()
    expect((await browser.get('/api/me')).status).toBe(200)
    await team.owner.call('POST', '/api/users/ann/remove')
    expect((await browser.get('/api/me')).status).toBe(401)
  })

  it('[US5] lets in nobody who was not added, or whose address is not verified', async () => {
    const { team, browser, account } = await ready()
    await team.owner.call('POST', '/api/users', { name: 'ann', role: 'owner', email: 'ann@example.com' })
    await account({ sub: '2', email: 'ann@example.com', email_verified: false })
    expect(await browser.login()).toMatchObject({ status: 403, text: expect.stringContaining('not a user') })
    await account({ sub: '3', email: 'eve@example.com', email_verified: true, preferred_username: 'eve' })
    expect((await browser.login()).status).toBe(403)
    expect((await browser.get('/api/me')).status).toBe(401)
    await account({ sub: '4', preferred_username: 'ann' })
    expect((await browser.login()).status).toBe(302)
  })

  it('[US5] refuses a response that it did not ask for, that was asked for elsewhere, or twice', async () => {
    const { team, browser, account, stranger } = await ready()
    await team.owner.call('POST', '/api/users', { name: 'ann', role: 'owner' })
    await account({ sub: '1', preferred_username: 'ann' })
    const response = await browser.authorise()
    expect((await stranger().get(response)).status).toBe(401)
    const other = stranger()
    await other.get('/auth/login')
    expect((await other.get(response)).status).toBe(401)
    expect((await browser.get(response.replace(/state=[^&]+/, 'state=x'))).status).toBe(401)
    const again = await browser.authorise()
    expect((await browser.get(again)).status).toBe(302)
    expect((await browser.get(again)).status).toBe(401)
    expect((await browser.get('/auth/callback')).status).toBe(401)
    expect((await browser.get('/auth/callback?error=access_denied')).status).toBe(401)
  })

  it('says why nobody can log in, and is not there without users', async () => {
    const { team } = await ready({ clientSecret: '' })
    const response = await fetch(`${team.served.server.url}/auth/login`, { redirect: 'manual' })
    expect([response.status, await response.text()]).toEqual([503, expect.stringContaining('CLIENT_SECRET is not set')])
    const alone = await serveTeam(files('http://127.0.0.1:1'), {})
    expect(await (await fetch(`${alone.served.server.url}/auth/login`)).text()).not.toContain('log in')
    expect((await alone.owner.call('GET', '/api/health')).body).toEqual({ ok: true, version: 'test' })
  })

  it('[TR4] a configured login needs trust', async () => {
    const cwd = temporaryFolder(files('https://login.example.com'))
    const refused = await run(['runs', '--json'], { cwd, env: { CONVENE_TRUST: '' } })
    expect([refused.code, refused.stdout]).toEqual([2, expect.stringMatching(/auth\.client_id.*auth\.issuer/)])
  })
})

const files = (issuer: string) =>
  rehearsalProject(
    '[]\n',
    `project: login-${++projects}\nauth: { issuer: "${issuer}", client_id: convene, client_secret_env: CLIENT_SECRET }\n`,
  )

interface Account {
  sub: string
  email?: string
  email_verified?: boolean
  preferred_username?: string
}

async function ready({ clientSecret = secret } = {}) {
  const provider = await startProvider()
  const env = { CONVENE_DATABASE_URL: postgres.url, CLIENT_SECRET: clientSecret }
  const team: Team = await serveTeam(files(provider.issuer), { env })
  provider.expect(`${team.served.server.url}/auth/callback`)
  return {
    team,
    browser: browserOf(team.served.server.url),
    stranger: () => browserOf(team.served.server.url),
    account: async (account: Account) => provider.use(account),
  }
}

/** The provider's own pages, filled in: whoever comes is logged in as the account in use and consents. */
async function startProvider() {
  const { default: Provider } = (await import(untyped)) as unknown as {
    default: new (issuer: string, settings: object) => ProviderLike
  }
  let account: Account = { sub: 'nobody' }
  let handle: (request: object, response: object) => void = () => {}
  const server = createServer((request, response) => handle(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const create = (redirect: string) => {
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: 'convene',
          client_secret: secret,
          redirect_uris: [redirect],
          token_endpoint_auth_method: 'client_secret_post',
        },
      ],
      pkce: { required: () => true },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['preferred_username'] },
      findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => account }),
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      cookies: { keys: ['only-for-tests'] },
    })
    provider.on('server_error', (_: unknown, error: unknown) => console.error(error))
    const callback = provider.callback()
    handle = async (request, response) => {
      const { url = '' } = request as { url?: string }
      if (!url.startsWith('/interaction/')) return callback(request, response)
      const { prompt, params, session } = await provider.interactionDetails(request, response)
      if (prompt.name === 'login')
        return provider.interactionFinished(request, response, { login: { accountId: account.sub } })
      const grant = new provider.Grant({ accountId: session!.accountId, clientId: params.client_id })
      grant.addOIDCScope('openid email profile')
      return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
    }
  }
  return { issuer, expect: create, use: (next: Account) => (account = next) }
}

interface ProviderLike {
  callback(): (request: object, response: object) => void
  on(event: string, listener: (...given: unknown[]) => void): void
  interactionDetails(
    request: object,
    response: object,
  ): Promise<{ prompt: { name: string }; params: { client_id: string }; session?: { accountId: string } }>
  interactionFinished(request: object, response: object, result: object): Promise<void>
  Grant: new (of: {
    accountId: string
    clientId: string
  }) => { addOIDCScope(scope: string): void; save(): Promise<string> }
}
