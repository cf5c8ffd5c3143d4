/** A runner's report of its tests, before failures are classified. */

export interface TestReport {
  tests: SeenTest[]
  broken: BrokenFile[]
  /** Read from printed marks, which any program can print: a hint only. */
  isScraped?: true
}

export interface SeenTest {
  name: string
  fullName?: string
  /** The titles of its groups, outermost first. */
  suite?: string[]
  state: 'passed' | 'failed' | 'skipped'
  /** The test file, absolute or relative to where the command ran. */
  file?: string
  /** Error type, message and trace, if the runner reports them. */
  failure?: string
  /** The runner reports that an assertion failed. */
  asserted?: boolean
  /** Why it is skipped, if the runner says so. */
  reason?: string
  /** Skipped because it has yet to be written. */
  todo?: true
}

/** A test file, or a folder of them, that failed as a whole: none of its tests ran. */
export interface BrokenFile {
  file: string
  failure: string
  /** The runner's full name of one of its tests, if it differs from the language's usual form. */
  fullName?: (title: Title) => string
}

/** A test's name and groups in the source. */
export interface Title {
  name: string
  groups: string[]
}

export function emptyReport(): TestReport {
  return { tests: [], broken: [] }
}

export function joined(groups: readonly string[], name: string): string {
  return [...groups, name].join(' ')
}

const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*[A-Za-z]`, 'g')

export function withoutColours(text: string): string {
  return text.replace(colours, '')
}
