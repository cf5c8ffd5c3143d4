/** Runs the project's tests and reports the outcome of each. */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { ConveneError } from '../../kernel/errors.ts'
import { isWithin } from '../../rules/build/path-confinement.ts'
import type { TestFacts } from '../../rules/build/test-facts.ts'
import { outsideFailures } from '../../rules/evidence/outside-failures.ts'
import type { CommandResult, Commands } from '../commands/command.ts'
import { programsIn } from '../commands/programs-in.ts'
import { commandParts, emptyRunners, startedRunners } from './command-parts.ts'
import { projectScripts } from './project-scripts.ts'
import { ranNothing } from './ran-nothing.ts'
import { readResults } from './read-results.ts'
import { type Runner, recogniseRunner } from './recognise-runner.ts'
import { hooksFolder, withHooks } from './report-hooks.ts'
import { type ReportingCommand, reportingCommand, runnerAlone } from './reporting-command.ts'
import { inProject, testFactsOf } from './test-facts-of.ts'
import { withoutColours } from './test-report.ts'
import type { TestRun } from './test-run.ts'
import { packageCommand } from './workspace-packages.ts'

export interface TestRunnerSettings {
  test?: string
  contract?: string
  build?: string
  timeoutMs: number
}

interface Where {
  folder: string
  /** See CommandRequest. */
  writable?: string[]
  readable?: string[]
  isUsersOwn?: boolean
  signal?: AbortSignal
  /** A limit for this run, if it is below the project's. */
  timeoutMs?: number
  onOutput?: (chunk: Buffer) => void
}

export interface Selection {
  /** Only these test files and folders, where the runner can be narrowed to them. */
  paths?: readonly string[]
  /** Only this contract suite: by the contract command, or as one path of the test command. */
  suite?: string
  /** The runner's part of a chain alone, without the linters and type checkers around it. */
  alone?: boolean
}

export interface TestRunner {
  /** All tests, or those selected. */
  run(where: Where & Selection): Promise<TestRun>
  /** The command that `run` would report for the same request. Equal commands give equal results on one tree. */
  commandFor(where: Selection & { folder: string }): Promise<string>
  /** Whether the runner would be told to run only these paths. */
  isNarrowed(where: Selection & { folder: string }): Promise<boolean>
  /** Null if the project has no build command. The caller removes the output. */
  build(where: Where): Promise<CommandResult | null>
}

export function createTestRunner(commands: Commands, settings: TestRunnerSettings): TestRunner {
  const within = ({ timeoutMs = settings.timeoutMs }: Where) => Math.min(timeoutMs, settings.timeoutMs)

  const commandOf = ({ paths, suite }: Selection): { command: string; paths: readonly string[] } => {
    if (suite !== undefined && settings.contract) return { command: settings.contract, paths: [] }
    if (!settings.test)
      throw new ConveneError('no_test_command', 'the project has no test command', { path: 'build.test' })
    return { command: settings.test, paths: suite === undefined ? (paths ?? []) : [suite] }
  }

  /** The command for some paths, the runner it starts, and which of the paths that is given. */
  const prepared = async (folder: string, selection: Selection, reports: string) => {
    const { command, paths: wanted } = commandOf(selection)
    const scripts = await projectScripts(folder)
    const runner = recogniseRunner(command, scripts)
    const ofPackage = packageCommand(command, scripts, { folder, paths: wanted })
    if (ofPackage) return { runner, paths: wanted, reporting: ofPackage }
    const paths = runner.name === 'node' ? await filesBelow(folder, wanted) : wanted
    const alone = selection.alone ? runnerAlone(command, scripts, { paths, reports }) : undefined
    if (alone) return { runner, paths, reporting: alone }
    return { runner, paths, reporting: reportingCommand(command, runner, { paths, reports }) }
  }

  return {
    async run({ paths: only, suite, alone = false, ...where }) {
      const reports = await mkdtemp(join(tmpdir(), 'convene-report-'))
      try {
        const startedAt = Date.now()
        const { runner, paths, reporting } = await prepared(where.folder, { paths: only, suite, alone }, reports)
        const writable = [...(where.writable ?? []), reports]
        const readable = [...(where.readable ?? []), ...programsIn(reporting.command), hooksFolder]
        const command = withHooks(reporting.reporting, { reports, folder: where.folder })
        const result = await commands.run({ ...where, command, timeoutMs: within(where), writable, readable })
        const from = { reports, folder: where.folder, writable: [where.folder, ...writable], startedAt }
        return await testRun(result, reporting, { runner, paths, ...from })
      } finally {
        await rm(reports, { recursive: true, force: true })
      }
    },
    async commandFor({ folder, ...selection }) {
      return (await prepared(folder, selection, '')).reporting.command
    },
    async isNarrowed({ folder, ...selection }) {
      return (await prepared(folder, selection, '')).reporting.narrowed
    },
    build: async (where) =>
      settings.build === undefined
        ? null
        : commands.run({
            ...where,
            command: settings.build,
            timeoutMs: within(where),
            readable: [...(where.readable ?? []), ...programsIn(settings.build)],
          }),
  }
}

