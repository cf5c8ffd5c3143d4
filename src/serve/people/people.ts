/** Who sends a request: the holder of the server's token, or a user with a token or a session of their own. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { isUserToken, type Users } from '../../kernel/users/users.ts'
import { type Person, tokenHolder } from '../../rules/team/roles.ts'

export interface People {
  byToken(token: string): Promise<Person | null>
  bySession(cookie: string, origin: string): Promise<Person | null>
  /** The cookie that stands for a person on one origin. */
  sessionOf(person: Person, origin: string): Promise<{ cookie: string; seconds: number } | null>
}

const longSeconds = 365 * 24 * 3600
/** A user's session ends on its own; they log in again. */
const userSeconds = 12 * 3600

export function createPeople(token: string, users: Users): People {
  // Somebody may serve with the token of a user: it stands for that user alone, and ends with them.
  const own = users.shared && isUserToken(token) ? null : token
  return {
    async byToken(given) {
      return (await users.byToken(given)) ?? (own !== null && sameSecret(given, own) ? tokenHolder : null)
    },
    async bySession(cookie, origin) {
      if (own !== null && sameSecret(cookie, sessionFor(own, origin))) return tokenHolder
      const [encoded = '', until = '', signature = ''] = cookie.split('~')
      const name = decoded(encoded)
      if (name === null || !(Number(until) * 1000 > Date.now())) return null
      const session = await users.session(name)
      if (!session || !sameSecret(signature, userSignature(session.key, origin, name, until))) return null
      return session.person
    },
    async sessionOf({ name }, origin) {
      if (name === tokenHolder.name)
        return own === null ? null : { cookie: sessionFor(own, origin), seconds: longSeconds }
      const session = await users.session(name)
      if (!session) return null
      const until = String(Math.floor(Date.now() / 1000) + userSeconds)
      const signature = userSignature(session.key, origin, name, until)
      return { cookie: `${encodeURIComponent(name)}~${until}~${signature}`, seconds: userSeconds }
    },
  }
}

/**
 * TR12: cookies ignore ports, so other pages on this host receive it. What it holds opens this origin alone: not the
 * token, and of no use as one.
 */
export function sessionFor(token: string, origin: string): string {
  return createHmac('sha256', token).update(`convene session for ${origin}`).digest('base64url')
}

function userSignature(key: string, origin: string, name: string, until: string): string {
  return sessionFor(key, JSON.stringify([origin, name, until]))
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text) || null
  } catch {
    return null
  }
}

export function sameSecret(given: string, expected: string): boolean {
  const a = Buffer.from(given)
  const b = Buffer.from(expected)
  return a.length === b.length && timingSafeEqual(a, b)
}
