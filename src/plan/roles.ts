/** The roles of agents in a plan, and the perspective of each. */
export const roleLenses: ReadonlyMap<string, string> = new Map([
  ['researcher-codebase', 'read what is there: which code this touches, what can be reused, what would break.'],
  ['researcher-practice', 'look at how such things are built well, and what usually goes wrong with them.'],
  ['researcher-risk', 'look for what could hurt: data, security, operations, migration, dependence on others.'],
  ['software-architect-minimal', 'find the smallest change that meets the request and leaves the rest alone.'],
  ['software-architect-clean', 'find the design that will still be clear in a year: borders, names, testability.'],
  ['software-architect-pragmatic', 'weigh effort against benefit and name what can wait.'],
  ['security-analyst', 'look for ways to misuse, leak, lose or corrupt something.'],
  ['simplicity-reviewer', 'look for what is more complicated than it has to be, and what could go.'],
  ['qa-strategist', 'plan which tests prove each criterion, on which level, and in which order.'],
  ['qa-security', 'plan tests for abuse, permissions, injection and secrets.'],
  ['qa-performance', 'plan tests for load, latency, memory and growth.'],
  ['judge-neutral', 'judge it as someone with no stake in it.'],
  ['judge-advocate', 'judge it by its strengths: would you build this as it stands?'],
  ['judge-sceptic', 'judge it by what could fail: what would have to be true for this to go wrong?'],
  ['judge-requirements', 'judge whether every requirement has a test that would fail without it.'],
  ['consistency-checker', 'compare what the documents say about one matter, word by word.'],
  ['judge-edge-cases', 'judge whether limits, errors and unusual input are covered.'],
])

/** `own`: the lenses of the project's own roles. */
export function lensOf(role: string, own: ReadonlyMap<string, string> = new Map()): string {
  return own.get(role) ?? roleLenses.get(role) ?? 'look at it from where this part stands.'
}
