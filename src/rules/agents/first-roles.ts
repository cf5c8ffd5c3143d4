/** Which of the agents on a machine join a project, and who does what. SPEC.md § AG7. */

/** An agent that can be asked on this machine. */
export interface Candidate {
  name: string
  kind: 'coding' | 'model'
  /** Who makes it. */
  vendor: string
}

/** A role that is left out falls to an agent of Convene's choice. */
export interface FirstRoles {
  impl?: string
  reviewer?: string
  tdd?: string
}

/** A vendor's coding agent speaks for its models too: a room gains nothing from the same mind twice. */
export function joining<Found extends Candidate>(found: readonly Found[]): Found[] {
  const coding = found.filter(({ kind }) => kind === 'coding')
  const vendors = new Set(coding.map(({ vendor }) => vendor))
  return [...coding, ...found.filter(({ kind, vendor }) => kind === 'model' && !vendors.has(vendor))]
}

/** The strongest implements, another vendor reviews, and a third one writes the tests, as far as there are so many. */
export function firstRoles(found: readonly Candidate[]): FirstRoles {
  const [impl, ...others] = joining(found)
  if (!impl || others.length === 0) return {}
  const reviewer = others.find(({ vendor }) => vendor !== impl.vendor) ?? others[0]!
  const tdd = others.find(({ vendor }) => vendor !== impl.vendor && vendor !== reviewer.vendor)
  return { impl: impl.name, reviewer: reviewer.name, ...(tdd ? { tdd: tdd.name } : {}) }
}
