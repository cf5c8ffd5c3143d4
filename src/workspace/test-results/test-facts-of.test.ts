import { expect, it } from 'vitest'
import { readReportLines } from './report-lines.ts'
import { testFactsOf } from './test-facts-of.ts'

const factsOf = (line: object) => testFactsOf(readReportLines(JSON.stringify(line)), '/project')[0]

it('keeps the exception of a Python test, not its trace', () => {
  const trace = [
    'Traceback (most recent call last):',
    '  File "/project/tests/test_a.py", line 3, in test_negative',
    '    nth_last([], -1)',
    'KeyError: 1',
    '',
    'During handling of the above exception, another exception occurred:',
    '',
    'Traceback (most recent call last):',
    '  File "/project/a.py", line 3, in nth_last',
    '    return items[-n]',
    '           ~~~~~^^^^',
    'IndexError: list index out of range',
    '',
  ]
  const line = { name: 'test_negative', state: 'failed', failure: trace.join('\n') }
  expect(factsOf(line)).toMatchObject({ outcome: 'error', message: 'IndexError: list index out of range' })
})

it('[VF8] keeps what a doctest expected, also if that is an exception', () => {
  const failure =
    'Expected:\n    Traceback (most recent call last):\n        ...\n    ValueError: x\nGot:\n    7\n007 >>> f()\n'
  const expected = { outcome: 'assertion', message: expect.stringMatching(/^Expected:\n[\s\S]*\nGot:\n {4}7$/) }
  expect(factsOf({ name: 'm.f', state: 'failed', failure })).toMatchObject(expected)
})

it('[VF5] says why a test is skipped', () => {
  const line = { name: 'test_start', state: 'skipped', reason: 'platform without a start value' }
  expect(factsOf(line)).toMatchObject({ outcome: 'skipped', message: 'platform without a start value' })
})
