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
}

export interface Failure {
  /** `file › suite › test`, or the name of a check. */
  name: string
  message?: string
}

export async function runVitest(args: string[]): Promise<TestCount> {
  const folder = mkdtempSync(join(tmpdir(), 'convene-tests-'))
  const report = join(folder, 'report.json')
  const code = await runTool('vitest', [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...args,
  ])
  const count = readCount(report)
  rmSync(folder, { recursive: true })
  if (code === 0 || count.failed.length > 0) return count
  return { ...count, failed: [{ name: 'vitest', message: 'failed outside of any test: see its output' }] }
}

/** The part of Vitest's JSON report that is read here. */
interface Report {
  numPassedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { ancestorTitles: string[]; title: string; status: string; failureMessages: string[] }[]
  }[]
}

function readCount(file: string): TestCount {
  let report: Report
  try {
    report = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return { passed: 0, failed: [{ name: 'vitest', message: 'ended without a report: see its output' }] }
  }
  const { numPassedTests: passed, numPendingTests, numTodoTests } = report
  return { passed, failed: report.testResults.flatMap(failuresIn), skipped: numPendingTests + numTodoTests }
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
  if (skipped > 0 && process.env.CI) console.log(`${skipped} tests were skipped, which counts as a failure in CI`)
  if (failed.length > 0) console.log(['Failed:', ...failed.map(describeFailure)].join('\n'))
  process.exitCode = failed.length > 0 || (skipped > 0 && process.env.CI) ? 1 : 0
  console.log(`${passed} passed, ${failed.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
}

function describeFailure({ name, message = '' }: Failure): string {
  const first = stripVTControlCharacters(message).trim().split('\n')[0]
  return `  ✗ ${name.replace(/\s+/g, ' ')}${first ? `\n    ${first}` : ''}`
}
