import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findTests, type TestFacts } from './test-facts.ts'

const found = (names: string[], planned: string, more: Partial<TestFacts> = {}) =>
  findTests(
    names.map((name) => ({ name, outcome: 'passed', ...more })),
    planned,
  ).map(({ name }) => name)

describe('a test that is run for several cases', () => {
  it('[VF2] is found as all of them by the name of its function, whatever the cases are called', () => {
    const cases = ['test_dashes[1]', 'test_dashes[a  b-a-b]', 'test_dashes[[x] y[0]]', 'test_dashes[]']
    expect(
      found([...cases, 'test_dashes_too[1]', 'test_dashes [1]', 'test_dashes[1', 'test_lower'], 'test_dashes'),
    ).toEqual(cases)
    const full: TestFacts = { name: 'test_a[1]', fullName: 'tests/test_x.py::TestX::test_a[1]', outcome: 'passed' }
    expect(findTests([full], 'tests/test_x.py::TestX::test_a')).toEqual([full])
    expect(found(cases, 'test_dashes[1]')).toEqual(['test_dashes[1]'])
  })

  it('[VF2] is found by its function in Go, where the function itself did not run', () => {
    const cases = ['TestAdd/one', 'TestAdd/two/deep']
    expect(found([...cases, 'TestAdder/one', 'TestAdd_more'], 'TestAdd')).toEqual(cases)
    expect(found(['TestAdd', 'TestRest'], 'TestAdd/one', { outcome: 'error' })).toEqual(['TestAdd'])
    expect(found(['a/b'], 'a')).toEqual([])
  })

  it('[VF2] is found beside a test of that very name in another file', () => {
    const other: TestFacts = { name: 'test_day', file: 'tests/test_speed.py', outcome: 'error' }
    const own: TestFacts = { name: 'test_day[today]', file: 'tests/test_time.py', outcome: 'passed' }
    expect(findTests([other, own], 'test_day')).toEqual([other, own])
  })

  it.each([
    ['adds %i to %s', ['adds 1 to 2', 'adds 1 to ', 'adds -1 to two words']],
    ['takes $a and $b.c', ["takes 1 and 'x y'"]],
    ['case $# of %s', ['case 0 of x']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the title as a source has it
    ['adds ${one} at last', ['adds 1 at last']],
  ])('[VF2] is found by the template of its title: %s', (planned, names) => {
    expect(found([...names, 'something else', 'adds nothing'], planned)).toEqual(names)
  })

  it('[VF2] is found by one of its cases where its file could not be run, and only there', () => {
    const outcome = 'import-error'
    expect(found(['adds %i to %s', 'test_dashes'], 'adds 1 to 2', { outcome })).toEqual(['adds %i to %s'])
    expect(found(['adds %i to %s', 'test_dashes'], 'test_dashes[a b]', { outcome })).toEqual(['test_dashes'])
    expect(found(['adds %i to %s', 'test_dashes'], 'adds 1 to 2')).toEqual([])
  })

  it('[VF2] is not mistaken for one of that very name, nor a bare placeholder for every test', () => {
    expect(found(['costs $total', 'costs 5'], 'costs $total')).toEqual(['costs $total'])
    expect(found(['list', 'list[0]'], 'list')).toEqual(['list'])
    expect(found(['adds', 'is 100% sure'], '%s')).toEqual([])
    expect(found(['aba'], 'ab%sba')).toEqual([])
  })

  it('[VF2] is found as soon as anything stands in for the placeholders', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z-]{0,5}$/), { minLength: 2, maxLength: 6 }), (values) => {
        const planned = `it ${values.map(() => '%s').join(' to ')}.`
        expect(found([`it ${values.map((value) => `<${value}>`).join(' to ')}.`], planned)).toHaveLength(1)
      }),
    )
  })
})
