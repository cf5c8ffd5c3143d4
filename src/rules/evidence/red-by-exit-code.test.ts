import { expect, it } from 'vitest'
import { redByExitCode, type UnnamedRun } from './red-by-exit-code.ts'

const problems = (run: Partial<UnnamedRun>) =>
  redByExitCode({ exitCode: 1, areAllKept: false, files: ['test/a.test.js'], seen: '', ...run }).map(
    ({ message }) => message,
  )

it('[VF2] [VF9] without names the exit code alone decides', () => {
  expect(problems({})).toEqual([])
  expect(problems({ exitCode: 0 })).toEqual(['the tests pass before anything is implemented'])
  expect(problems({ exitCode: 0, areAllKept: true })).toEqual([])
  expect(problems({ areAllKept: true })).toEqual(['the tests fail, but every criterion is to be kept'])
})

it('[VF2] a linter that complains about the tests is not red; one that misses the code is', () => {
  const failedPart = { command: 'eslint .' }
  const lint = 'test/a.test.js\n  3:1  error  Missing semicolon'
  expect(problems({ failedPart, seen: lint })).toEqual([
    '`eslint .` complains about the tests: test/a.test.js:3 Missing semicolon',
  ])
  expect(problems({ failedPart, seen: 'test/a.test.ts(1,2): error TS2305: no exported member' })).toEqual([])
  expect(problems({ failedPart, seen: 'src/stub.js: unused parameter' })).toEqual([])
})
