/** Runs the project's tests and reports the outcome of each. */
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConveneError } from '../../kernel/errors.ts'
import type { TestFacts } from '../../rules/build/test-facts.ts'
import type { CommandResult, Commands } from '../commands/command.ts'
import { programsIn } from '../commands/programs-in.ts'
import { mochaReporter } from './mocha-report.ts'
import { projectScripts } from './project-scripts.ts'
import { readResults } from './read-results.ts'
import { type Runner, recogniseRunner } from './recognise-runner.ts'
import { type ReportingCommand, reportingCommand } from './reporting-command.ts'
import { inProject, testFactsOf } from './test-facts-of.ts'
import type { TestRun } from './test-run.ts'

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
  signal?: AbortSignal
  onOutput?: (chunk: Buffer) => void
}

export interface Selection {
  /** Only these test files and folders, where the runner can be narrowed to them. */
  paths?: readonly string[]
  /** Only this contract suite: by the contract command, or as one path of the test command. */
  suite?: string
}

export interface TestRunner {
  /** All tests, or those selected. */
  run(where: Where & Selection): Promise<TestRun>
  /** The command that `run` would report for the same request. Equal commands give equal results on one tree. */
  commandFor(where: Selection & { folder: string }): Promise<string>
  /** Null if the project has no build command. The caller removes the output. */
  build(where: Where): Promise<CommandResult | null>
}

export function createTestRunner(commands: Commands, settings: TestRunnerSettings): TestRunner {
  const { timeoutMs } = settings

  const commandOf = ({ paths, suite }: Selection): { command: string; paths: readonly string[] } => {
    if (suite !== undefined && settings.contract) return { command: settings.contract, paths: [] }
    if (!settings.test)
      throw new ConveneError('no_test_command', 'the project has no test command', { path: 'build.test' })
    return { command: settings.test, paths: suite === undefined ? (paths ?? []) : [suite] }
  }

  /** Which runner the command starts, and which of the paths it is given. */
  const runnerIn = async (folder: string, { command, paths }: ReturnType<typeof commandOf>) => {
    const runner = recogniseRunner(command, await projectScripts(folder))
    return { runner, paths: runner.name === 'node' ? await filesBelow(folder, paths) : paths }
  }

  return {
    async run({ paths: only, suite, ...where }) {
      const selected = commandOf({ paths: only, suite })
      const { runner, paths } = await runnerIn(where.folder, selected)
      const reports = await mkdtemp(join(tmpdir(), 'convene-report-'))
      try {
        if (runner.name === 'mocha') await writeFile(join(reports, 'reporter.cjs'), mochaReporter)
        const startedAt = Date.now()
        const reporting = reportingCommand(selected.command, runner, { paths, reports })
        const writable = [...(where.writable ?? []), reports]
        const readable = [...(where.readable ?? []), ...programsIn(selected.command)]
        const result = await runReporting(commands, reporting, { ...where, timeoutMs, writable, readable })
        return await testRun(result, reporting, { runner, reports, folder: where.folder, startedAt })
      } finally {
        await rm(reports, { recursive: true, force: true })
      }
    },
    async commandFor({ folder, ...selection }) {
      const selected = commandOf(selection)
      const { runner, paths } = await runnerIn(folder, selected)
      return reportingCommand(selected.command, runner, { paths, reports: '' }).command
    },
    build: async (where) =>
      settings.build === undefined
        ? null
        : commands.run({
            ...where,
            command: settings.build,
            timeoutMs,
            readable: [...(where.readable ?? []), ...programsIn(settings.build)],
          }),
  }
}

type Requested = Omit<Parameters<Commands['run']>[0], 'command'>

/** An old Node rejects the reporter options in NODE_OPTIONS before running anything. Then run the plain command. */
async function runReporting(commands: Commands, { command, reporting }: ReportingCommand, request: Requested) {
  const result = await commands.run({ ...request, command: reporting })
  if (result.exitCode !== 9 || !/is not allowed in NODE_OPTIONS/.test(result.tail)) return result
  await result.output.remove()
  return commands.run({ ...request, command })
}

async function testRun(
  result: CommandResult,
  { command, narrowed }: ReportingCommand,
  { runner, ...from }: { runner: Runner; reports: string; folder: string; startedAt: number },
): Promise<TestRun> {
  const report = await readResults({ runner: runner.name, ...from, output: await result.output.text() })
  const tests = report ? testFactsOf(report, from.folder) : []
  const names = report === undefined ? 'unknown' : report.isScraped ? 'scraped' : 'reported'
  const loadErrors = (report?.broken ?? []).map(({ file, failure }) => ({
    file: inProject(file, from.folder) ?? file,
    message: failure,
  }))
  return { ...result, command, tests, counts: countsOf(tests), names, loadErrors, parts: [], narrowed }
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
