/** US1–US3: what a person of a team may call, and which rooms and streams they see. Browser-safe. */

export const roles = ['viewer', 'member', 'owner'] as const
/** Each role may do what the ones before it may. */
export type Role = (typeof roles)[number]

export interface Person {
  name: string
  role: Role
}

/** The holder of the server's own token: the only person of a project without a shared database. */
export const tokenHolder: Person = { name: 'you', role: 'owner' }

/** US1 */
export function mayUse({ role }: Person, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed)
}

/** US2: a room without `members` is everyone's. */
export function seesRoom({ name, role }: Person, { members }: { members?: readonly string[] }): boolean {
  return role === 'owner' || members === undefined || members.includes(name)
}

export const usersStream = 'users'
export const actionsStream = 'actions'
export const credentialsStream = 'credentials'

/** US3: streams that belong to no room. */
export function seesStream({ role }: Person, stream: string): boolean {
  if (stream === credentialsStream) return false
  return role === 'owner' || (stream !== usersStream && stream !== actionsStream)
}