async function testRun(
  result: CommandResult,
  { command, narrowed }: ReportingCommand,
  {
    runner,
    paths,
    writable,
    ...from
  }: {
    runner: Runner
    paths: readonly string[]
    reports: string
    folder: string
    writable: readonly string[]
    startedAt: number
  },
): Promise<TestRun> {
  const started = await startedRunners(from.reports, writable)
  const { exitCode } = result
  const output = await result.output.text()
  const empty = await emptyRunners(from.reports)
  const report = await readResults({ runner: runner.name, started, empty, exitCode, ...from, output })
  const parts = await commandParts(from.reports, from.folder, started)
  const tests = report ? testFactsOf(report, from.folder) : []
  const names = report === undefined ? 'unknown' : report.isScraped ? 'scraped' : 'reported'
  const outside = exitCode === 0 ? [] : outsideFailures(withoutColours(output))
  const loadErrors = (report?.broken ?? []).map(({ file, failure }) => ({
    file: inProject(file, from.folder) ?? file,
    message: failure,
  }))
  return {
    ...result,
    command,
    tests,
    counts: countsOf(tests),
    names,
    loadErrors,
    ...parts,
    ...(outside.length > 0 ? { outside } : {}),
    ...(tests.length === 0 && ranNothing({ started, empty, output, failedPart: parts.failedPart })
      ? { isEmpty: true as const }
      : {}),
    narrowed: narrowed && isWithinPaths(tests, paths),
  }
}

/** A command may name a folder itself, so that appended paths do not narrow it. */
function isWithinPaths(tests: readonly TestFacts[], paths: readonly string[]): boolean {
  return tests.every(({ file }) => file === undefined || paths.some((path) => isWithin(file, posix.normalize(path))))
}

function countsOf(tests: readonly TestFacts[]): TestRun['counts'] {
  const passed = tests.filter(({ outcome }) => outcome === 'passed').length
  const skipped = tests.filter(({ outcome }) => outcome === 'skipped').length
  return { passed, skipped, failed: tests.length - passed - skipped }
}

/** Node's runner takes files and patterns; since version 22 it treats a folder as a file. */
async function filesBelow(folder: string, paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    paths.map(async (path) => {
      const isFolder = await stat(join(folder, path)).then(
        (status) => status.isDirectory(),
        () => false,
      )
      if (!isFolder) return [path]
      const names = (await readdir(join(folder, path), { recursive: true })).sort()
      const code = names.filter((name) => /\.[cm]?[jt]s$/.test(name) && !name.includes('node_modules/'))
      const tests = code.filter((name) => /(?:^|[/._-])tests?[._-]|[._-]tests?\.[cm]?[jt]s$/.test(name))
      return (tests.length > 0 ? tests : code).map((name) => join(path, name))
    }),
  )
  return found.flat()
}
