import { describe, expect, it } from 'vitest'
import { file, symbol, textFile } from '../build/syntax-facts.fixture.ts'
import type { TestFacts } from '../build/test-facts.ts'
import { testsRed } from './tests-red.ts'

const planned = [{ criterionId: 'c1', plannedTestName: 'adds two numbers' }]
const red = (test: Partial<TestFacts>) =>
  testsRed({ planned, toBeWritten: ['src/add.ts'], ran: [{ name: 'adds two numbers', outcome: 'assertion', ...test }] })

describe('new tests on the scaffold', () => {
  it.each(['assertion', 'not-implemented'] as const)('[VF2] may fail by %s', (outcome) => {
    expect(red({ outcome })).toMatchObject({ problems: [], unexplained: [] })
  })

  it.each([
    ['passed', /passes before/],
    ['skipped', /skipped/],
    ['error', /its own error/],
    ['import-error', /its own import/],
  ] as const)('[VF2] may not end %s', (outcome, words) => {
    const { problems } = red({ outcome })
    expect(problems).toEqual([{ rule: 'VF2', message: expect.stringMatching(words) }])
    expect(problems[0]?.message).toMatch(/adds two numbers.*c1/)
  })

  it.each([
    ['a helper that was there', 'test/helper.js', 'Error: isIban("x") failed but should have passed', true],
    ['code that refuses what is new', 'src/parse.js', 'TypeError: unknown option', true],
    ['the test itself, as a plain error', 'test/add.test.js', 'Error: 3 is wrong', true],
    ['a mistake in the test', 'test/add.test.js', "TypeError: 'x' is not iterable", false],
    ['the system', 'test/add.test.js', "Error: ENOENT: no such file or directory, open 'x'", false],
    ['a port in use', 'test/add.test.js', 'Error: listen EADDRINUSE: address already in use', false],
    ['a program', 'test/helper.js', 'Error: Command failed: node nosuch.js', false],
    ['nobody knows what', undefined, 'Error: 3 is wrong', false],
  ] as const)('[VF2] may fail by an error of %s only if it says that a value is wrong', (_, thrownIn, message, may) => {
    const ran = [{ name: 'adds two numbers', outcome: 'error', message, ...(thrownIn ? { thrownIn } : {}) }] as const
    const changed = ['test/add.test.js']
    expect(testsRed({ planned, toBeWritten: ['src/add.ts'], changed, ran }).problems).toHaveLength(may ? 0 : 1)
  })

  it('[VF2] may be new cases of a test that was there, also one that several criteria share', () => {
    const named = (name: string, outcome: TestFacts['outcome'] = 'passed'): TestFacts => ({
      name,
      file: 'tests/test_a.py',
      outcome,
    })
    const shared = ['c1', 'c2'].map((criterionId) => ({ criterionId, plannedTestName: 'test_a' }))
    const before = [named('test_a[1-1]'), named('test_a[2-2]')]
    const judged = (...added: TestFacts[]) =>
      testsRed({ planned: shared, toBeWritten: ['a.py'], before, ran: [...before, ...added] }).problems
    expect(judged(named('test_a[0-0]', 'assertion'))).toEqual([])
    expect(judged(named('test_a[0-0]', 'assertion'), named('test_a[3-3]'))).toHaveLength(2)
    expect(judged(named('test_a[3-3]'))).toHaveLength(2)
    expect(judged()).toHaveLength(4)
  })

  it('[VF2] may share a table with what is to be kept: the red rows are for what is new', () => {
    const row = (values: string, outcome: TestFacts['outcome'] = 'passed'): TestFacts => ({
      name: `test_a[${values}]`,
      file: 'tests/test_a.py',
      outcome,
    })
    const shared = ['c1', 'c2'].map((criterionId) => ({ criterionId, plannedTestName: 'test_a' }))
    const before = [row('1-1')]
    const judged = (...added: TestFacts[]) =>
      testsRed({ planned: shared, keep: ['c2'], toBeWritten: ['a.py'], before, ran: [...before, ...added] }).problems
    expect(judged(row('2.7-2.7', 'assertion'), row('5.0-five'))).toEqual([])
    // No row is red for c1; none is green for c2.
    expect(judged(row('5.0-five'))).toHaveLength(1)
    const red = [row('1-1', 'assertion'), row('2.7-2.7', 'assertion')]
    const none = { planned: shared, keep: ['c2'], toBeWritten: ['a.py'], before, ran: red }
    expect(testsRed(none).problems).toHaveLength(2)
  })

  it('[VF2] of what is to be kept may be cancelled by a test before it', () => {
    const message = 'Promise resolution is still pending but the event loop has already resolved'
    const kept = (message: string, ...before: TestFacts[]) =>
      testsRed({
        planned,
        toBeWritten: ['src/add.ts'],
        keep: ['c1'],
        ran: [...before, { name: 'adds two numbers', file: 'test/add.test.js', outcome: 'failed', message }],
      }).problems
    const hanging: TestFacts = { name: 'hangs', file: 'test/add.test.js', outcome: 'failed', message }
    expect(kept(message, hanging)).toEqual([])
    expect(kept(message)).toHaveLength(1)
    expect(kept(message, { ...hanging, file: 'test/other.test.js' })).toHaveLength(1)
    expect(kept('it hangs', hanging)).toHaveLength(1)
  })

  it('[VF2] may pass in a later round, if another test of the criterion was red before', () => {
    const ran: TestFacts[] = [{ name: 'adds two numbers', outcome: 'passed' }]
    const later = (seen: string[]) => testsRed({ planned, toBeWritten: ['src/add.ts'], ran, seen }).problems
    expect(later(['c1'])).toEqual([])
    expect(later(['c2'])).toHaveLength(1)
  })

  it('[VF2] may guard what holds already, beside another of the same criterion that is red', () => {
    const [add] = planned
    const two = [add!, { criterionId: 'c1', plannedTestName: 'leaves zero alone' }]
    const guard: TestFacts = { name: 'leaves zero alone', outcome: 'passed' }
    const judged = (outcome: TestFacts['outcome'], all = two) =>
      testsRed({ planned: all, toBeWritten: ['src/add.ts'], ran: [{ name: 'adds two numbers', outcome }, guard] })
    expect(judged('assertion')).toMatchObject({ problems: [], passedBefore: ['leaves zero alone'] })
    expect(judged('passed').problems).toHaveLength(2)
    // An error of its own shows nothing missing, and the red test of another criterion is not its own.
    expect(judged('error').problems).toHaveLength(2)
    const other = { criterionId: 'c2', plannedTestName: 'leaves zero alone' }
    expect(judged('assertion', [add!, other]).problems).toHaveLength(1)
  })

  it.each([
    ['by an assertion', { outcome: 'assertion' }, true],
    ['because a member is missing', { outcome: 'error', message: 'TypeError: add is not a function' }, false],
    ['not at all', { outcome: 'passed' }, false],
    ['by an error of its own', { outcome: 'error', message: 'TypeError: of its own' }, false],
    ['with its whole file', { outcome: 'import-error', missing: 'src/add.ts' }, false],
    ['with its whole file, by the name in its source', { outcome: 'assertion', hinted: true }, false],
  ] as const)('[VF2] may check what the scaffold itself brings: on the base it fails %s', (_, test, may) => {
    const ran: TestFacts[] = [{ name: 'adds two numbers', file: 'test/add.test.ts', outcome: 'passed' }]
    const facts = { planned, toBeWritten: ['src/add.ts'], ran }
    expect(testsRed(facts).isTooGreen).toBe(true)
    const verdict = testsRed({ ...facts, onBase: [{ ...ran[0]!, ...test }] })
    expect(verdict.problems).toHaveLength(may ? 0 : 1)
    expect(verdict).toMatchObject({ isTooGreen: !may, passedBefore: may ? ['adds two numbers'] : [] })
  })

  it('[VF2] name what ran under other names, where a planned one did not', () => {
    const file = 'test/add.test.ts'
    const ran: TestFacts[] = ['sums', 'is old'].map((name) => ({ name, file, outcome: 'assertion' }))
    const { problems } = testsRed({ planned, toBeWritten: [], files: [file], before: [ran[1]!], ran })
    expect(problems[0]!.message).toMatch(/ did not run; .*"tests": \[\{"criterionId", "testName"\}\]: `sums`$/)
  })

  it('[VF2] are not mistaken for tests of another suite that have the same title', () => {
    const name = planned[0]!.plannedTestName
    const own = { name, fullName: `tests.New.${name}`, outcome: 'not-implemented' as const }
    const other = { name, fullName: `tests.Old.${name}`, outcome: 'passed' as const }
    expect(testsRed({ planned, toBeWritten: ['src/add.ts'], ran: [other, own] }).problems).toEqual([])
    expect(testsRed({ planned, toBeWritten: ['src/add.ts'], ran: [other] }).problems).toHaveLength(1)
    const skipped = { ...own, outcome: 'skipped' as const }
    expect(testsRed({ planned, toBeWritten: ['src/add.ts'], ran: [other, skipped] }).problems).toHaveLength(1)
  })

  it('[VF2] may miss what the implementer has yet to write, and nothing else', () => {
    expect(red({ outcome: 'import-error', missing: 'src/add.ts' }).problems).toEqual([])
    expect(red({ outcome: 'import-error', missing: 'src/helper.ts' }).problems).toMatchObject([
      { message: expect.stringMatching(/src\/helper\.ts/) },
    ])
  })

  describe('that miss something in a file which is there', () => {
    const at = (
      test: Partial<TestFacts>,
      there = file('src/add.ts', [
        symbol('add'),
        symbol('Sum', '', { kind: 'type' }),
        symbol('own', '', { exported: false }),
      ]),
      fixed = ['src/add.ts'],
    ) =>
      testsRed({
        planned,
        toBeWritten: ['src/add.ts'],
        there: [there],
        fixed,
        ran: [{ name: 'adds two numbers', outcome: 'import-error', missing: 'src/add.ts', ...test }],
      }).problems.map(({ message }) => message)

    it.each(['addd', 'own', 'Sum', 'default', 'constructor'])(
      '[VF2] [VF3] are refused where nobody may bring it: %s',
      (missingName) => {
        expect(at({ missingName })).toEqual([
          `adds two numbers (for c1) fails because of its own import: src/add.ts does not export ${missingName}, and as an interface it may export only: add, Sum`,
        ])
      },
    )

    it('[VF2] are refused where nothing is missing but the path', () => {
      expect(at({})).toEqual([expect.stringMatching(/own import: src\/add\.ts exists, but not where/)])
    })

    it('[VF2] are red where the interface declares it, or may', () => {
      expect(at({ missingName: 'add' })).toEqual([])
      expect(at({ missingName: 'sub' }, file('src/add.ts', [symbol('* from ./sub.ts')]))).toEqual([])
      expect(at({ missingName: 'sub' }, textFile('src/add.ts', 'fn add'))).toEqual([])
    })

    it('[VF2] are red where an implementer may still export it', () => {
      expect(at({ missingName: 'addd' }, undefined, ['src/types.ts'])).toEqual([])
    })
  })

  it('[VF2] are red if one of their cases is; if none is, each is named', () => {
    const cases = (...outcomes: TestFacts['outcome'][]) =>
      testsRed({
        planned: [{ criterionId: 'c1', plannedTestName: 'test_add' }],
        toBeWritten: [],
        ran: outcomes.map((outcome, index): TestFacts => ({ name: `test_add[${index} and more]`, outcome })),
      })
    expect(cases('assertion', 'not-implemented')).toMatchObject({ problems: [], unexplained: [] })
    expect(cases('failed', 'failed')).toMatchObject({ problems: [], unexplained: ['test_add'] })
    expect(cases('assertion', 'passed').problems).toEqual([])
    const named = (index: number) =>
      expect.stringMatching(`^test_add \\(for c1\\) passes before .*: test_add\\[${index} `)
    expect(cases('passed', 'passed').problems.map(({ message }) => message)).toEqual([named(0), named(1)])
    expect(cases('error', 'passed').problems).toHaveLength(2)
  })

  it('[VF2] are red in each case where they are for several criteria: nothing says which case is whose', () => {
    const planned = ['c1', 'c2'].map((criterionId) => ({ criterionId, plannedTestName: 'test_add' }))
    const ran: TestFacts[] = [
      { name: 'test_add[one]', outcome: 'assertion' },
      { name: 'test_add[two]', outcome: 'passed' },
    ]
    expect(testsRed({ planned, toBeWritten: [], ran }).problems).toHaveLength(2)
  })

  it('[VF2] must have run, under a name that means the planned one', () => {
    expect(red({ name: 'multiplies' }).problems).toMatchObject([{ message: expect.stringMatching(/did not run/) }])
    expect(red({ name: 'adds numbers' }).found).toEqual([{ criterionId: 'c1', plannedTestName: 'adds numbers' }])
    expect(red({ name: 'two numbers', fullName: ' adds  two numbers' }).problems).toEqual([])
  })

  it('[VF2] that are red without a reason given are let through by name', () => {
    expect(red({ outcome: 'failed' })).toMatchObject({ problems: [], unexplained: ['adds two numbers'] })
  })

  it.each([
    ['a member that does not exist', { message: 'TypeError: add is not a function' }],
    ['an attribute of a module', { message: "AttributeError: module 'app' has no attribute 'add'" }],
    [
      'a type error about the missing symbol',
      { message: "error TS2339: Property 'add' does not exist on type 'Sum'." },
    ],
    ['a stub that throws while it loads', { message: 'Error: later', thrownIn: 'src/add.ts' }],
  ])('[VF2] may fail by an error that the missing code causes: %s', (_, test) => {
    expect(red({ outcome: 'error', ...test }).problems).toEqual([])
    expect(
      red({ outcome: 'error', message: 'TypeError: of its own', thrownIn: 'test/add.test.ts' }).problems,
    ).toHaveLength(1)
  })

  it('[VF2] of a criterion to keep are green, or cannot load yet', () => {
    const kept = (outcome: TestFacts['outcome']) =>
      testsRed({ planned, toBeWritten: ['src/add.ts'], keep: ['c1'], ran: [{ name: 'adds two numbers', outcome }] })
        .problems
    expect(kept('passed')).toEqual([])
    expect(kept('import-error')).toEqual([])
    expect(kept('assertion')).toMatchObject([{ message: expect.stringMatching(/c1 is to be kept/) }])
    expect(kept('skipped')).toMatchObject([{ message: expect.stringMatching(/skipped/) }])
  })

  it('[VF2] that are green come back with the choice to keep the criterion', () => {
    expect(red({ outcome: 'passed' }).problems[0]!.message).toContain('"keep": [{"criterionId": "c1", "reason"')
  })

  it('[VF2] [VF3] name the exports that the implementer may add', () => {
    const { promised } = red({ outcome: 'import-error', missing: 'src/add.ts', missingName: 'add' })
    expect(promised).toEqual([{ file: 'src/add.ts', name: 'add' }])
  })

  it('[VF2] that stood there before may be green', () => {
    const ran: TestFacts[] = [
      { name: 'adds two numbers', outcome: 'assertion' },
      { name: 'an old test', outcome: 'passed' },
    ]
    expect(testsRed({ planned, ran, toBeWritten: [] }).problems).toEqual([])
  })
})

