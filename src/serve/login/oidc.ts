/** Login at an OpenID Connect provider: authorization code with PKCE, state and nonce. */
import { createHmac } from 'node:crypto'
import { ConveneError } from '../../kernel/errors.ts'
import type { LoginClaims } from '../../rules/team/login.ts'
import { sameSecret } from '../people/people.ts'

export interface OidcSettings {
  issuer: string
  client_id: string
  client_secret_env: string
}

export interface Oidc {
  /** Where to send the browser, and what it brings back in a cookie. */
  begin(redirectUri: string): Promise<{ address: string; cookie: string }>
  /** What the provider says about the person who logged in. Throws if the response does not belong to the cookie. */
  finish(response: URL, redirectUri: string, cookie: string | undefined): Promise<LoginClaims>
}

interface Begun {
  state: string
  nonce: string
  verifier: string
}

type Library = typeof import('openid-client')

export function createOidc(settings: OidcSettings, env: NodeJS.ProcessEnv): Oidc {
  let connected: Promise<{ library: Library; provider: Awaited<ReturnType<Library['discovery']>> }> | undefined
  const secret = () => {
    const value = env[settings.client_secret_env]
    if (value) return value
    throw unavailable(`${settings.client_secret_env} is not set where Convene runs`)
  }
  /** Looked up with the first login, and again if that failed. */
  const connect = () => {
    connected ??= (async () => {
      const library = await import('openid-client')
      const issuer = new URL(settings.issuer)
      // Without it the signature of an ID token that came over TLS is not looked at.
      const execute = [library.enableNonRepudiationChecks]
      if (isLoopback(issuer)) execute.push(library.allowInsecureRequests)
      const provider = await library.discovery(issuer, settings.client_id, secret(), undefined, { execute })
      return { library, provider }
    })()
    connected.catch(() => {
      connected = undefined
    })
    return connected.catch((error) => {
      throw error instanceof ConveneError ? error : unavailable(`${settings.issuer} did not answer as expected`, error)
    })
  }
  return {
    async begin(redirectUri) {
      const { library, provider } = await connect()
      const begun: Begun = {
        state: library.randomState(),
        nonce: library.randomNonce(),
        verifier: library.randomPKCECodeVerifier(),
      }
      const address = library.buildAuthorizationUrl(provider, {
        redirect_uri: redirectUri,
        scope: 'openid profile email',
        state: begun.state,
        nonce: begun.nonce,
        code_challenge: await library.calculatePKCECodeChallenge(begun.verifier),
        code_challenge_method: 'S256',
      })
      return { address: address.href, cookie: signed(begun, secret(), redirectUri) }
    },
    async finish(response, redirectUri, cookie) {
      const begun = verified(cookie, secret(), redirectUri)
      if (!begun) throw refused('it was not begun in this browser, or too long ago')
      const { library, provider } = await connect()
      try {
        const tokens = await library.authorizationCodeGrant(provider, new URL(response.search, redirectUri), {
          expectedState: begun.state,
          expectedNonce: begun.nonce,
          pkceCodeVerifier: begun.verifier,
          idTokenExpected: true,
        })
        const claims: LoginClaims & { sub: string } = { ...tokens.claims()! }
        // Many providers keep the ID token small.
        const isComplete = claims.email !== undefined && claims.preferred_username !== undefined
        if (isComplete || provider.serverMetadata().userinfo_endpoint === undefined) return claims
        return { ...claims, ...(await library.fetchUserInfo(provider, tokens.access_token, claims.sub)) }
      } catch (error) {
        if (isUnreachable(error)) throw unavailable(`${settings.issuer} did not answer`, error)
        throw refused('the provider did not confirm it', error)
      }
    },
  }
}

/** Any server of the team can finish what another began: all know the client secret. */
function signed(begun: Begun, secret: string, redirectUri: string): string {
  const text = Buffer.from(JSON.stringify({ ...begun, until: Date.now() + loginMs })).toString('base64url')
  return `${text}.${signature(text, secret, redirectUri)}`
}

function verified(cookie: string | undefined, secret: string, redirectUri: string): Begun | null {
  const [text = '', given = ''] = (cookie ?? '').split('.')
  if (!sameSecret(given, signature(text, secret, redirectUri))) return null
  const { until, ...begun } = JSON.parse(Buffer.from(text, 'base64url').toString()) as Begun & { until: number }
  return until > Date.now() ? begun : null
}

function signature(text: string, secret: string, redirectUri: string): string {
  return createHmac('sha256', secret).update(`convene login to ${redirectUri}: ${text}`).digest('base64url')
}

export const loginMs = 10 * 60_000

const isLoopback = ({ protocol, hostname }: URL) =>
  protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)

/** `fetch` says so with a TypeError, whose cause has the error of the system; the library puts it into an error of its own. */
function isUnreachable(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause)
    if (one.name === 'TimeoutError' || (one instanceof TypeError && one.cause !== undefined)) return true
  return false
}

function unavailable(reason: string, cause?: unknown): ConveneError {
  return new ConveneError('login_unavailable', `nobody can log in: ${reason}`, { status: 503, path: 'auth', cause })
}

function refused(reason: string, cause?: unknown): ConveneError {
  return new ConveneError('login_refused', `the login failed: ${reason}. Try again.`, { status: 401, cause })
}
