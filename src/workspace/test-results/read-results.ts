/** Reads the results of a test run: from the reports of its runners, their result files, or the output. */
import { lstat, readdir } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readLeftFile } from '../commands/read-left-file.ts'
import { readAva } from './ava-report.ts'
import { isCargoTest, readCargoTest } from './cargo-output.ts'
import type { StartedRunner } from './command-parts.ts'
import { codeFiles, filesNotRun } from './crashed-runner.ts'
import { isGoTest, readGoTest } from './go-output.ts'
import { readJestReport } from './jest-report.ts'
import { isMarked, readMarked } from './marked-output.ts'
import { readPlaywrightReport } from './playwright-report.ts'
import type { RunnerName } from './recognise-runner.ts'
import { readReportLines } from './report-lines.ts'
import { reportName } from './reporting-command.ts'
import { goModule } from './resolve-missing.ts'
import { isTap, readTap } from './tap-output.ts'
import { emptyReport, type TestReport, withoutColours } from './test-report.ts'

export interface RunResults {
  /** The runner that the command's text names. */
  runner: RunnerName | undefined
  /** The runners that were seen to start. */
  started: readonly StartedRunner[]
  /** The reports of those that found no tests. */
  empty: readonly string[]
  folder: string
  /** The folder for the runners' reports. */
  reports: string
  output: string
  exitCode: number
  /** Older result files belong to another run. */
  startedAt: number
}

/** Undefined if the tests' names are unknown. */
export async function readResults(results: RunResults): Promise<TestReport | undefined> {
  const output = withoutColours(results.output)
  const reports = [...(await fromReports(results, output)), ...(await fromFiles(results))]
  const printed = await fromOutput(output, results.folder, reports.length > 0)
  const all = [...reports, ...(printed ? [printed] : [])]
  if (all.length > 0) return merged(all)
  return results.exitCode === 0 ? undefined : fromCrash(output)
}

