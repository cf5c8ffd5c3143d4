import { expect, it } from 'vitest'
import { ranNothing } from './ran-nothing.ts'

const runner = (file: string) => ({ runner: 'jest', format: 'jest', file, folder: '/p', part: '', at: 0 })

it('[VF9] takes a run without tests for neither red nor green, unless a runner crashed in another package', () => {
  const output = 'No tests found, exiting with code 1\nTypeError: x is not a function'
  expect(ranNothing({ started: [runner('a')], empty: ['a'], output })).toBe(true)
  expect(ranNothing({ started: [runner('a'), runner('b')], empty: ['a'], output })).toBe(false)
  expect(ranNothing({ started: [], empty: [], output: 'TypeError' })).toBe(false)
  const failed = (command: string) =>
    ranNothing({ started: [runner('a')], empty: ['a'], output, failedPart: { command } })
  expect(failed('node scripts/prepare.js')).toBe(false)
  expect(failed('eslint .')).toBe(true)
  // A report that could not be read is not the same as no tests.
  expect(ranNothing({ started: [runner('a')], empty: [], output: '' })).toBe(false)
  expect(ranNothing({ started: [runner('a')], empty: [], output: 'ℹ tests 0\n' })).toBe(true)
})
