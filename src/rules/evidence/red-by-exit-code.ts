/** Judges new tests by the exit code alone, where their names are unknown. SPEC.md § VF2, VF9. */
import type { Problem } from '../schema/problem.ts'
import { saysMissing } from './missing-code.ts'
import { causeOf } from './refusal-line.ts'

export interface UnnamedRun {
  exitCode: number
  /** The command found no tests. */
  isEmpty?: boolean
  /** Every criterion under test holds already, so the tests must pass. */
  areAllKept: boolean
  /** The part of the command that failed before any test could run, such as a linter. */
  failedPart?: { command: string } | undefined
  /** The test files. */
  files: readonly string[]
  /** What the command printed, as far as it shows the cause. */
  seen: string
}

export function redByExitCode({ exitCode, isEmpty, areAllKept, failedPart, files, seen }: UnnamedRun): Problem[] {
  if (isEmpty) return [problem(`no test ran: the test command does not find them in ${files.join(', ')}`)]
  if (exitCode === 0 && !areAllKept) return [problem('the tests pass before anything is implemented')]
  if (exitCode !== 0 && areAllKept) return [problem('the tests fail, but every criterion is to be kept')]
  return complaints({ failedPart, files, seen })
}

/** A linter or compiler may complain about the missing code; only a complaint about the tests themselves is their author's. */
export function complaints({ failedPart, files, seen }: Pick<UnnamedRun, 'failedPart' | 'files' | 'seen'>): Problem[] {
  const isAboutTests = files.some((file) => seen.includes(file)) && !saysMissing(seen)
  if (!failedPart || !isAboutTests) return []
  const cause = causeOf(seen)
  return [problem(`\`${failedPart.command}\` complains about the tests${cause === undefined ? '' : `: ${cause}`}`)]
}

function problem(message: string): Problem {
  return { rule: 'VF2', message }
}
