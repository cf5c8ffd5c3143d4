/** A project's workspace: its repository, worktrees, commands, tests and syntax reader. */
import { ConveneError } from '../kernel/errors.ts'
import type { SyntaxFacts } from '../rules/build/syntax-facts.ts'
import type { Commands } from '../workspace/commands/command.ts'
import type { Repository } from '../workspace/git/repository.ts'
import type { SyntaxReader } from '../workspace/syntax/syntax.ts'
import type { TestRunner } from '../workspace/test-results/test-runner.ts'
import type { Worktrees } from '../workspace/worktrees/worktrees.ts'
import type { KeptTestResults } from './kept-test-results.ts'
import type { SeenTests } from './seen-tests.ts'

export interface ProjectCommands {
  setup?: string
  build?: string
  test: string
  contract?: string
}

export interface ProjectWorkspace {
  repository: Repository
  worktrees: Worktrees
  commands: Commands
  tests: TestRunner
  testResults: KeptTestResults
  seenTests: SeenTests
  /** Builds that have reported to their person that the test report cannot be read. */
  unread: Set<string>
  /** By build, the commit that the user had, if `build.build` passes on the untouched tree: a failure is the work's then. */
  buildsUntouched: Map<string, string>
  syntax: SyntaxReader
  project: ProjectCommands
  /** After how many seconds Convene ends one of them. */
  commandSeconds: number
  /** Programs that the commands name by path; the sandbox lets every command read them. */
  programs: string[]
  /** Variables that hold secrets, by the configuration: the user's hooks do not see them. */
  secretNames: string[]
}

/** Paths in specs and replies are relative to the project; git's are relative to the top of the repository. */
export function inRepository(workspace: ProjectWorkspace, path: string): string {
  return workspace.repository.prefix + path
}

export function inProject(workspace: ProjectWorkspace, path: string): string | null {
  const { prefix } = workspace.repository
  return path.startsWith(prefix) ? path.slice(prefix.length) : null
}

/** Syntax facts of some files at a commit; missing files are left out. */
export async function factsAt(
  workspace: ProjectWorkspace,
  commit: string,
  files: readonly string[],
): Promise<SyntaxFacts[]> {
  const wanted = [...new Set(files)]
  if (wanted.length === 0) return []
  const texts = await workspace.repository.readFiles(
    commit,
    wanted.map((file) => inRepository(workspace, file)),
  )
  return wanted.flatMap((file) => {
    const text = texts.get(inRepository(workspace, file))
    return text === undefined ? [] : [workspace.syntax.read(file, text)]
  })
}

export function noTestCommand(): ConveneError {
  return new ConveneError(
    'no_test_command',
    'build.test: no test command was found, and without tests nothing a build claims could be checked. Write build: {test: <command>} into convene.yaml.',
    { path: 'build.test', expected: 'a command that runs the tests' },
  )
}
