import { describe, expect, it } from 'vitest'
import { isTestFileName, isTypeTest, looksLikeTest } from '../build/test-paths.ts'
import { withTypeTests } from './type-tests.ts'

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
    const outcome = (exitCode: number) => withTypeTests({ tests, exitCode }, files, ['AC1', 'AC2']).at(-1)
    expect(outcome(0)).toMatchObject({ name: 'index.test-d.ts AC2', file: 'index.test-d.ts', outcome: 'passed' })
    expect(outcome(1)).toMatchObject({ outcome: 'failed' })
    const reported = [{ name: 'is a string', file: 'index.test-d.ts', outcome: 'passed' as const }]
    expect(withTypeTests({ tests: reported, exitCode: 0 }, files, [])).toEqual(reported)
  })
})
