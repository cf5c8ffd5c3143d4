import { expect, it } from 'vitest'
import { comparableTests, packageOf, runsNoneOf, starterOf, unfoundMessage } from './unfound-tests.ts'

const files = [
  'packages/core/tests/core.test.ts',
  'packages/store/package.json',
  'packages/store/tests/helpers.ts',
  'packages/store/tests/signal.test.tsx',
  'packages/store/tests/store.test.ts',
  'packages/store/tests/types.test-d.ts',
  'packages/store/tests/test_store.py',
]

it('[VF9] compares with the tests where those of the work go, not with those of another package or language', () => {
  const beside = ['packages/store/tests/store.test.ts', 'packages/store/tests/signal.test.tsx']
  expect(comparableTests(files, ['packages/store/tests/store.test.ts'])).toEqual(beside)
  expect(comparableTests(files, ['packages/store/tests/new.test.ts'])).toEqual(beside.toReversed())
  expect(comparableTests(files, ['packages/react/tests/new.test.ts'])).toEqual([])
  expect(comparableTests(files, ['packages/store/tests'])).toContain('packages/store/tests/store.test.ts')
  expect(comparableTests(['test/a.js', 'test/b.test.js'], ['test/new.js'])).toEqual(['test/a.js', 'test/b.test.js'])
  expect(comparableTests(['test/a.js', 'test/b.test.js'], ['test/new.test.js'])).toEqual(['test/b.test.js'])
  expect(comparableTests(files)).toEqual(files.filter((path) => /\.test\.|test_/.test(path)))
})

it('[VF2] a run had no test of some files if it had none, or names the files of all the others', () => {
  const store = ['packages/store/tests/store.test.ts']
  const ran = (names: 'reported' | 'unknown', ...files: (string | undefined)[]) =>
    runsNoneOf(store, { names, tests: files.map((file) => (file === undefined ? {} : { file })) })
  expect(runsNoneOf(store, { names: 'unknown', tests: [], isEmpty: true })).toBe(true)
  expect(ran('reported', 'packages/core/tests/core.test.ts')).toBe(true)
  expect(ran('reported', 'packages/core/tests/core.test.ts', store[0])).toBe(false)
  expect(ran('reported', 'packages/core/tests/core.test.ts', undefined)).toBe(false)
  expect(ran('unknown')).toBe(false)
  expect(ran('reported')).toBe(false)
})

it('[VF2] blames the test command, and shows one that starts the runner in the package', () => {
  expect(packageOf('packages/store/tests/store.test.ts', new Set(files))).toBe('packages/store')
  expect(packageOf('test/a.test.ts', new Set(['package.json']))).toBe('.')
  expect(starterOf('vitest', '.')).toBe('npx vitest run')
  expect(starterOf(undefined, 'packages/store')).toBeUndefined()
  const there = { files: ['packages/store/tests/store.test.ts'], folder: 'packages/store' }
  const ran = { command: 'npx vitest run --project store', runner: 'vitest', cause: 'No test files found' }
  expect(unfoundMessage(ran, there)).toBe(
    'build.test: `npx vitest run --project store` runs no test of packages/store/tests/store.test.ts, neither on the untouched tree nor with the new tests: No test files found. This is not counted as an attempt. Write build: {test: <command>} into convene.yaml that runs it, such as `cd packages/store && npx vitest run`',
  )
})
