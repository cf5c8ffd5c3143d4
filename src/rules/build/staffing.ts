/** Which agent takes which part of a build. SPEC.md § GR13. */

export const buildRoles = ['scaffold', 'tdd', 'impl', 'merger', 'rebaser'] as const

/** `reviewer` reviews what one agent built alone, `tdd:review` the code of a graph. */
export type BuildRole = (typeof buildRoles)[number] | 'reviewer' | 'tdd:review'

type ConfiguredRoles = Partial<Record<(typeof buildRoles)[number] | 'reviewer', string | undefined>>

export interface Staffed {
  agent: string
  /** Why this agent. */
  grounds: string
}

/** `members` are the agents that may take any role, in the order of the configuration. */
export function staffing(role: BuildRole, roles: ConfiguredRoles, members: readonly string[]): Staffed {
  const first = members[0]!
  const implementer = roles.impl ?? first
  const other = members.find((name) => name !== implementer)
  const another: Staffed =
    other === undefined
      ? { agent: implementer, grounds: 'there is no other agent' }
      : { agent: other, grounds: `${implementer} writes the code, so another agent judges it` }
  const named = (...keys: (keyof ConfiguredRoles)[]): Staffed | undefined => {
    const key = keys.find((one) => roles[one] !== undefined)
    return key && { agent: roles[key]!, grounds: `roles.${key}` }
  }
  if (role === 'tdd:review' || role === 'reviewer') return named('reviewer', 'tdd') ?? another
  if (role === 'tdd') return named('tdd') ?? another
  return named(role) ?? { agent: first, grounds: 'the first agent' }
}