describe('names that were read from the source of a file that could not run', () => {
  const hint = (name: string, more: Partial<TestFacts> = {}): TestFacts => ({
    name,
    suite: [],
    file: 'test/add.test.ts',
    hinted: true,
    outcome: 'import-error',
    missing: 'src/add.ts',
    ...more,
  })
  const seen = (...ran: TestFacts[]) =>
    testsRed({ planned, toBeWritten: ['src/add.ts'], ran, files: ['test/add.test.ts'] })

  it('[VF2] [VF9] are hints: the test is red, and may run under another name later', () => {
    expect(seen(hint('adds two numbers'))).toMatchObject({ problems: [], hinted: ['adds two numbers'] })
    expect(seen(hint('test_mixin'), hint('other'))).toMatchObject({
      problems: [],
      found: planned,
      hinted: ['adds two numbers'],
    })
  })

  it('[VF2] are no excuse for an import that the author got wrong', () => {
    const { problems } = seen(hint('a', { missing: 'src/helper.ts' }), hint('b', { missing: 'src/helper.ts' }))
    expect(problems).toMatchObject([{ message: expect.stringMatching(/its own import: src\/helper\.ts/) }])
  })
})

describe('names that failing tests call missing', () => {
  it.each([
    ['TypeError: all.inc is not a function', 'inc'],
    ["AttributeError: module 'cache' has no attribute 'limit'", 'limit'],
    ["error TS2339: Property 'step' does not exist on type 'Inc'", 'step'],
  ])('[VF3] may be added by the implementer: %s', (message, name) => {
    expect(red({ outcome: 'error', message }).promised).toEqual([{ file: 'src/add.ts', name }])
  })
})
