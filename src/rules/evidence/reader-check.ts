/** Checks that the project's test report can be read, on a tree that nobody has touched. SPEC.md § VF9. */
import type { TestFacts, TestNames } from '../build/test-facts.ts'
import { oneLine } from '../text/one-line.ts'
import { type EarlyEnd, endedEarly } from './ended-early.ts'
import { starterOf, type UnfoundTests } from './unfound-tests.ts'

export interface ReaderFacts {
  names: TestNames
  /** What was run. */
  command?: string
  exitCode: number
  /** How it ended: `exited`, `timed-out` … */
  ended?: string
  /** After how many seconds Convene ends a command. */
  commandSeconds?: number
  counts: { passed: number; failed: number; skipped: number }
  /** The runners that were seen to start. */
  runners: readonly string[]
  failedPart?: { command: string; exitCode: number | null }
  /** Other parts that failed beside it, each with its cause. */
  failedToo?: readonly { command: string; cause?: string | undefined }[]
  tests?: readonly Pick<TestFacts, 'outcome' | 'name'>[]
  loadErrors?: readonly { message: string }[]
  /** The line of the output that shows why the command fails. */
  cause?: string
  /** A command that starts the project's own runner, as far as its manifest tells. */
  starter?: string
  /** The file that the work will write: tests that wait for it are no fault of the runner. */
  awaited?: string
  /** The runner found no tests, so that it reported none. */
  isEmpty?: boolean
  /** Test files that are there although it found none. */
  unfound?: UnfoundTests
}

export interface ReaderVerdict {
  /** `degraded`: work is judged by exit codes, or beside tests that fail already. `broken`: no build can pass. */
  state: 'ok' | 'degraded' | 'broken'
  detail: string
  fix?: string
  /** No work could be judged, so no agent is asked. */
  blocks?: true
}

export function readerCheck(facts: ReaderFacts): ReaderVerdict {
  const { names, exitCode, counts, runners, failedPart, command = 'the test command' } = facts
  const early = endedEarly({ ...facts, command, key: 'test' })
  if (early) return stopped(facts, early)
  const by = runners.length > 0 ? ` by ${[...new Set(runners)].join(', ')}` : ''
  const total = counts.passed + counts.failed + counts.skipped
  const failing = `${tests(counts.failed)} of ${total} ${counts.failed === 1 ? 'fails' : 'fail'}`
  const because = facts.cause === undefined ? '' : `: ${facts.cause.replace(/\.$/, '')}`
  if (failedPart)
    return {
      state: 'broken',
      detail: [
        `\`${failedPart.command}\` fails on the untouched tree with exit code ${failedPart.exitCode}, in front of or beside the tests${because}`,
        ...(facts.failedToo ?? []).map(
          (part) => `so does \`${part.command}\`${part.cause === undefined ? '' : `: ${part.cause}`}`,
        ),
        ...(counts.failed > 0 ? [`${failing} too`] : []),
      ].join('; '),
      fix: 'make it pass and commit that, or write build: {test: <the tests alone>} into convene.yaml',
      ...(total === 0 ? { blocks: true } : {}),
    }
  if (exitCode !== 0 && isAwaited(facts))
    return {
      state: 'degraded',
      detail: `tests${by} wait for ${facts.awaited}, which is not written yet`,
      fix: 'nothing: the work writes it',
    }
  if (names !== 'reported' && !facts.isEmpty)
    return {
      state: exitCode === 0 ? 'degraded' : 'broken',
      detail: `names unknown: no report of the tests${by} could be read; exit code ${exitCode}${because}`,
      fix: `${exitCode === 0 ? '' : 'make the tests pass and commit that, or '}write build: {test: <command>} into convene.yaml that starts the test runner itself, such as \`${facts.starter ?? 'npx vitest run'}\``,
      ...(exitCode === 0 ? {} : { blocks: true }),
    }
  if (exitCode === 0 && counts.failed > 0)
    return {
      state: 'broken',
      detail: `${failing}${by}, but the test command ends with exit code 0`,
      fix: 'write a build.test into convene.yaml that fails when a test fails, without `|| true` or a pipe',
    }
  if (total === 0 && exitCode !== 0 && facts.unfound) return findsNone(facts, facts.unfound, because)
  if (total === 0)
    return {
      state: 'degraded',
      detail: `no test was found${by}`,
      fix: 'write a first test, or correct build.test in convene.yaml',
    }
  if (exitCode !== 0 && counts.failed === 0)
    return {
      state: 'broken',
      detail: `all ${tests(total)} pass${by}, but the test command ends with exit code ${exitCode}${because}`,
      fix: 'run the command yourself and see what fails beside the tests, such as a coverage limit',
    }
  if (couldNotLoad(facts))
    return {
      state: 'broken',
      detail: `no test file can be loaded${by}: ${facts.loadErrors?.[0]?.message.split('\n')[0] ?? facts.cause ?? `exit code ${exitCode}`}`,
      fix: "run the test command yourself: the runner's settings or one of its dependencies does not work here",
      blocks: true,
    }
  if (counts.failed > 0)
    return {
      state: 'degraded',
      detail: `${failing}${by} before any work${someOf(facts.tests)}`,
      fix: 'repair them, or leave them: only tests that pass now must pass later. Run it again if they depend on time',
    }
  return { state: 'ok', detail: `${tests(total)} read from the report${by}` }
}

