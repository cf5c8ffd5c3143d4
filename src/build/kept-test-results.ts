/**
 * Keeps the test results of builds by tree and command, so that no command runs twice on the same tree of a build. The
 * set-up command and every manifest it reads are the same for one tree of one workspace, so no result outlives its set-up.
 * In memory only: after a crash the step in flight runs its tests again.
 */
import type { TestRun } from '../workspace/test-results/test-run.ts'

/** A test run whose output is in the payload store. */
export interface TestResult extends Omit<TestRun, 'output'> {
  outputBytes: number
  outputRef?: string
  /** The part of the output that shows the cause of a failure; empty after exit code 0. */
  excerpt: string
  /** Committed tests and settings that differed when the command had ended (TR7). */
  rewritten?: string[]
  /** Committed test files that were written to while they ran, and put back (TR7). */
  putBack?: string[]
  /** Obtained earlier, for the same tree and command. */
  reused?: true
}

export interface ResultKey {
  /** The root run of the build. */
  build: string
  tree: string
  /** Whether the build command ran in the worktree first. */
  built: boolean
}

/** What a test command was asked to run: everything, some files, or a contract suite. */
export interface TestRequest {
  paths?: readonly string[]
  suite?: string
  /** Without the linters and type checkers of the test command. */
  alone?: boolean
}

export class KeptTestResults {
  readonly #byCommand = new Map<string, TestResult>()
  /** The command of each request, known without a worktree. */
  readonly #commands = new Map<string, string>()
  readonly #most: number

  /** Drops the oldest result beyond `most`: one may list thousands of tests. */
  constructor(most = 64) {
    this.#most = most
  }

  forRequest(key: ResultKey, request: TestRequest): TestResult | undefined {
    const command = this.#commands.get(requestKey(key, request))
    return command === undefined ? undefined : this.forCommand(key, command)
  }

  forCommand(key: ResultKey, command: string): TestResult | undefined {
    return this.#byCommand.get(commandKey(key, command))
  }

  keep(key: ResultKey, request: TestRequest, result: TestResult): void {
    this.#commands.set(requestKey(key, request), result.command)
    const own = commandKey(key, result.command)
    this.#byCommand.delete(own)
    this.#byCommand.set(own, result)
    const [oldest] = this.#byCommand.keys()
    if (this.#byCommand.size > this.#most && oldest !== undefined) this.#byCommand.delete(oldest)
  }

  /** Forgets the results of a build, or of one of its trees. */
  forget(build: string, tree?: string): void {
    const start = tree === undefined ? build : `${build}\n${tree}`
    for (const results of [this.#byCommand, this.#commands])
      for (const key of results.keys()) if (key.startsWith(`${start}\n`)) results.delete(key)
  }
}

function commandKey({ build, tree, built }: ResultKey, command: string): string {
  return `${build}\n${tree}\n${built}\n${command}`
}

function requestKey(key: ResultKey, { paths = [], suite = '', alone = false }: TestRequest): string {
  return commandKey(key, JSON.stringify([suite, alone, ...paths]))
}
