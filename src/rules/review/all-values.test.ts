import { describe, expect, it } from 'vitest'
import {
  contradicted,
  counterexamples,
  criteriaOfAll,
  speaksOfAll,
  testedInputs,
  tracingProblems,
} from './all-values.ts'

const criteria = [{ id: 'AC1', text: 'For every n from 0 up, size(n) is the length' }]
const traced = (input: string, expected: string, actual: string, criterionId?: string) => ({
  input,
  expected,
  actual,
  ...(criterionId ? { criterionId } : {}),
})

describe('criteria of all values', () => {
  it.each([
    'For every n from 0 up, size(n) is the padded length',
    'All inputs keep their order',
    'It accepts any string',
    'From 3 on the result is sorted',
    'n ≥ 0 gives a length',
    'Für jede Zahl ab 0 gilt die Länge',
    'Alle Eingaben bleiben sortiert',
    'Pour chaque entier, la longueur est juste',
    'Quel que soit n, la longueur est juste',
    'Para cada número la longitud es correcta',
    'Vale para cualquier texto',
    'It works with any title',
    'It throws if any argument is negative',
    'It holds at all times',
    'It is false for any other string',
  ])('[VF13] are known by their words: %s', (text) => {
    expect(speaksOfAll(text)).toBe(true)
  })

  it.each([
    'Blanks become single dashes',
    'size(3) is 4',
    'The flag `--all` is accepted',
    'It prints "every day"',
    'It is false while any task is running',
    'It takes years, months and days in this order, each at most once',
    'It is not called at all',
  ])('[VF13] are no others: %s', (text) => {
    expect(speaksOfAll(text)).toBe(false)
  })

  it('[VF13] need no traced input where the tests use all the values that there are', () => {
    const units = [{ id: 'AC1', text: 'It reads every unit' }]
    expect(tracingProblems(units, [], ['size(0)'])).toHaveLength(1)
    expect(tracingProblems(units, [], ['size(0)'], ['AC1'])).toEqual([])
    // There is no end of numbers, and a trace that was given counts.
    expect(tracingProblems(criteria, [], ['size(0)'], ['AC1'])).toHaveLength(1)
    expect(tracingProblems(units, [traced('size(0)', '1', '1')], ['size(0)'], ['AC1'])).toHaveLength(1)
  })

  it('[VF13] are the work’s own, unless they hold already', () => {
    expect(criteriaOfAll(criteria, { own: ['AC1'], keep: [] })).toEqual(criteria)
    expect(criteriaOfAll(criteria, { own: ['AC1'], keep: ['AC1'] })).toEqual([])
    expect(criteriaOfAll(criteria, { own: [], keep: [] })).toEqual([])
  })

  it('[VF13] show the inputs that tests use: calls, and tables', () => {
    const text = `import { size } from './size.js'
test('a', () => { assert.equal(size(0), 0); assert.equal(size(3), 4); resize(9) })
test.each([[0, 0],
  [30, 40]])('size %i', (n, want) => { expect(size(n, { a: ')' })).toBe(want) })`
    expect(testedInputs([text, text], ['size'])).toEqual([
      'size(0)',
      'size(3)',
      "size(n, { a: ')' })",
      'each([[0, 0], [30, 40]])',
    ])
    const loop = `for (const one of ['foo', '', null]) throws(() => parse('a=1', one)); JSON.parse('{"b": 2}')`
    expect(testedInputs([loop], ['parse'])).toEqual(["parse('a=1', one)", "of ['foo', '', null]"])
    expect(testedInputs(['for n in (1, 2):\n    assert size(n)'], ['size'])).toEqual(['size(n)', 'in (1, 2)'])
    expect(testedInputs(['// for those who look in (parentheses) of things'], ['size'])).toEqual([])
    expect(testedInputs(['@pytest.mark.parametrize("n", [1, 2])\ndef test_a(n): ...'], [])).toEqual([
      'parametrize("n", [1, 2])',
    ])
    expect(testedInputs(['size('], ['size'])).toEqual([])
  })

  it('[VF13] are shown beside the inputs of the new tests, not of those that the file had', () => {
    const old = 'size(1); size(2)'
    expect(testedInputs([`${old}; size(9)`], ['size'], [old])).toEqual(['size(9)'])
    expect(testedInputs([old], ['size'], [old])).toEqual([])
  })

  it('[VF13] need an input that no test uses, traced by hand', () => {
    const inputs = ['size(0)', 'size(3)']
    expect(tracingProblems(criteria, [], inputs)[0]!.message).toContain('AC1 speaks of all values')
    for (const used of ['3', 'n = 3', 'size(3)'])
      expect(tracingProblems(criteria, [traced(used, '4', '4', 'AC1')], inputs)[0]!.message).toContain('already')
    expect(tracingProblems(criteria, [traced('4', '6', '6', 'AC1')], inputs)).toEqual([])
    expect(tracingProblems(criteria, [traced('4', '6', '6')], inputs)).toEqual([])
    const two = [...criteria, { id: 'AC2', text: 'each' }]
    expect(tracingProblems(two, [traced('4', '6', '6')], inputs)).toEqual([])
    expect(tracingProblems(two, [traced('4', '6', '6', 'AC1')], inputs)).toHaveLength(1)
  })

  it('[VF13] are contradicted where expected and actual differ, and then the work goes back', () => {
    const wrong = traced('4', '6', '5', 'AC1')
    const same = [
      ['6', ' 6.0'],
      ['"ab"', 'ab'],
      ['6', '6 (the padded length)'],
      ['a b', 'A  b.'],
      ['𐐀', String.raw`"\uD801\uDC00"`],
      [String.raw`\u{10400}`, 'U+10400'],
    ].map(([expected, actual]) => traced('4', expected!, actual!))
    expect(counterexamples([wrong, ...same])).toEqual([wrong])
    expect(counterexamples([traced('4', '6', '6.5'), traced('4', '6', '60'), traced('4', '', '1')])).toHaveLength(3)
    expect(contradicted([wrong], criteria, 'src/size.js').payload).toEqual({
      critiques: [
        {
          file: 'src/size.js',
          line: 0,
          issue: 'AC1 does not hold for 4: it wants 6, the code gives 5',
          requiredFix: 'code that holds for this input too, and a test of it',
        },
      ],
      additionalTests: [{ criterionId: 'AC1', plannedTestName: 'AC1 holds for 4', approach: 'expect 6' }],
    })
  })

  it.each([
    ['TypeError naming 10.20.300', 'TypeError: Cannot convert 10.20.300 to a comver'],
    ['throws a RangeError', 'RangeError("too long")'],
    ['throws', 'TypeError: no'],
  ])('[VF13] an error is told by its class: %s, %s', (expected, actual) => {
    expect(counterexamples([traced('4', expected, actual)])).toEqual([])
    expect(tracingProblems(criteria, [traced('4', expected, actual)], [])).toEqual([])
  })

  it.each([
    ['[0, "0"]', '[0,"0"]'],
    ['{ a: 1, b: [2] }', '{"a":1,"b":[2]}'],
    ["['x', 'y z']", '["x","y z"]'],
    ['5', '5 (the fifth)'],
    ['"abc"', 'abc'],
    ['[[-1, -1]] or [[-1, -1], [-1, -1]]', '[[-1, -1], [-1, -1]]'],
    ['"10"', "'10'"],
    ['throws TypeError or returns null', 'null'],
  ])('[VF13] results are equal however they are laid out: %s, %s', (expected, actual) => {
    expect(counterexamples([traced('4', expected, actual)])).toEqual([])
    expect(tracingProblems(criteria, [traced('4', expected, actual)], [])).toEqual([])
  })

  it('[VF13] a list without its brackets cannot be compared with one that has them', () => {
    expect(counterexamples([traced('4', '1, 2', '[1, 2]')])).toEqual([])
    expect(tracingProblems(criteria, [traced('4', '1, 2', '[1, 2]')], [])).toHaveLength(1)
  })

  it.each([
    ['throws TypeError', '5'],
    ['"a b"', '"a  b"'],
    ['"10"', '10'],
    ["'10'", '10'],
    ['["1"]', '[1]'],
    ['""', 'undefined'],
    ['TypeError', 'no error, because "toString" is inherited'],
    ['does not throw', 'throws RangeError'],
    ['TypeError', 'RangeError: no'],
    ['[1, 2]', '[2, 1]'],
    ['true', 'undefined'],
    ['{"ok": false, "error": "empty"}', '{"ok": false, "error": "too long"}'],
    ['throws RangeError', '{"errors": []}'],
    ['"rejected"', '"error"'],
  ])('[VF13] other results are told apart: %s, %s', (expected, actual) => {
    expect(counterexamples([traced('4', expected, actual)])).toHaveLength(1)
  })

  it.each([
    ['throws RangeError', 'an error is thrown'],
    ['error', 'throws TypeError'],
  ])('[VF13] an error whose class is not told cannot be compared: %s, %s', (expected, actual) => {
    expect(counterexamples([traced('4', expected, actual)])).toEqual([])
    expect(tracingProblems(criteria, [traced('4', expected, actual)], [])).toHaveLength(1)
  })

  it('[VF13] a counterexample counts also where a test seems to use its input', () => {
    const found = traced('a=10', '"10"', '10')
    expect(tracingProblems(criteria, [found], ["parse('a=10')"])).toEqual([])
    expect(counterexamples([found])).toEqual([found])
    // The quotes in an input are part of it.
    expect(tracingProblems(criteria, [traced('a="10"', '5', '5')], ["parse('a=10')"])).toEqual([])
    expect(tracingProblems(criteria, [traced("a='x'", '5', '5')], [`parse('a="x"')`])).toEqual([])
    expect(tracingProblems(criteria, [traced("'a=10'", '5', '5')], ["parse('a=10')"])).toHaveLength(1)
  })

  it('[VF13] descriptions that differ go back to the reviewer, not to the author', () => {
    const vague = traced('4', 'the list stays in order', 'order is kept')
    expect(counterexamples([vague])).toEqual([])
    expect(tracingProblems(criteria, [vague], []).map(({ message }) => message)).toEqual([
      '"the list stays in order" and "order is kept" cannot be compared for AC1: give both as values (a text in quotes), or as "throws TypeError"',
    ])
  })
})
