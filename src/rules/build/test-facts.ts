/** What was seen of one test in one run, as data. The workspace reads it from the runner; rules decide by it. */

/**
 * How a test ended. `failed`: red, and the runner does not say why. `import-error` names what could not be found, where
 * that is known.
 */
export type TestOutcome = 'passed' | 'assertion' | 'not-implemented' | 'import-error' | 'error' | 'failed' | 'skipped'

export interface TestFacts {
  /** The test's own title. */
  name: string
  /** The title with those of the groups around it, where the runner has groups. */
  fullName?: string
  outcome: TestOutcome
  /** The path that an import did not find, in plain form. */
  missing?: string
  /** What the file at that path was to export and does not; without it, the file itself was not found. */
  missingName?: string
}

/** Finds a test by the name it was planned under; one that is run for several cases is all of these. */
export function findTests(tests: readonly TestFacts[], name: string): TestFacts[] {
  const bySome = (fits: (test: TestFacts, known: string) => boolean) =>
    tests.filter((test) => namesOf(test).some((known) => fits(test, known)))
  const same = bySome((_, known) => plain(known) === plain(name))
  if (same.length > 0) return same
  return bySome((test, known) => isCase(known, name) || (isUnloaded(test) && isCase(name, known)))
}

/** Names one test among many runs: two groups may hold a test of the same title. */
export function testKey(test: TestFacts): string {
  return plain(test.fullName ?? test.name)
}

function namesOf({ name, fullName }: TestFacts): string[] {
  return fullName === undefined ? [name] : [name, fullName]
}

/** Its file could not be run, so that its name comes from the source: there the cases are not told yet. */
function isUnloaded({ outcome }: TestFacts): boolean {
  return outcome === 'import-error' || outcome === 'error'
}

/** pytest puts a case in brackets behind the name; Jest and Vitest fill in the placeholders of a title. */
function isCase(name: string, of: string): boolean {
  const [plainName, plainOf] = [plain(name), plain(of)]
  if (/\w$/.test(plainOf) && plainName.startsWith(`${plainOf}[`) && plainName.endsWith(']')) return true
  const parts = of.split(placeholder)
  if (parts.length === 1 || !parts.some((part) => /[\p{L}\p{N}]/u.test(part))) return false
  // A case may be an empty text, at the end of a title too.
  return isFilledIn(name, parts) || isFilledIn(plainName, plainOf.split(placeholder))
}

/** `%s`, `$name`, `$#` and `${expression}`. */
const placeholder = /%[sdifjoOp#$]|\$(?:[A-Za-z_][\w.]*|#)|\$\{[^}]*\}/

/** Each part after the one before; what lies between may be anything. A pattern would take too long for hostile names. */
function isFilledIn(name: string, parts: readonly string[]): boolean {
  const [first = '', ...rest] = parts
  const last = rest.pop() ?? ''
  if (!name.startsWith(first) || !name.endsWith(last)) return false
  const end = name.length - last.length
  let at = first.length
  for (const part of rest) {
    const found = name.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return at <= end
}

function plain(name: string): string {
  return name.trim().replace(/\s+/g, ' ')
}
