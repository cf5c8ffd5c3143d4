import { describe, expect, it } from 'vitest'
import { forgottenTests, testIds, testsInWords, unknownReferences, withForgottenTests } from './plan-references.ts'

const testPlan = [
  '## Tests by criterion',
  '- **T1** unit: three lines',
  '| T2 | an empty file |',
  '1. `E2E-3` the whole report',
  '### T4: limits',
  'HTTP is not tested.',
].join('\n')
const decided = [{ id: 'D4-1', called: 'FORMAT', decision: 'UTF-8', confidence: 'HIGH' as const }]

describe('[PH6] references of issues', () => {
  it('[PH6] finds the ids of a test plan at the start of its rows', () => {
    expect(testIds(testPlan)).toEqual(['T1', 'T2', 'E2E-3', 'T4'])
    expect(testIds('Tests in words only.')).toEqual([])
  })

  it('[PH6] a row of a table keeps the brackets in its cells, and says what would make it fail', () => {
    const table = "| id | test | fails if |\n|---|---|---|\n| **C2** | ['/a', '/b'] gives `/` | it gives [] |"
    expect(testsInWords({ tests: ['C2'] }, table)).toEqual(["C2: ['/a', '/b'] gives `/` · fails if: it gives []"])
  })

  it('[PH6] a row keeps its code and arithmetic, in a table and in a list, and loses its bold marks', () => {
    const table =
      '| id | checks | **fails if** |\n|---|---|---|\n| **T1** | "30000.0 QB" **is** 3*10**34, a*b*c | 2**3 |'
    expect(testsInWords({ tests: ['T1'] }, table)).toEqual(['T1: "30000.0 QB" is 3*10**34, a*b*c · fails if: 2**3'])
    const list =
      '* **T1: powers** 3*10**34 is [`x`]\n  `parse()` of **all** `**kwargs`\n1. **[T2]** src/**/*.ts\n- `T3`: a'
    expect(testsInWords({ tests: ['T1', 'T2', 'T3'] }, list)).toEqual([
      'T1: powers 3*10**34 is [`x`] `parse()` of all `**kwargs`',
      'T2 src/**/*.ts',
      'T3: a',
    ])
  })

  it('[PH6] what Convene lists in the test plan is no row, and underlines in names stay', () => {
    const page = [
      '| T1 | it loads | src/__tests__/load.test.js, pkg/__init__.py | __not yet__ |',
      '## Decisions',
      '- **D7-1** (HIGH): Tests go into the existing files <sub>turn 67</sub>',
      '- **Q7-2**: Which browser? → **P9-1**: all',
    ].join('\n')
    expect(testIds(page)).toEqual(['T1'])
    expect(testsInWords({ tests: ['T1'] }, page)).toEqual([
      'T1: it loads · src/__tests__/load.test.js, pkg/__init__.py · not yet',
    ])
  })

  it('[PH6] names decisions and tests that do not exist', () => {
    const issues = [{ decisions: ['format', 'D9-9'], tests: ['T1 unit', 'T9: nothing', 'E2E-3', 'A row in words'] }]
    expect(unknownReferences(issues, decided, testPlan)).toEqual(['decision D9-9', 'test T9'])
    expect(unknownReferences([{ tests: ['T1.2 the second line'] }], decided, testPlan)).toEqual([])
  })

  it('[PH6] where the test plan numbers nothing, no test is unknown', () => {
    expect(unknownReferences([{ tests: ['T1 unit'] }], decided, 'Tests in words.')).toEqual([])
  })

  it('[PH6] an id of the test plan stands for the words of its row', () => {
    const rows = [
      '- **T1** unit: three lines',
      '  give three rows',
      '| T2 | an empty file | no rows |',
      '1. `E2E-3` the whole report',
      '### T4: limits',
      'A row of 1 MB is read.',
      '',
      'And one of 2 MB.',
      '### Other',
      '- T5: refuses a folder',
    ].join('\n')
    const words = {
      T1: 'T1 unit: three lines give three rows',
      T2: 'T2: an empty file · no rows',
      E2E3: 'E2E-3 the whole report',
      T4: 'T4: limits A row of 1 MB is read. And one of 2 MB.',
      T5: 'T5: refuses a folder',
    }
    expect(testsInWords({ tests: ['T1', 'T2, E2E-3'] }, rows)).toEqual([words.T1, words.T2, words.E2E3])
    expect(testsInWords({ tests: ['T1–T4'] }, rows)).toEqual([words.T1, words.T2, words.E2E3, words.T4])
    expect(testsInWords({ tests: ['T4 and T5 (test-plan.md)'] }, rows)).toEqual([words.T4, words.T5])
    // The issue's own words stay, unless the row says more.
    const own = 'T5: refuses a folder, and says which one it was'
    expect(testsInWords({ tests: [own, 'T1 unit'] }, rows)).toEqual([own, words.T1])
    expect(testsInWords({ tests: ['T9', 'A row in words'] }, rows)).toEqual(['T9', 'A row in words'])
  })

  it('[PH6] an issue that covers only a part of a row keeps saying which part', () => {
    const rows = '| T4 | both options throw | unit | parse.test.js, range.test.js | TypeError from each |'
    const row = 'T4: both options throw · unit · parse.test.js, range.test.js · TypeError from each'
    const part = 'T4: both options throw (parse)'
    expect(testsInWords({ tests: [part] }, rows)).toEqual([`${part} · the row in test-plan.md: ${row}`])
    expect(testsInWords({ tests: ['T4: parse.test.js'] }, rows)[0]).toMatch(/^T4: parse\.test\.js · the row in /)
    for (const whole of ['T4: Both options throw', 'T4 (test-plan.md)', 'T4 both options throw.'])
      expect(testsInWords({ tests: [whole] }, rows)).toEqual([row])
  })

  it('[PH6] a row that only the body or a criterion names is carried too', () => {
    const issue = { body: 'Covers T1.', acceptance_criteria: [{ text: 'Limits hold (T4)' }], tests: ['T1'] }
    expect(testsInWords(issue, testPlan)).toEqual(['T1 unit: three lines', 'T4: limits HTTP is not tested.'])
    expect(testsInWords({ body: 'RT1 and T12' }, testPlan)).toEqual([])
    expect(testsInWords({}, '')).toEqual([])
  })

  it('[PH6] a row of the test plan that no issue names is forgotten, unless issues name none at all', () => {
    const rows = '| T1 | a |\n| T2 | b |\n| T3 | c |\n| T4 | d |'
    const named = [{ tests: ['T1 to T2'] }, { body: 'Covers T4.1.' }]
    expect(forgottenTests(named, rows)).toEqual(['T3'])
    expect(forgottenTests([{ tests: ['three lines give three rows'] }, {}], rows)).toEqual([])
    expect(forgottenTests(named, 'Tests in words.')).toEqual([])
  })

  it('[PH6] the only issue of a plan gets the rows that it forgets', () => {
    const rows = '| T1 | a |\n| T2 | b |'
    expect(forgottenTests([{ tests: ['T1'] }], rows)).toEqual([])
    expect(withForgottenTests([{ tests: ['T1'] }], rows)).toEqual([{ tests: ['T1', 'T2'] }])
    expect(withForgottenTests([{ tests: ['T1'] }, {}], rows)).toEqual([{ tests: ['T1'] }, {}])
    expect(withForgottenTests([{ tests: ['three lines'] }], rows)).toEqual([{ tests: ['three lines'] }])
    expect(withForgottenTests([], rows)).toEqual([])
  })
})
