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

it('[VF8] a refusal by a linter is shown with file, line and rule', () => {
  const xo = ['  index.js:37:28', '', '  ✖    37:28  Missing semicolon.      semi', '', '  1 error'].join('\n')
  const eslint = ['src/a.js', '  3:5  error  Unexpected var  no-var', '', '✖ 1 problem'].join('\n')
  const line = (excerpt: string) => refused({ excerpt }).replace('the tests fail in a clean checkout: ', '')
  expect(line(xo)).toBe('index.js:37 Missing semicolon. (semi)')
  expect(line(eslint)).toBe('src/a.js:3 Unexpected var (no-var)')
  expect(line('2 errors\nsrc/a.ts(3,5): error TS2304: Cannot find name')).toMatch(/^src\/a\.ts\(3,5\): error TS2304/)
})

it('[VF8] a line that says it all is left alone', () => {
  expect(refusalLine('no test was written under test/\nmore')).toBe('no test was written under test/')
  expect(refusalLine('nothing more:')).toBe('nothing more')
})
