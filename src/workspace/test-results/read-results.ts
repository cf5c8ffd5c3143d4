/** Reads the results of a test run from the runner's report, its own result files, or its output. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isCargoTest, readCargoTest } from './cargo-output.ts'
import { isGoTest, readGoTest } from './go-output.ts'
import { readJestReport } from './jest-report.ts'
import { isMarked, readMarked } from './marked-output.ts'
import { mochaReportName, readMochaReport } from './mocha-report.ts'
import type { RunnerName } from './recognise-runner.ts'
import { reportName } from './reporting-command.ts'
import { goModule } from './resolve-missing.ts'
import { isTap, readTap } from './tap-output.ts'
import { emptyReport, type TestReport, withoutColours } from './test-report.ts'
import { isUnittest, readUnittest } from './unittest-output.ts'

export interface RunResults {
  runner: RunnerName | undefined
  folder: string
  /** The folder for the runner's report. */
  reports: string
  output: string
  /** Older result files belong to another run. */
  startedAt: number
}

/** Undefined if the tests' names are unknown. */
export async function readResults(results: RunResults): Promise<TestReport | undefined> {
  const reported = await fromReport(results).catch(() => undefined)
  return reported ?? (await fromOutput(withoutColours(results.output), results.folder)) ?? fromCrash(results)
}

async function fromReport({ runner, reports, folder, startedAt }: RunResults): Promise<TestReport | undefined> {
  const report = (name = reportName) => readFile(join(reports, name), 'utf8')
  switch (runner) {
    case 'vitest':
    case 'jest':
      return readJestReport(await report())
    case 'mocha':
      return readMochaReport(await report(mochaReportName))
    case 'node':
      return readTap(await report())
    case 'pytest':
    case 'bun':
    case 'deno':
    case 'phpunit':
      return (await junitReader())(await report())
    case 'maven':
    case 'gradle':
      return fromFiles(folder, startedAt)
    default:
      return undefined
  }
}

/** Each module of a Java project has its own folder of results. */
async function fromFiles(folder: string, startedAt: number): Promise<TestReport | undefined> {
  const names = await readdir(folder, { recursive: true })
  const reports = names.filter((name) =>
    /(?:surefire-reports|failsafe-reports|test-results\/[^/]+)\/TEST-[^/]+\.xml$/.test(name),
  )
  const fresh: TestReport[] = []
  const readJunitReport = await junitReader()
  for (const name of reports.sort()) {
    const path = join(folder, name)
    if ((await stat(path)).mtimeMs >= startedAt) fresh.push(readJunitReport(await readFile(path, 'utf8')))
  }
  if (fresh.length === 0) return undefined
  return { tests: fresh.flatMap(({ tests }) => tests), broken: fresh.flatMap(({ broken }) => broken) }
}

async function fromOutput(output: string, folder: string): Promise<TestReport | undefined> {
  const readers: [boolean, () => TestReport | Promise<TestReport>][] = [
    [isTap(output), () => readTap(output)],
    [/<testsuite[\s>]/.test(output), () => junitInOutput(output)],
    [isGoTest(output), () => readGoTest(output, goModule(folder))],
    [isCargoTest(output), () => readCargoTest(output)],
    [isUnittest(output), () => readUnittest(output)],
    [isMarked(output), () => readMarked(output)],
  ]
  for (const [fits, read] of readers) {
    if (!fits) continue
    const report = await read()
    if (report.tests.length + report.broken.length > 0) return report
  }
  return undefined
}

/** Output that only looks like a report gives no tests, so that the other readers are tried. */
async function junitInOutput(output: string): Promise<TestReport> {
  const read = await junitReader()
  try {
    return read(output.slice(output.indexOf('<testsuite')))
  } catch {
    return emptyReport()
  }
}

/** Loaded on first use: most projects write no XML, and its parser takes 40 ms to load. */
async function junitReader(): Promise<(text: string) => TestReport> {
  return (await import('./junit-report.ts')).readJunitReport
}

/** A runner that crashes on a test file it cannot load (as Mocha does) ran nothing, but names the file. */
function fromCrash({ output }: RunResults): TestReport | undefined {
  const patterns = [
    /Cannot find (?:module|package) ['"][^'"]+['"] imported from ['"]?([^'"\n]+?)['"]?$/m,
    /Cannot find module ['"][^'"]+['"]\s*\n(?:#\s*)?Require stack:\n(?:#\s*)?- ([^\n]+)/,
    /^file:\/\/(\/[^\n]+?):\d+\n[\s\S]{0,2000}?does not provide an export named/m,
  ]
  const file = patterns.map((pattern) => pattern.exec(output)?.[1]).find(Boolean)
  const isTest = file !== undefined && /(?:^|[/._-])(?:tests?|specs?)(?:[/._-]|$)/i.test(file)
  return isTest ? { ...emptyReport(), broken: [{ file, failure: output }] } : undefined
}
