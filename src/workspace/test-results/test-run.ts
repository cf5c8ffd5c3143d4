/** The result of one run of the project's tests. */
import type { TestFacts, TestNames } from '../../rules/build/test-facts.ts'
import type { Complaint } from '../../rules/evidence/lint-complaints.ts'
import type { CommandEnd, OutputFile } from '../commands/command.ts'

export interface TestRun {
  exitCode: number
  command: string
  /** Includes the tests of files that failed to load, by the titles in their source. */
  tests: TestFacts[]
  counts: { passed: number; failed: number; skipped: number }
  names: TestNames
  /** Files that failed as a whole, so that none of their tests ran. */
  loadErrors: LoadError[]
  /** The parts of the command that were seen to run, in the order in which they started. */
  parts: CommandPart[]
  /** The part that failed before any test runner could start, such as a linter. */
  failedPart?: FailedPart
  /** Others that failed beside it: the tests behind a linter run although it fails, and so does what follows them. */
  failedToo?: FailedPart[]
  /** What the runners report as failed beside their tests (`outside-failures.ts`). */
  outside?: string[]
  /** No runner found a test: neither red nor green. */
  isEmpty?: true
  /** Only the given paths were run. */
  narrowed: boolean
  /** The caller removes it. */
  output: OutputFile
  tail: string
  milliseconds: number
  ended: CommandEnd
  sandboxed: boolean
}

export interface LoadError {
  /** Relative to the project. */
  file: string
  message: string
}

/** One program of a chain, a script or a workspace. */
export interface CommandPart {
  command: string
  /** Relative to the project; `.` for the project itself. */
  folder: string
  /** Undefined for a linter, a compiler and other programs that run no tests. */
  runner?: string
  /** Null if it was killed. */
  exitCode: number | null
}

export interface FailedPart extends CommandPart {
  /** What a known linter or type checker printed, around its first error. */
  excerpt?: string
  /** What it complains about. */
  complaints?: Complaint[]
}
