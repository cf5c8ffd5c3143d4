/** Whether a test command found no tests at all, which is neither red nor green. */
import type { StartedRunner } from './command-parts.ts'

export interface RunWithoutTests {
  started: readonly StartedRunner[]
  /** The reports of runners that said so themselves. */
  empty: readonly string[]
  output: string
}

/** For a run without test results. A runner that crashed in one package is not hidden by another that has no tests. */
export function ranNothing({ started, empty, output }: RunWithoutTests): boolean {
  const others = started.filter(({ file }) => !empty.includes(file))
  if (others.length === 0) return started.length > 0 || saysNothingRan(output)
  return others.length === 1 && empty.length === 0 && saysNothingRan(output)
}

/** As vitest, jest, ava, mocha, node:test, pytest and unittest say it. */
export function saysNothingRan(output: string): boolean {
  return /^\W*(?:error: )?no test(?:s| files?) (?:were )?(?:found|ran)\b|couldn['’]t find any files to test|\bcollected 0 items\b|^(?:ℹ|#) tests 0$|^\s*0 passing\b/im.test(
    output,
  )
}
