import { expect, it } from 'vitest'
import { describeFailedCommand } from './failed-command.ts'
import { refusalLine } from './refusal-line.ts'

const ran = { command: 'npm test', exitCode: 1, failing: [], excerpt: '' }
const refused = (more: object) =>
  refusalLine(`the tests fail in a clean checkout:\n${describeFailedCommand({ ...ran, ...more })}`)

it('[VF8] a refusal is shown with the first failing test, or the first error', () => {
  expect(refused({ failing: [{ name: 'adds', message: 'expected 3, got 4' }] })).toBe(
    'the tests fail in a clean checkout: adds: expected 3, got 4',
  )
  expect(refused({ excerpt: '> ava\n\nSyntaxError: Unexpected token' })).toBe(
    'the tests fail in a clean checkout: SyntaxError: Unexpected token',
  )
  expect(refused({})).toBe('the tests fail in a clean checkout: `npm test`: exit code 1')
})

it('[VF8] a line that says it all is left alone', () => {
  expect(refusalLine('no test was written under test/\nmore')).toBe('no test was written under test/')
  expect(refusalLine('nothing more:')).toBe('nothing more')
})
