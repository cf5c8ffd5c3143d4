/** PR5: which rulebook a peer decides by. */

/** Raise it when the same messages, proposals and limits lead to another decision. */
const edition = 1

/**
 * Peers with the same name decide alike: the edition of the rules and the limits they are given. `override` replaces it, so
 * that tests can stand for another release.
 */
export function rulebookName(limits: Readonly<Record<string, number | string>>, override?: string): string {
  if (override?.trim()) return override.trim()
  const given = Object.entries(limits).sort(([one], [other]) => (one < other ? -1 : 1))
  return `${edition} ${given.map(([name, value]) => `${name}=${value}`).join(' ')}`
}

/** Whether peers known by these rulebooks would decide alike. */
export function isOneRulebook(names: readonly string[]): boolean {
  return new Set(names).size <= 1
}
