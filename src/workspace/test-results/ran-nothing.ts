/** Whether a test command found no tests at all, which is neither red nor green. */
import { isChecker } from '../../rules/build/verification.ts'
import { nothingRanLine } from '../../rules/evidence/nothing-ran.ts'
import type { StartedRunner } from './command-parts.ts'

export interface RunWithoutTests {
  started: readonly StartedRunner[]
  /** The reports of runners that said so themselves. */
  empty: readonly string[]
  output: string
  /** A part of the command that failed without being a test runner. */
  failedPart?: { command: string } | undefined
}

/**
 * For a run without test results. A crash in one package, of its runner or of what runs before it, is not hidden by another
 * package that has no tests. A linter tells nothing about the tests behind it.
 */
export function ranNothing({ started, empty, output, failedPart }: RunWithoutTests): boolean {
  if (failedPart && !isChecker(failedPart.command)) return false
  const saysSo = nothingRanLine(output) !== undefined
  const others = started.filter(({ file }) => !empty.includes(file))
  if (others.length === 0) return started.length > 0 || saysSo
  return others.length === 1 && empty.length === 0 && saysSo
}
