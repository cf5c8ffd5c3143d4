/** Login at an OpenID Connect provider whose tokens are wrong, or which is away. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rehearsalProject } from '../support/convene.ts'
import { browserOf } from './login-browser.ts'
import { client, type Lie, startLyingProvider } from './lying-provider.ts'
import { serveTeam } from './served-team.ts'
import { type RunningPostgres, startPostgres } from './start-postgres.ts'

let postgres: RunningPostgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres?.stop())

const hourAgo = () => Math.floor(Date.now() / 1000) - 3600

const lies: [string, Lie][] = [
  ['for another client', { claims: { aud: 'another' } }],
  ['for several clients, issued to another', { claims: { aud: [client.id, 'another'], azp: 'another' } }],
  ['that has expired', { claims: { iat: hourAgo() - 60, exp: hourAgo() } }],
  ['of another issuer', { claims: { iss: 'http://127.0.0.1:1' } }],
  ['that answers another login', { claims: { nonce: 'of another login' } }],
  ['without a nonce', { claims: { nonce: undefined } }],
  ['without a subject', { claims: { sub: undefined } }],
  ['of one person, with the data of another', { userinfo: { sub: '2' } }],
  ['signed with another key', { signature: 'other key' }],
  ['that is not signed', { signature: 'none' }],
]

it('[US5] lets nobody in with a token that is not for this login, and waits for a provider that is away', async () => {
  const provider = await startLyingProvider()
  const files = rehearsalProject(
    '[]\n',
    `project: lies\nauth: { issuer: "${provider.issuer}", client_id: ${client.id}, client_secret_env: CLIENT_SECRET }\n`,
  )
  const env = { CONVENE_DATABASE_URL: postgres.url, CLIENT_SECRET: client.secret }
  const { served, owner } = await serveTeam(files, { env })
  await owner.call('POST', '/api/users', { name: 'ann', role: 'member' })
  const home = served.server.url

  await provider.goAway()
  const away = await browserOf(home).get('/auth/login')
  expect([away.status, away.text]).toEqual([503, expect.stringContaining(`${provider.issuer} did not answer`)])
  await provider.back()

  for (const [what, lie] of lies) {
    provider.lie(lie)
    const browser = browserOf(home)
    const back = await browser.login()
    expect([what, back.status, back.cookies.some((cookie) => cookie.includes('ann~'))]).toEqual([what, 401, false])
    expect([what, (await browser.get('/api/me')).status]).toEqual([what, 401])
  }

  provider.lie({})
  const browser = browserOf(home)
  const interrupted = await browser.authorise()
  await provider.goAway()
  expect((await browser.get(interrupted)).status).toBe(503)
  await provider.back()
  expect((await browser.login()).status).toBe(302)
  expect((await browser.get('/api/me')).text).toContain('"name":"ann"')
})
