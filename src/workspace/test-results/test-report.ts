/** What a runner said of its tests, before it is known why one failed. */

export interface TestReport {
  tests: SeenTest[]
  broken: BrokenFile[]
}

export interface SeenTest {
  name: string
  fullName?: string
  state: 'passed' | 'failed' | 'skipped'
  /** The test file, absolute or relative to where the command ran. */
  file?: string
  /** Error type, message and trace, as far as the runner gives them. */
  failure?: string
  /** The runner itself tells that it was an assertion. */
  asserted?: boolean
}

/** A test file, or a folder of them, that failed as a whole: none of its tests ran. */
export interface BrokenFile {
  file: string
  failure: string
  /** How the runner would have called a test of it, where that is not the way of its language. */
  fullName?: (title: Title) => string
}

/** A test as its source names it. */
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
