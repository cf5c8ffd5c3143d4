import { describe, expect, it } from 'vitest'
import { isTestFileName, isTypeTest, looksLikeTest } from '../build/test-paths.ts'
import { checkedCriteria, withTypeTests } from './type-tests.ts'

describe('tests of types', () => {
  it.each(['index.test-d.ts', 'source/a.test-d.tsx', 'test-d/index.ts', 'a.spec-d.mts'])(
    '[VF2] are tests: %s',
    (path) => {
      expect(isTypeTest(path)).toBe(true)
      expect(looksLikeTest(path)).toBe(true)
    },
  )

  it('[VF2] are told from declarations and other tests', () => {
    expect(['index.d.ts', 'a.test.ts', 'test/a.ts'].some(isTypeTest)).toBe(false)
    expect(['src/latest.ts', 'test/data.json', 'a.test-d'].some(isTestFileName)).toBe(false)
  })

  it('[VF9] are judged by the exit code where the runner does not name them, and named by their criteria', () => {
    const files = [{ path: 'index.test-d.ts', text: '// AC2: the type is exported\nexpectType<string>(a)' }]
    const tests = [{ name: 'adds', outcome: 'passed' as const }]
    const outcome = (exitCode: number) => withTypeTests({ tests, exitCode }, files, { criteria: ['AC1', 'AC2'] }).at(-1)
    expect(outcome(0)).toMatchObject({ name: 'index.test-d.ts AC2', file: 'index.test-d.ts', outcome: 'passed' })
    expect(outcome(1)).toMatchObject({ outcome: 'failed' })
    const reported = [{ name: 'is a string', file: 'index.test-d.ts', outcome: 'passed' as const }]
    expect(withTypeTests({ tests: reported, exitCode: 0 }, files, { criteria: [] })).toEqual(reported)
  })

  it('[VF2] of what holds already fail only with the type checker, not with a linter or a red test beside it', () => {
    const files = [{ path: 'index.test-d.ts', text: '// AC1\nexpectType<string>(a)\n// AC2\nexpectType<number>(b)\n' }]
    const outcomes = (...parts: [string, number | null][]) =>
      withTypeTests(
        { tests: [], exitCode: 1, parts: parts.map(([command, exitCode]) => ({ command, exitCode })) },
        files,
        { criteria: ['AC1', 'AC2'], keep: ['AC2'] },
      ).map(({ name, outcome }) => [name, outcome])
    const fresh = ['index.test-d.ts AC1', 'failed']
    expect(outcomes(['xo', 1], ['ava', 0], ['tsd', 0])).toEqual([fresh, ['index.test-d.ts AC2', 'passed']])
    expect(outcomes(['xo', 0], ['ava', 1])).toEqual([fresh, ['index.test-d.ts AC2', 'passed']])
    expect(outcomes(['xo', 0], ['ava', 0], ['npx tsd', 1])).toEqual([fresh, ['index.test-d.ts AC2', 'failed']])
    expect(outcomes()).toEqual([fresh, ['index.test-d.ts AC2', 'failed']])
  })

  const covered = (text: string, more: { before?: string; keep?: string[] } = {}) => {
    const { keep, ...file } = more
    const wanted = { criteria: ['AC1', 'AC2', 'skip'], ...(keep ? { keep } : {}) }
    return checkedCriteria({ path: 'index.test-d.ts', text, ...file }, wanted)
  }

  it.each([
    ['a comment above', '// AC2: is exported\nexpectType<string>(a)\n', ['AC2']],
    ['a comment above several checks', '// AC2\nexpectType<string>(a)\nexpectError(b(1))\n', ['AC2']],
    ['a comment above a helper', "// AC2\nconst made = make('x')\nexpectType<string>(made)\n", ['AC2']],
    ['a comment at the end of the line', 'expectType<string>(a) // AC1\n', ['AC1']],
    ['a block comment', '/**\n * AC1, AC2\n */\nexpectAssignable<Options>({skip: true})\n', ['AC1', 'AC2', 'skip']],
    ['a title', "test('AC1 is a string', () => {\n  expectTypeOf(a).toBeString()\n})\n", ['AC1']],
    ['a call over several lines', '// AC1\nexpectType<string>(\n  a({\n    b: 1,\n  }),\n)\n', ['AC1']],
    ['a type over several lines', "// AC1\nexpectType<{\n  a: string;\n}>(load('a'));\n", ['AC1']],
    ['an alias over several lines', '// AC1\ntype t = Expect<\n  Equal<Step, number>\n>\n', ['AC1']],
    ['a refused line', '// AC1\n// @ts-expect-error\na(1)\n', ['AC1']],
    ['an annotation', "// AC1\nconst b: Promise<number> = a('x')\n", ['AC1']],
    ['a type alias', '// AC1\ntype cases = [Expect<Equal<Step, number>>]\n', ['AC1']],
    ['the checked name', 'expectType<symbol>(skip)\n', ['skip']],
  ])('[VF2] cover the criterion that stands beside a check: %s', (_, text, ids) => {
    expect(covered(text)).toEqual(ids)
  })

  it.each([
    ['a comment alone', '// AC2: is exported\n'],
    ['an import', "// AC2\nimport {expectType} from 'tsd'\nimport a from './a.js'\n"],
    ['a call that checks nothing', '// AC2\na(1)\n'],
    ['constants', "// AC2\nexpectType<string>('a')\n"],
    ['a value of its own', '// AC2\nexpectType<boolean>(true)\nconst skip = 1\n'],
  ])('[VF2] are no tests without a check of the code: %s', (_, text) => {
    expect(covered(text)).toBe(undefined)
    expect(withTypeTests({ tests: [], exitCode: 0 }, [{ path: 'a.test-d.ts', text }], { criteria: ['AC2'] })).toEqual(
      [],
    )
  })

  it('[VF2] cover no criterion by a comment that is followed by none or beside a check that was there', () => {
    const old = '// AC1\nexpectType<string>(a)\n'
    expect(covered(`expectType<number>(b)\n// AC2: done\n`)).toEqual([])
    expect(covered(`// AC2\n${old}`, { before: old })).toBe(undefined)
    expect(covered(`// AC2\nexpectType<string>(  a  )\nexpectType<number>(b)\n`, { before: old })).toEqual(['AC2'])
    expect(covered(`// AC2\n${old.slice(7)}`, { before: old, keep: ['AC2'] })).toEqual(['AC2'])
  })
})
