/** US5: which user a login by OpenID Connect stands for. */

/** What the provider says about the person who logged in. */
export interface LoginClaims {
  email?: unknown
  email_verified?: unknown
  preferred_username?: unknown
}

export interface KnownUser {
  name: string
  email?: string
}

/**
 * By a verified mail address, which is compared with users' addresses and names; else by the user name, as long as it
 * does not look like an address, which the provider would have to verify. Null: nobody here.
 */
export function userForLogin<User extends KnownUser>(claims: LoginClaims, users: readonly User[]): User | null {
  const { email, email_verified, preferred_username } = claims
  if (typeof email === 'string' && email_verified === true) {
    const wanted = email.toLowerCase()
    const found = users.filter((user) => [user.email, user.name].some((own) => own?.toLowerCase() === wanted))
    if (found.length > 0) return found.length === 1 ? found[0]! : null
  }
  if (typeof preferred_username !== 'string' || preferred_username.includes('@')) return null
  return users.find(({ name }) => name === preferred_username) ?? null
}
