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
}

/** Finds a test by the name it was planned under. */
export function findTests(tests: readonly TestFacts[], name: string): TestFacts[] {
  return tests.filter((test) => plain(test.name) === plain(name) || plain(test.fullName ?? '') === plain(name))
}

/** Names one test among many runs: two groups may hold a test of the same title. */
export function testKey(test: TestFacts): string {
  return plain(test.fullName ?? test.name)
}

function plain(name: string): string {
  return name.trim().replace(/\s+/g, ' ')
}
