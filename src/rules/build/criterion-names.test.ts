import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { coverageByName, criteriaOf, namesCriterion } from './criterion-names.ts'
import type { TestFacts } from './test-facts.ts'

const passed = (...names: string[]): TestFacts[] => names.map((name) => ({ name, outcome: 'passed' }))

describe('the criterion in a test’s name', () => {
  it.each([
    ['AC1 adds', 'AC1'],
    ['adds (AC1)', 'AC1'],
    ['inc: inc-1', 'inc-1'],
    ['test_ac1_adds', 'AC1'],
    ['test_inc_1', 'inc-1'],
    ['TestAC1Adds', 'AC1'],
    ['A works', 'A'],
    ['test_ac1_adds[a  b-[c]]', 'AC1'],
    ['tests/test_inc.py::test_ac1[one two]', 'AC1'],
  ])('[VF5] %s is for %s', (name, id) => {
    expect(namesCriterion(name, id)).toBe(true)
  })

  it.each([
    ['AC10 adds', 'AC1'],
    ['AC1.2 adds', 'AC1'],
    ['XAC1 adds', 'AC1'],
    ['a sum', 'A'],
    ['test_ac10_adds', 'AC1'],
    ['TestAC10Adds', 'AC1'],
    ['adds', 'AC1'],
    ['test_adds[ac 1]', 'ac-1'],
    ['test_adds[one ac1', 'AC1'],
  ])('[VF5] %s is not for %s', (name, id) => {
    expect(namesCriterion(name, id)).toBe(false)
  })

  it.each([
    ['skip-type: is exported', ['skip-type']],
    ['skip: leaves it out', ['skip']],
    ['skip and skip-type together', ['skip', 'skip-type']],
    ['test_skip_type', ['skip-type']],
    ['test_skip_then_skip_type', ['skip', 'skip-type']],
  ])('[VF5] beside a longer id, %j is for %j', (name, expected) => {
    const ids = ['skip', 'skip-type']
    expect(ids.filter((id) => namesCriterion(name, id, ids))).toEqual(expected)
  })

  it('[VF5] is found however strange the id', () => {
    fc.assert(fc.property(fc.string({ minLength: 1, unit: 'binary' }), (id) => namesCriterion(id, id)))
    expect(namesCriterion('(a+b)* holds', '(a+b)*')).toBe(true)
  })
})

it('[VF5] a criterion called like an ordinary word is named at the beginning of a title or in brackets', () => {
  const all = ['a', 'b']
  expect(namesCriterion('b: a flag after a number stays a flag', 'a', all)).toBe(false)
  expect(namesCriterion('b: a flag after a number stays a flag', 'b', all)).toBe(true)
  for (const name of ['a: reads numbers', 'a reads numbers', 'reads numbers (a)', '[a] reads', 'test_a'])
    expect(namesCriterion(name, 'a', all)).toBe(true)
})

describe('coverage by name', () => {
  it.each([
    ['test_no_start', ['no-start']],
    ['test_start', ['start']],
    ['test_plain', ['start']],
    ['test_start_and_no_start', ['start', 'no-start']],
  ])('[VF5] %s in a group of start is for %j: its own title counts before its group’s', (name, expected) => {
    const suite = ['tests.test_recipes.SumOfSquaresStartTests']
    const test: TestFacts = { name, suite, fullName: `${suite[0]}.${name}`, outcome: 'passed' }
    expect(criteriaOf(test, ['start', 'no-start'])).toEqual(expected)
  })

  it.each([
    ['TestStart/no_start', ['no-start']],
    ['TestStart/start_of_a_day', ['start']],
    ['TestStart/plain', ['start']],
    ['TestDay/plain', []],
  ])('[VF5] the Go subtest %s is for %j: its title counts before its function’s', (name, expected) => {
    const test: TestFacts = { name, fullName: `example.com/days ${name}`, outcome: 'passed' }
    expect(criteriaOf(test, ['start', 'no-start'])).toEqual(expected)
  })

  it('[VF5] gives each criterion the tests that name it, by their groups too', () => {
    const ran: TestFacts[] = [...passed('AC1 adds'), { name: 'joins', fullName: 'AC2 joins', outcome: 'passed' }]
    expect(coverageByName(['AC1', 'AC2', 'AC3'], ran)).toEqual([
      { criterionId: 'AC1', testName: 'AC1 adds' },
      { criterionId: 'AC2', testName: 'AC2 joins' },
    ])
  })

  it('[VF5] takes a test without an id for the only criterion, and one with another id for none', () => {
    expect(coverageByName(['AC1'], passed('adds'))).toEqual([{ criterionId: 'AC1', testName: 'adds' }])
    expect(coverageByName(['AC1'], passed('AC10 adds'))).toEqual([])
    expect(coverageByName([], passed('adds'))).toEqual([])
  })

  it('[VF5] without ids in names, every test counts for every criterion', () => {
    expect(coverageByName(['AC1', 'AC2'], passed('adds'))).toEqual([
      { criterionId: 'AC1', testName: 'adds' },
      { criterionId: 'AC2', testName: 'adds' },
    ])
    expect(coverageByName(['AC1', 'AC2'], passed('AC1 adds', 'joins'))).toEqual([
      { criterionId: 'AC1', testName: 'AC1 adds' },
    ])
  })
})
