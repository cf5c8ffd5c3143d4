import { describe, expect, it } from 'vitest'
import { type ReaderFacts, readerCheck } from './reader-check.ts'

const good: ReaderFacts = {
  names: 'reported',
  exitCode: 0,
  counts: { passed: 3, failed: 0, skipped: 1 },
  runners: ['vitest', 'vitest'],
}
const check = (facts: Partial<ReaderFacts>) => readerCheck({ ...good, ...facts })

describe('the reader on the untouched tree', () => {
  it('[VF9] is fine if names, counts and exit code agree', () => {
    expect(check({})).toEqual({ state: 'ok', detail: '4 tests read from the report by vitest' })
  })

  it('[VF9] names the part that fails beside the tests', () => {
    expect(check({ exitCode: 1, failedPart: { command: 'xo', exitCode: 1 } })).toMatchObject({
      state: 'broken',
      detail: expect.stringContaining('`xo` fails on the untouched tree'),
    })
    const both = { exitCode: 1, failedPart: { command: 'xo', exitCode: 1 }, cause: 'a.js:1 no-var' }
    expect(check({ ...both, failedToo: [{ command: 'tsd', cause: 'a.test-d.ts:2 no type' }] }).detail).toBe(
      '`xo` fails on the untouched tree with exit code 1, in front of or beside the tests: a.js:1 no-var; so does `tsd`: a.test-d.ts:2 no type',
    )
    expect(check({ ...both, counts: { passed: 1, failed: 1, skipped: 0 } }).detail).toContain('; 1 test of 2 fails too')
  })

  it('[VF9] says that names are unknown, and goes by exit codes', () => {
    const counts = { passed: 0, failed: 0, skipped: 0 }
    expect(check({ names: 'unknown', counts, runners: [] })).toMatchObject({
      state: 'degraded',
      detail: expect.stringContaining('names unknown'),
    })
    expect(check({ names: 'scraped', exitCode: 1 })).toMatchObject({ state: 'broken' })
    expect(check({ names: 'unknown', counts, runners: ['node'], isEmpty: true })).toMatchObject({
      state: 'degraded',
      detail: 'no test was found by node',
    })
  })

  it('[VF9] finds an exit code that contradicts the report', () => {
    expect(check({ counts: { passed: 1, failed: 1, skipped: 0 } })).toMatchObject({ state: 'broken' })
    expect(check({ exitCode: 1 })).toMatchObject({ state: 'broken', detail: expect.stringContaining('exit code 1') })
  })

  it('[VF9] accepts tests that fail before any work, and says so', () => {
    expect(check({ exitCode: 1, counts: { passed: 1, failed: 1, skipped: 0 } })).toMatchObject({
      state: 'degraded',
      detail: '1 test of 2 fails by vitest before any work',
    })
    const names = ['waits', 'ends in time', 'repeats', 'gives up'].map((name) => ({
      name,
      outcome: 'assertion' as const,
    }))
    const tests = [...names, { name: 'adds', outcome: 'passed' as const }]
    expect(check({ exitCode: 1, counts: { passed: 1, failed: 4, skipped: 0 }, tests }).detail).toBe(
      '4 tests of 5 fail by vitest before any work: "waits", "ends in time", "repeats" and 1 more',
    )
    expect(check({ counts: { passed: 0, failed: 0, skipped: 0 } }).detail).toBe('no test was found by vitest')
  })
})

it('[VF9] calls a runner broken that can load no test file, and says what stops it', () => {
  const ran = {
    names: 'reported' as const,
    exitCode: 1,
    counts: { passed: 0, failed: 2, skipped: 0 },
    runners: ['jest'],
  }
  const loadErrors = [{ message: "'ts-node' is required\n  at x" }]
  const unloaded = { name: 'adds', outcome: 'import-error' as const }
  expect(readerCheck({ ...ran, tests: [unloaded, unloaded], loadErrors })).toMatchObject({
    state: 'broken',
    detail: "no test file can be loaded by jest: 'ts-node' is required",
  })
  expect(readerCheck({ ...ran, tests: [unloaded, { name: 'adds', outcome: 'assertion' }], loadErrors }).state).toBe(
    'degraded',
  )
})

