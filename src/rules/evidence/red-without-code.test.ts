import { expect, it } from 'vitest'
import type { TestFacts } from '../build/test-facts.ts'
import { redWithoutCode } from './red-without-code.ts'

const test = (name: string, outcome: TestFacts['outcome']): TestFacts => ({ name, outcome })
const problems = (fresh: TestFacts[], keep: string[] = []) =>
  redWithoutCode({ criteria: ['AC1', 'AC2'], keep, fresh }).map(({ message }) => message)

it('[VF2] lets tests through that fail without the code', () => {
  expect(problems([test('AC1 adds', 'import-error'), test('AC2 adds', 'assertion')])).toEqual([])
})

it('[VF2] sends a green test back with the choice to keep its criterion', () => {
  const [green, ...others] = problems([test('AC1 adds', 'assertion'), test('AC2 adds', 'passed')])
  expect(others).toEqual([])
  expect(green).toMatch(/^AC2 adds passes without the code.*\n.*"criterionId": "AC2"/)
  expect(problems([test('AC1 adds', 'passed')])).toEqual([expect.stringMatching(/^the tests pass without the code/)])
})

it('[VF2] tests of criteria to keep pass without the code, or cannot load there', () => {
  const kept = (outcome: TestFacts['outcome']) =>
    problems([test('AC1 adds', 'assertion'), test('AC2 adds', outcome)], ['AC2'])
  expect(kept('passed')).toEqual([])
  expect(kept('import-error')).toEqual([])
  expect(kept('assertion')).toEqual([expect.stringMatching(/AC2 is to be kept/)])
  expect(problems([test('AC1 adds', 'passed')], ['AC1', 'AC2'])).toEqual([])
})

it('[VF2] a test of a kept criterion is not one of another that its group names', () => {
  const inGroup = (name: string, outcome: TestFacts['outcome']): TestFacts => ({
    name,
    fullName: `tests.test_recipes.SumOfSquaresStartTests.${name}`,
    outcome,
  })
  const fresh = [inGroup('test_start', 'assertion'), inGroup('test_no_start', 'passed')]
  expect(redWithoutCode({ criteria: ['start', 'no-start'], keep: ['no-start'], fresh })).toEqual([])
})

it('[VF2] a test that guards what holds already stands beside a red one of its criterion', () => {
  expect(problems([test('AC1 adds', 'assertion'), test('AC1 stays the same', 'passed')])).toEqual([])
  const both = [test('AC1 adds', 'assertion'), test('AC2 stays the same', 'passed'), test('AC1 and AC2 stay', 'passed')]
  expect(problems(both)).toHaveLength(2)
})

it('[VF2] a test that names no criterion guards what is to be kept, if each new criterion has a test of its own', () => {
  const guard = test('still adds numbers', 'passed')
  expect(problems([test('AC1 adds', 'assertion'), guard], ['AC2'])).toEqual([])
  expect(problems([test('AC1 adds', 'assertion'), guard])).toHaveLength(1)
  expect(problems([test('adds', 'assertion'), guard], ['AC2'])).toHaveLength(1)
})

it('[VF14] a test of criteria that are all left to the reviewer may fail or pass without the code', () => {
  const fresh = [test('AC1 adds', 'assertion'), test('AC2 adds', 'passed')]
  expect(redWithoutCode({ criteria: [], keep: [], fresh })).toEqual([])
})

it('[VF2] a case that holds already stands beside a red case of the same test, unless it names a criterion', () => {
  const go = [test('TestSum', 'assertion'), test('TestSum/negative', 'assertion'), test('TestSum/zero', 'passed')]
  expect(problems(go)).toEqual([])
  const python = (name: string, outcome: TestFacts['outcome']) => ({ ...test(name, outcome), file: 'test_sum.py' })
  expect(problems([python('test_sum[1]', 'assertion'), python('test_sum[0]', 'passed')])).toEqual([])
  const named = (suite: string, outcome: TestFacts['outcome']) => ({
    ...test('works', outcome),
    fullName: `${suite} works`,
  })
  expect(problems([named('one', 'assertion'), named('two', 'passed')])).toHaveLength(1)
  expect(problems([...go, test('TestSum/AC2_joins', 'passed')])).toEqual([expect.stringMatching(/^TestSum\/AC2_joins/)])
  expect(problems([...go, test('TestSummary/zero', 'passed')])).toHaveLength(1)
})

it('[VF2] a test of a kept criterion whose package does not compile without the code is not seen to fail', () => {
  const unloaded: TestFacts = { ...test('TestAC2', 'error'), hinted: true }
  expect(problems([{ ...test('TestAC1', 'error'), hinted: true }, unloaded], ['AC2'])).toEqual([])
})
