import { expect, it } from 'vitest'
import { describeFailedCommand, failingTests } from './failed-command.ts'

it('[VF8] names the command, its exit code, each failing test with its message, and the cause', () => {
  const text = describeFailedCommand({
    command: 'npm test',
    exitCode: 1,
    failing: [{ name: 'one', fullName: 'inc one', message: 'expected 2\ngot 1' }, { name: 'two' }],
    excerpt: 'not ok 1 - one',
  })
  expect(text.split('\n')).toEqual([
    '`npm test`: exit code 1',
    'Failing tests:',
    '  - inc one: expected 2',
    '    got 1',
    '  - two',
    'Output around the first error:',
    '```',
    'not ok 1 - one',
    '```',
  ])
})

it('[VF8] says how a command ended that did not end by itself, and that it printed nothing', () => {
  const text = describeFailedCommand({ command: 'make', exitCode: 137, ended: 'timed-out', failing: [], excerpt: '' })
  expect(text).toBe('`make`: timed out\nIt printed nothing.')
})

it('[VF8] names twenty tests at most, and counts the rest', () => {
  const failing = Array.from({ length: 25 }, (_, index) => ({ name: `test ${index}` }))
  expect(describeFailedCommand({ command: 'make', exitCode: 1, failing, excerpt: 'x' })).toContain('and 5 more')
})

it('[VF8] neither passed nor skipped tests are failing', () => {
  const tests = (['passed', 'skipped', 'assertion', 'error'] as const).map((outcome) => ({ name: outcome, outcome }))
  expect(failingTests(tests).map(({ name }) => name)).toEqual(['assertion', 'error'])
})

it('[VF8] lists every linter of a chain that failed, each with its own words', () => {
  const parts = [
    { command: 'xo', exitCode: 1, excerpt: 'a.js:3 no' },
    { command: 'tsd', exitCode: 2, excerpt: 'b.ts:1 no' },
    { command: 'make docs', exitCode: 2 },
  ]
  const text = describeFailedCommand({ command: 'npm test', exitCode: 1, failing: [], excerpt: 'ok 1', parts })
  expect(text.split('\n').filter((line) => /^In it|no$/.test(line))).toEqual([
    'In it, `xo` fails with exit code 1.',
    'a.js:3 no',
    'In it, `tsd` fails with exit code 2.',
    'b.ts:1 no',
  ])
})
