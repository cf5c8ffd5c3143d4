/** Contract suites that nobody would run once the build is over. SPEC.md § MG5. */
import { isWithin } from '../build/path-confinement.ts'
import type { TestFacts, TestNames } from '../build/test-facts.ts'

export interface FinishedSuites {
  /** The contract suites of the build. */
  suites: readonly string[]
  /** Paths that the build adds. */
  added: readonly string[]
  /** What the project's test command ran, without the suites that Convene ran by themselves. */
  ran: readonly TestFacts[]
  names: TestNames
  /** The project has a command for contract suites. */
  hasCommand: boolean
}

/** MG5: those that the build adds and that the test command does not run; none where that is not known for certain. */
export function idleSuites({ suites, added, ran, names, hasCommand }: FinishedSuites): string[] {
  const isKnown = names === 'reported' && ran.length > 0 && ran.every(({ file }) => file !== undefined)
  if (hasCommand || !isKnown) return []
  const isRun = (suite: string) => ran.some(({ file }) => isWithin(file!, suite) || isWithin(suite, file!))
  return [...new Set(suites)].filter((suite) => added.includes(suite) && !isRun(suite))
}
