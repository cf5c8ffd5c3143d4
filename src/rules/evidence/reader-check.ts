/** Checks that the project's test report can be read, on a tree that nobody has touched. SPEC.md § VF9. */
import type { TestFacts, TestNames } from '../build/test-facts.ts'

export interface ReaderFacts {
  names: TestNames
  exitCode: number
  counts: { passed: number; failed: number; skipped: number }
  /** The runners that were seen to start. */
  runners: readonly string[]
  failedPart?: { command: string; exitCode: number | null }
  tests?: readonly Pick<TestFacts, 'outcome'>[]
  loadErrors?: readonly { message: string }[]
  /** The runner found no tests, so that it reported none. */
  isEmpty?: boolean
}

export interface ReaderVerdict {
  /** `degraded`: work is judged by exit codes, or beside tests that fail already. `broken`: no build can pass. */
  state: 'ok' | 'degraded' | 'broken'
  detail: string
  fix?: string
}

export function readerCheck(facts: ReaderFacts): ReaderVerdict {
  const { names, exitCode, counts, runners, failedPart } = facts
  const by = runners.length > 0 ? ` by ${[...new Set(runners)].join(', ')}` : ''
  const total = counts.passed + counts.failed + counts.skipped
  if (failedPart)
    return {
      state: 'broken',
      detail: `\`${failedPart.command}\` fails on the untouched tree with exit code ${failedPart.exitCode}, in front of or beside the tests`,
      fix: 'make it pass, or write build: {test: <the tests alone>} into convene.yaml',
    }
  if (names !== 'reported' && !facts.isEmpty)
    return {
      state: exitCode === 0 ? 'degraded' : 'broken',
      detail: `names unknown: no report of the tests${by} could be read; exit code ${exitCode}`,
      fix: 'write build: {test: <command>} into convene.yaml that starts the test runner itself, such as `npx vitest run`',
    }
  if (exitCode === 0 && counts.failed > 0)
    return {
      state: 'broken',
      detail: `${tests(counts.failed)} of ${total} fail${by}, but the test command ends with exit code 0`,
      fix: 'write a build.test into convene.yaml that fails when a test fails, without `|| true` or a pipe',
    }
  if (total === 0)
    return {
      state: 'degraded',
      detail: `no test was found${by}`,
      fix: 'write a first test, or correct build.test in convene.yaml',
    }
  if (exitCode !== 0 && counts.failed === 0)
    return {
      state: 'broken',
      detail: `all ${tests(total)} pass${by}, but the test command ends with exit code ${exitCode}`,
      fix: 'run the command yourself and see what fails beside the tests, such as a coverage limit',
    }
  if (couldNotLoad(facts))
    return {
      state: 'broken',
      detail: `no test file can be loaded${by}: ${facts.loadErrors?.[0]?.message.split('\n')[0] ?? `exit code ${exitCode}`}`,
      fix: "run the test command yourself: the runner's settings or one of its dependencies does not work here",
    }
  if (counts.failed > 0)
    return {
      state: 'degraded',
      detail: `${tests(counts.failed)} of ${total} fail${by} before any work`,
      fix: 'repair them, or leave them: only tests that pass now must pass later',
    }
  return { state: 'ok', detail: `${tests(total)} read from the report${by}` }
}

/** Not one test ran: what stops them all is seldom the code. */
function couldNotLoad({ exitCode, tests = [] }: ReaderFacts): boolean {
  return exitCode !== 0 && tests.length > 0 && tests.every(({ outcome }) => outcome === 'import-error')
}

function tests(count: number): string {
  return count === 1 ? '1 test' : `${count} tests`
}