/** What the tests say beyond that point is unknown. */
function stopped({ counts }: ReaderFacts, { what, fix }: EarlyEnd): ReaderVerdict {
  const total = counts.passed + counts.failed + counts.skipped
  const said =
    total === 0
      ? 'no test was reported'
      : counts.failed === 0
        ? `all ${tests(total)} passed`
        : `${tests(counts.failed)} of ${total} failed`
  return { state: 'broken', detail: `${what}; until then ${said}`, fix, ...(total === 0 ? { blocks: true } : {}) }
}

/** The command leaves out tests that are there, so it would leave out those of the work. */
function findsNone(
  { command = 'the test command', exitCode, runners }: ReaderFacts,
  { files, folder }: UnfoundTests,
  because: string,
): ReaderVerdict {
  const [first = '', ...more] = files
  const there = more.length === 0 ? `${first} has` : `${first} and ${more.length} more have`
  const starter = starterOf(runners.at(-1), folder)
  const example = starter === undefined ? '' : `, such as \`${starter}\``
  return {
    state: 'broken',
    detail: `\`${command}\` finds no test and ends with exit code ${exitCode}${because}; ${there} tests`,
    fix: `write build: {test: <command>} into convene.yaml that runs ${more.length === 0 ? 'it' : 'them'}${example}`,
    blocks: true,
  }
}

/** Every file that cannot be loaded misses the file that the work will write. */
function isAwaited({ loadErrors = [], awaited }: ReaderFacts): boolean {
  if (awaited === undefined || loadErrors.length === 0) return false
  const name = lastName(awaited)
  // The files of a folder to be written have names of their own.
  const isFolder = !/\.\w+$/.test(awaited)
  return loadErrors.every(({ message }) => {
    const missed = missing.exec(message)?.[1] ?? ''
    return lastName(missed) === name || (isFolder && namesIn(missed).includes(name))
  })
}

const missing =
  /(?:cannot find (?:module|package)|failed to resolve import|could not resolve|no module named|unresolved import)[^'"`\n]*['"`]([^'"`\n]+)/i

/** `inc` of `../src/inc.js`, `app.inc` and `zoo::inc`. */
function lastName(path: string): string {
  return namesIn(path).at(-1)!
}

function namesIn(path: string): string[] {
  return path.replace(/\.(?:[cm]?[jt]sx?|py|rs|go)$/, '').split(/[/.:\\]+/)
}

/** Not one test ran: what stops them all is seldom the code. */
function couldNotLoad({ exitCode, tests = [] }: ReaderFacts): boolean {
  return exitCode !== 0 && tests.length > 0 && tests.every(({ outcome }) => outcome === 'import-error')
}

const mostNamed = 3

/** The names of a few failing tests. */
function someOf(all: ReaderFacts['tests'] = []): string {
  const failed = all.filter(({ outcome }) => outcome !== 'passed' && outcome !== 'skipped').map(({ name }) => name)
  if (failed.length === 0) return ''
  const more = failed.length > mostNamed ? ` and ${failed.length - mostNamed} more` : ''
  return `: ${failed
    .slice(0, mostNamed)
    .map((name) => `"${oneLine(name, 80)}"`)
    .join(', ')}${more}`
}

function tests(count: number): string {
  return count === 1 ? '1 test' : `${count} tests`
}