async function fromReports({ started, exitCode, empty }: RunResults, output: string): Promise<TestReport[]> {
  const read = await Promise.all(
    started.map(async (runner) => {
      const text = await readLeftFile(runner.file)
      const report = await readReport(runner, text).catch(() => undefined)
      return { runner, text, report: report && inFolder(report, runner.folder) }
    }),
  )
  const found: TestReport[] = []
  for (const { runner, text, report } of read) {
    if (report) found.push(report)
    const isEmpty = !report || report.tests.length + report.broken.length === 0
    // Playwright runs nothing if one file cannot be loaded, and names the file that threw.
    const isStopped = runner.runner === 'playwright' && report?.tests.length === 0
    const isCrash = runner.runner === 'crash' || isStopped || /^Bail out! \{/m.test(text)
    // It says that it found no tests, too, if a file could not be loaded.
    const hasNone = empty.includes(runner.file) && !report?.broken.length
    if (exitCode === 0 || !(isEmpty || isCrash) || hasNone) continue
    const seen = read.flatMap((one) => [...(one.report?.tests ?? []), ...(one.report?.broken ?? [])])
    const ran = new Set(seen.flatMap(({ file }) => file ?? []))
    const why = report?.broken[0]?.failure ?? output
    found.push(await filesNotRun(runner.folder, why, ran))
  }
  // A runner that left no report after exit code 0 makes the names incomplete.
  const isIncomplete =
    exitCode === 0 && read.some(({ report, runner }) => report === undefined && !empty.includes(runner.file))
  const known = found.filter(({ tests, broken }) => tests.length + broken.length > 0)
  // A plain program has no names but that of the file it ended in, and a runner whose reports cannot be had leaves none.
  const isNameless = read.every(({ runner, text }) => runner.runner === 'crash' || text === '')
  return isIncomplete || isNameless ? known.map((report) => ({ ...report, isScraped: true })) : known
}

async function readReport({ format, folder }: StartedRunner, text: string): Promise<TestReport | undefined> {
  if (text === '') return undefined
  switch (format) {
    case 'lines':
      return readReportLines(text)
    case 'jest':
      return readJestReport(text)
    case 'tap':
      return readTap(text)
    case 'ava':
      return readAva(text, await codeFiles(folder))
    case 'playwright':
      return readPlaywrightReport(text)
    default:
      return undefined
  }
}

/** A runner names files relative to where it ran: in a workspace, the package's folder. */
function inFolder({ tests, broken, ...rest }: TestReport, folder: string): TestReport {
  const place = (file: string) => {
    if (file.startsWith('file://')) return fileURLToPath(file)
    return isAbsolute(file) ? file : join(folder, file)
  }
  return {
    ...rest,
    tests: tests.map((test) => (test.file === undefined ? test : { ...test, file: place(test.file) })),
    broken: broken.map((one) => ({ ...one, file: place(one.file) })),
  }
}

/** Each module of a Java project has its own folder of results; other runners write one file where we asked for it. */
async function fromFiles({ runner, folder, reports, startedAt, started }: RunResults): Promise<TestReport[]> {
  if (runner === 'bun' || runner === 'deno' || runner === 'phpunit') {
    const text = await readLeftFile(join(reports, reportName))
    return text === '' ? [] : [(await junitReader())(text)]
  }
  if (started.length > 0 || !(runner === undefined || runner === 'maven' || runner === 'gradle')) return []
  const names = await readdir(folder, { recursive: true })
  const fresh: TestReport[] = []
  for (const name of names.filter((each) => junitName.test(each) && !each.includes('node_modules/')).sort()) {
    const path = join(folder, name)
    if ((await lstat(path)).mtimeMs < startedAt) continue
    const text = await readLeftFile(path)
    if (/<testsuites?[\s>]/.test(text)) fresh.push((await junitReader())(text))
  }
  return fresh.filter(({ tests, broken }) => tests.length + broken.length > 0)
}

const junitName =
  /(?:(?:surefire-reports|failsafe-reports|test-results\/[^/]+)\/TEST-[^/]+|(?:^|\/)[^/]*junit[^/]*)\.xml$/i

/** With `isReported`, only what no report can contain: the tests of Go and Rust. */
async function fromOutput(output: string, folder: string, isReported: boolean): Promise<TestReport | undefined> {
  const readers: [boolean, () => TestReport | Promise<TestReport>][] = [
    [isGoTest(output), () => readGoTest(output, goModule(folder))],
    [isCargoTest(output), () => readCargoTest(output)],
    [!isReported && isTap(output), () => tapInOutput(output)],
    [!isReported && /<testsuite[\s>]/.test(output), () => junitInOutput(output)],
    [!isReported && isMarked(output), () => readMarked(output)],
  ]
  for (const [fits, read] of readers) {
    if (!fits) continue
    const report = await read()
    if (report.tests.length + report.broken.length > 0) return report
  }
  return undefined
}

/** Other programs print into the same output: without a plan, tests may be missing. */
function tapInOutput(output: string): TestReport {
  const report = readTap(output)
  return /^1\.\.\d+/m.test(output) ? report : { ...report, isScraped: true }
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
function fromCrash(output: string): TestReport | undefined {
  const patterns = [
    /Cannot find (?:module|package) ['"][^'"]+['"] imported from ['"]?([^'"\n]+?)['"]?$/m,
    /Cannot find module ['"][^'"]+['"]\s*\n(?:#\s*)?Require stack:\n(?:#\s*)?- ([^\n]+)/,
    /^file:\/\/(\/[^\n]+?):\d+\n[\s\S]{0,2000}?does not provide an export named/m,
  ]
  const file = patterns.map((pattern) => pattern.exec(output)?.[1]).find(Boolean)
  const isTest = file !== undefined && /(?:^|[/._-])(?:tests?|specs?)(?:[/._-]|$)/i.test(file)
  return isTest ? { ...emptyReport(), broken: [{ file, failure: output }], isScraped: true } : undefined
}

function merged(reports: readonly TestReport[]): TestReport {
  const isScraped = reports.some((report) => report.isScraped)
  return {
    tests: reports.flatMap(({ tests }) => tests),
    broken: reports.flatMap(({ broken }) => broken),
    ...(isScraped ? { isScraped } : {}),
  }
}
