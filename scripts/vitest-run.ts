/** Runs tests and counts them. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runTool } from './command.ts'

export interface TestCount {
  passed: number
  failed: number
  skipped: number
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
  // Vitest can fail outside of any test, say in an import: count that as one failure.
  return code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count
}

function readCount(report: string): TestCount {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(readFileSync(report, 'utf8'))
    return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests }
  } catch {
    return { passed: 0, failed: 1, skipped: 0 }
  }
}

/** Prints the count as the last line. A skipped test fails a CI run: CI must have everything that a test needs. */
export function concludeTests(counts: { passed: number; failed: number; skipped?: number }[]): void {
  const sum = (key: 'passed' | 'failed' | 'skipped') => counts.reduce((total, count) => total + (count[key] ?? 0), 0)
  const skipped = sum('skipped')
  if (skipped > 0 && process.env.CI) console.log(`${skipped} tests were skipped, which counts as a failure in CI`)
  process.exitCode = sum('failed') > 0 || (skipped > 0 && process.env.CI) ? 1 : 0
  console.log(`${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
}
