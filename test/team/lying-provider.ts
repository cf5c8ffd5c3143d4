/** An OpenID Connect provider that can lie in its ID tokens, and be away. */
import { createHash, createSign, generateKeyPairSync, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** What a token says in place of the truth, or how it is signed. */
export interface Lie {
  claims?: Record<string, unknown>
  signature?: 'none' | 'other key'
  /** Of whom `userinfo` speaks. */
  userinfo?: Record<string, unknown>
}

export interface LyingProvider {
  issuer: string
  lie(lie: Lie): void
  /** Nothing listens there until `back`. */
  goAway(): Promise<void>
  back(): Promise<void>
}

export const client = { id: 'convene', secret: 'the-client-secret-of-the-tests' }
export const account = { sub: '1', preferred_username: 'ann', email: 'ann@example.com', email_verified: true }

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const { privateKey: otherKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

export async function startLyingProvider(): Promise<LyingProvider> {
  const begun = new Map<string, { nonce: string; challenge: string; redirect: string }>()
  let lie: Lie = {}
  let port = 0
  const issuer = () => `http://127.0.0.1:${port}`

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer())
    const json = (value: object, status = 200) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    }
    if (pathname === '/.well-known/openid-configuration') return json(metadata(issuer()))
    if (pathname === '/jwks')
      return json({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] })
    if (pathname === '/authorize') {
      const asked = (name: string) => searchParams.get(name) ?? ''
      if (asked('code_challenge_method') !== 'S256') return json({ error: 'invalid_request' }, 400)
      const code = randomUUID()
      begun.set(code, { nonce: asked('nonce'), challenge: asked('code_challenge'), redirect: asked('redirect_uri') })
      const back = new URL(asked('redirect_uri'))
      back.search = new URLSearchParams({ code, state: asked('state'), iss: issuer() }).toString()
      response.writeHead(302, { location: back.href }).end()
      return
    }
    if (pathname === '/userinfo') return json({ ...account, ...lie.userinfo })
    if (pathname !== '/token') return json({ error: 'not_found' }, 404)
    const form = new URLSearchParams(await textOf(request))
    const of = begun.get(form.get('code') ?? '')
    begun.delete(form.get('code') ?? '')
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isClient = form.get('client_id') === client.id && form.get('client_secret') === client.secret
    if (!of || proof !== of.challenge || form.get('redirect_uri') !== of.redirect || !isClient)
      return json({ error: 'invalid_grant' }, 400)
    const seconds = Math.floor(Date.now() / 1000)
    const truth = { iss: issuer(), aud: client.id, sub: account.sub, iat: seconds, exp: seconds + 60, nonce: of.nonce }
    const id_token = tokenOf({ ...truth, ...lie.claims }, lie.signature)
    json({ access_token: randomUUID(), token_type: 'bearer', expires_in: 60, id_token })
  }

  const listen = async () => {
    const server = createServer((request, response) => void handle(request, response))
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
    return server
  }
  let server = await listen()
  const stop = async () => {
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  onTestFinished(stop)
  return {
    issuer: issuer(),
    lie: (next) => {
      lie = next
    },
    goAway: stop,
    back: async () => {
      server = await listen()
    },
  }
}

const metadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  token_endpoint_auth_methods_supported: ['client_secret_post'],
  code_challenge_methods_supported: ['S256'],
})

function tokenOf(claims: object, signature: Lie['signature']): string {
  const alg = signature === 'none' ? 'none' : 'RS256'
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const text = `${encode({ alg, typ: 'JWT', kid: 'one' })}.${encode(claims)}`
  if (signature === 'none') return `${text}.`
  const key = signature === 'other key' ? otherKey : privateKey
  return `${text}.${createSign('RSA-SHA256').update(text).sign(key).toString('base64url')}`
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
