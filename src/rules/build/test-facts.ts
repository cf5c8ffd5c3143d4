/** Facts about one test in one run. The workspace reads them from the runner. */

/**
 * How a test ended. `failed`: red for an unknown reason. `import-error`: names what could not be found, if known.
 */
export type TestOutcome = 'passed' | 'assertion' | 'not-implemented' | 'import-error' | 'error' | 'failed' | 'skipped'

/**
 * Where the names of a run's tests come from. `reported`: the runner's report; they are complete. `scraped`: read from
 * printed output, a hint that never refuses work. `unknown`: only exit codes count.
 */
export type TestNames = 'reported' | 'scraped' | 'unknown'

export interface TestFacts {
  /** The test's own title. */
  name: string
  /** The title with those of its groups, if the runner has groups. */
  fullName?: string
  /** The titles of its groups, outermost first. */
  suite?: string[]
  /** The test file, relative to the project, if the runner reports it. */
  file?: string
  /** A skipped test that its author has yet to write or repair. */
  todo?: true
  outcome: TestOutcome
  /** The name was read from the source of a file that could not run: a hint, under which the test need not run later. */
  hinted?: true
  /** The path that an import did not find, in normal form. */
  missing?: string
  /** The missing export of that file; absent if the file itself is missing. */
  missingName?: string
  /** The file of the project that threw the error, if its trace says so. */
  thrownIn?: string
  /** What the runner says about the failure, in a few lines; of a skipped test, why it is skipped. */
  message?: string
}

/**
 * Finds a test by its planned name; a parameterised test is all of its cases. Each file is searched for itself: a test of that
 * very name in one does not hide the cases in another.
 */
export function findTests(tests: readonly TestFacts[], name: string): TestFacts[] {
  if (tests.every(({ file }) => file === tests[0]!.file)) return findInFile(tests, name)
  const found = new Set([...Map.groupBy(tests, ({ file }) => file).values()].flatMap((some) => findInFile(some, name)))
  return tests.filter((test) => found.has(test))
}

function findInFile(tests: readonly TestFacts[], name: string): TestFacts[] {
  const bySome = (fits: (test: TestFacts, known: string) => boolean) =>
    tests.filter((test) => namesOf(test).some((known) => fits(test, known)))
  const wanted = plain(name)
  const same = bySome((_, known) => plain(known) === wanted)
  if (same.length > 0) return same
  return bySome((test, known) => isCase(known, name) || (isUnloaded(test) && isCase(name, known)))
}

/** Identifies a test across runs, because two groups may have a test of the same title. */
export function testKey(test: TestFacts): string {
  return plain(test.fullName ?? test.name)
}

/** Identifies a test across runs, together with its file. */
export function testIdentity(test: TestFacts): string {
  return `${test.file ?? ''}\n${testKey(test)}`
}

/**
 * Identifies the test that this is a case of, where its name alone says so: `name[case]` in pytest, `TestX/case` in Go. Any
 * other test is one of its own.
 */
export function testOfCase(test: TestFacts): string {
  const { name, fullName = name, file } = test
  const isPython = file === undefined ? fullName.includes('.py::') : file.endsWith('.py')
  const own = isPython ? /^(\w+)\[.*\]$/s.exec(name) : file === undefined && goSubtest.exec(name)
  return own && fullName.endsWith(name) ? plain(fullName.slice(0, -name.length) + own[1]) : testKey(test)
}

/** The same name, and the same file where both are known. */
export function isSameTest(one: TestFacts, other: TestFacts): boolean {
  if (testKey(one) !== testKey(other)) return false
  return one.file === undefined || other.file === undefined || one.file === other.file
}

function namesOf({ name, fullName }: TestFacts): string[] {
  return fullName === undefined ? [name] : [name, fullName]
}

/** Its file could not run, so its name comes from the source, without parameterised cases. */
function isUnloaded({ outcome }: TestFacts): boolean {
  return outcome === 'import-error' || outcome === 'error'
}

/** The function and the title of a Go subtest. */
export const goSubtest = /^((?:Test|Fuzz)\w*)\/(.+)$/

/** pytest appends a case in brackets, Go behind a slash; Jest and Vitest fill in the placeholders of a title. */
function isCase(name: string, of: string): boolean {
  const [plainName, plainOf] = [plain(name), plain(of)]
  if (/\w$/.test(plainOf) && plainName.startsWith(`${plainOf}[`) && plainName.endsWith(']')) return true
  if (goSubtest.exec(plainName)?.[1] === plainOf) return true
  if (!/[%$]/.test(of)) return false
  const parts = of.split(placeholder)
  if (parts.length === 1 || !parts.some((part) => /[\p{L}\p{N}]/u.test(part))) return false
  // A case may be an empty text, at the end of a title too.
  return isFilledIn(name, parts) || isFilledIn(plainName, plainOf.split(placeholder))
}

/** `%s`, `$name`, `$#` and `${expression}`. */
const placeholder = /%[sdifjoOp#$]|\$(?:[A-Za-z_][\w.]*|#)|\$\{[^}]*\}/

/** Each part must follow the one before, with anything between. A regular expression would be too slow on hostile names. */
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
  return /^\s|\s$|\s\s|[^\S ]/.test(name) ? name.trim().replace(/\s+/g, ' ') : name
}
