/** Runs tests, counts them, and says at the end which ones failed. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { runTool } from './command.ts'

export interface TestCount {
  passed: number
  skipped?: number
  failed: Failure[]
  /** Failed, then passed on a second run. */
  unsteady?: Failure[]
}

export interface Failure {
  /** `file › suite › test`, or the name of a check. */
  name: string
  message?: string
}

/**
 * Runs the tests. In CI, files with a failure run once more, alone: a test that passes then is counted as passed and named as
 * unsteady, so that one race does not hide whether the change is right.
 */
export async function runVitest(args: string[]): Promise<TestCount> {
  const first = await runFiles(args)
  if (!process.env.CI || first.failedFiles.length === 0) return count(first)
  // A failure outside of any file can be repeated only by running everything.
  const everything = first.failedFiles.includes(noFile)
  const second = await runFiles(everything ? args : [...args, '--maxWorkers=1', ...first.failedFiles])
  const kept = everything ? [] : [...first.files].filter(([file]) => !first.failedFiles.includes(file))
  const merged = count({ ...second, files: new Map([...kept, ...second.files]) })
  const failedAgain = new Set(merged.failed.map(({ name }) => name))
  return { ...merged, unsteady: count(first).failed.filter(({ name }) => !failedAgain.has(name)) }
}

interface FileResult {
  passed: number
  skipped: number
  failed: Failure[]
}

/** Stands for the file of a failure that belongs to none. */
const noFile = ''

interface Results {
  files: Map<string, FileResult>
  failedFiles: string[]
}

async function runFiles(args: string[]): Promise<Results> {
  const folder = mkdtempSync(join(tmpdir(), 'convene-tests-'))
  const report = join(folder, 'report.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const code = await runTool('vitest', ['run', ...reporters, ...args])
  const files = readFiles(report)
  rmSync(folder, { recursive: true })
  const failedFiles = () => [...files].filter(([, { failed }]) => failed.length > 0).map(([file]) => file)
  if (code !== 0 && failedFiles().length === 0) files.set(noFile, outside('failed outside of any test: see its output'))
  return { files, failedFiles: failedFiles() }
}

function count({ files }: Results): TestCount {
  const results = [...files.values()]
  return {
    passed: results.reduce((sum, { passed }) => sum + passed, 0),
    skipped: results.reduce((sum, { skipped }) => sum + skipped, 0),
    failed: results.flatMap(({ failed }) => failed),
  }
}

/** The part of Vitest's JSON report that is read here. */
interface Report {
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { ancestorTitles: string[]; title: string; status: string; failureMessages: string[] }[]
  }[]
}

function readFiles(file: string): Map<string, FileResult> {
  try {
    const report: Report = JSON.parse(readFileSync(file, 'utf8'))
    const results = report.testResults.map(
      (result) => [relative(process.cwd(), result.name), fileResult(result)] as const,
    )
    // A file may run in several projects.
    const files = new Map<string, FileResult>()
    for (const [name, result] of results) files.set(name, added(files.get(name), result))
    return files
  } catch {
    return new Map([[noFile, outside('ended without a report: see its output')]])
  }
}

function added(before: FileResult | undefined, { passed, skipped, failed }: FileResult): FileResult {
  if (!before) return { passed, skipped, failed }
  return {
    passed: before.passed + passed,
    skipped: before.skipped + skipped,
    failed: [...before.failed, ...failed],
  }
}

function outside(message: string): FileResult {
  return { passed: 0, skipped: 0, failed: [{ name: 'vitest', message }] }
}

function fileResult(result: Report['testResults'][number]): FileResult {
  const passed = result.assertionResults.filter(({ status }) => status === 'passed').length
  const skipped = result.assertionResults.filter(({ status }) => status !== 'passed' && status !== 'failed').length
  return { passed, skipped, failed: failuresIn(result) }
}

/** A file that cannot be loaded or set up counts as one failure. */
function failuresIn({ name, status, message, assertionResults }: Report['testResults'][number]): Failure[] {
  const file = relative(process.cwd(), name)
  const tests = assertionResults.filter((test) => test.status === 'failed')
  if (status === 'failed' && tests.length === 0) return [{ name: file, message }]
  return tests.map(({ ancestorTitles, title, failureMessages }) => ({
    name: [file, ...ancestorTitles, title].join(' › '),
    message: failureMessages[0],
  }))
}

/**
 * Lists what failed and prints the count as the last line; `.ci/run` reads both. A skipped test fails a CI run: CI must have
 * everything that a test needs.
 */
export function concludeTests(counts: readonly TestCount[]): void {
  const passed = counts.reduce((sum, count) => sum + count.passed, 0)
  const skipped = counts.reduce((sum, count) => sum + (count.skipped ?? 0), 0)
  const failed = counts.flatMap((count) => count.failed)
  const unsteady = counts.flatMap((count) => count.unsteady ?? [])
  if (skipped > 0 && process.env.CI) console.log(`${skipped} tests were skipped, which counts as a failure in CI`)
  if (unsteady.length > 0) console.log(['Passed only on a second run:', ...unsteady.map(describeFailure)].join('\n'))
  if (failed.length > 0) console.log(['Failed:', ...failed.map(describeFailure)].join('\n'))
  process.exitCode = failed.length > 0 || (skipped > 0 && process.env.CI) ? 1 : 0
  console.log(`${passed} passed, ${failed.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
}

function describeFailure({ name, message = '' }: Failure): string {
  const first = stripVTControlCharacters(message).trim().split('\n')[0]
  return `  ✗ ${name.replace(/\s+/g, ' ')}${first ? `\n    ${first}` : ''}`
}