it('[VF9] blocks a build only where no work could be judged', () => {
  const none = { passed: 0, failed: 0, skipped: 0 }
  const failedPart = { command: 'sh check.sh', exitCode: 3 }
  expect(check({ exitCode: 3, failedPart, cause: 'a.js:1 no' })).not.toHaveProperty('blocks')
  expect(check({ exitCode: 3, failedPart, cause: 'a.js:1 no', counts: none, names: 'unknown' })).toMatchObject({
    blocks: true,
    detail: expect.stringContaining('exit code 3, in front of or beside the tests: a.js:1 no'),
  })
  expect(check({ names: 'unknown', exitCode: 2, counts: none, cause: 'no runner' })).toMatchObject({
    blocks: true,
    detail: expect.stringContaining('exit code 2: no runner'),
  })
  expect(check({ names: 'unknown', counts: none })).not.toHaveProperty('blocks')
  expect(check({ exitCode: 1, counts: { passed: 1, failed: 1, skipped: 0 } })).not.toHaveProperty('blocks')
})

it('[VF9] tests that only miss the file to be written are no fault', () => {
  const waiting = {
    exitCode: 1,
    counts: { passed: 0, failed: 1, skipped: 0 },
    tests: [{ name: 'adds', outcome: 'import-error' as const }],
    awaited: 'src/inc.js',
  }
  const misses = (message: string) => check({ ...waiting, loadErrors: [{ message }] })
  expect(misses("Cannot find module '../src/inc.js'")).toMatchObject({
    state: 'degraded',
    detail: 'tests by vitest wait for src/inc.js, which is not written yet',
  })
  const folder = (message: string) => check({ ...waiting, awaited: 'src', loadErrors: [{ message }] })
  expect(folder("Cannot find module '../src/inc.js'")).toMatchObject({ state: 'degraded' })
  expect(folder("Cannot find module 'zod'")).toMatchObject({ blocks: true })
  expect(misses("Cannot find module 'zod' imported from test/inc.test.js")).toMatchObject({ blocks: true })
})

it('[VF9] blocks a build whose test command fails and finds no test, although there are some where its tests go', () => {
  const none = { passed: 0, failed: 0, skipped: 0 }
  const ran = { exitCode: 1, counts: none, names: 'unknown' as const, runners: ['vitest'], isEmpty: true }
  const files = ['packages/store/tests/store.test.ts', 'packages/store/tests/more.test.ts']
  const unfound = { files, folder: 'packages/store' }
  const cause = 'No test files found, exiting with code 1'
  expect(check({ ...ran, command: 'npx vitest run --project store', cause, unfound })).toEqual({
    state: 'broken',
    detail:
      '`npx vitest run --project store` finds no test and ends with exit code 1: No test files found, exiting with code 1; packages/store/tests/store.test.ts and 1 more have tests',
    fix: 'write build: {test: <command>} into convene.yaml that runs them, such as `cd packages/store && npx vitest run`',
    blocks: true,
  })
  expect(check({ ...ran, cause })).toMatchObject({ state: 'degraded', detail: 'no test was found by vitest' })
  expect(check({ ...ran, exitCode: 0, unfound })).not.toHaveProperty('blocks')
})

it('[VF9] says that Convene ended the tests, and not that something beside them failed', () => {
  const stopped = { exitCode: 124, ended: 'timed-out', command: 'pnpm test', commandSeconds: 900 }
  const until = 'Convene ended `pnpm test` after 900 s: it reached the limit build.command_seconds; until then'
  expect(check({ ...stopped, counts: { passed: 275, failed: 0, skipped: 0 } })).toEqual({
    state: 'broken',
    detail: `${until} all 275 tests passed`,
    fix: 'write a larger build: {command_seconds: <seconds>} into convene.yaml, or a build.test that runs less',
  })
  expect(check({ ...stopped, counts: { passed: 1, failed: 1, skipped: 0 } }).detail).toBe(`${until} 1 test of 2 failed`)
  const none = { counts: { passed: 0, failed: 0, skipped: 0 }, names: 'unknown' as const }
  expect(check({ ...stopped, ...none })).toMatchObject({ blocks: true, detail: `${until} no test was reported` })
})
