import { expect, it } from 'vitest'
import { nothingRanLine } from './nothing-ran.ts'

it.each([
  'No test files found, exiting with code 1',
  'No tests found, exiting with code 1',
  '  ✘ Couldn’t find any files to test',
  'Error: No test files found: "test"',
  '============ no tests ran in 0.01s ============',
  'NO TESTS RAN',
])('[VF9] reads that no test was found: %s', (line) => {
  expect(nothingRanLine(`> test\n${line}\n`)).toBe(line.trim())
})

it('[VF9] reads it in colours too', () => {
  const code = String.fromCharCode(27)
  expect(nothingRanLine(`\n${code}[31mNo test files found, exiting with code 1\n${code}[39m`)).toBe(
    'No test files found, exiting with code 1',
  )
})
