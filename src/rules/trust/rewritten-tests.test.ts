import { expect, it } from 'vitest'
import { rewritingProblem, rewrittenTests, watchedFolders } from './rewritten-tests.ts'

it('[TR7] notices tests, their helpers and settings of the runner that changed while the tests ran', () => {
  const changed = ['test/inc.test.js', 'test/helper.ts', 'pkg/inc_test.go', 'tests/conftest.py', 'vitest.config.ts']
  expect(rewrittenTests(changed)).toEqual(changed)
})

it('[TR7] leaves alone what tests and builds write by the way', () => {
  expect(
    rewrittenTests([
      'test/__snapshots__/a.snap',
      'test/fixtures/out.json',
      'dist/index.js',
      'package-lock.json',
      'README.md',
    ]),
  ).toEqual([])
})

it('[TR7] refuses for what only the work rewrites', () => {
  const none = { rewritten: [], putBack: [] }
  const [one, two] = ['test/a.test.js', 'test/b.test.js']
  expect(rewritingProblem(none, none)).toBeNull()
  expect(rewritingProblem({ ...none, rewritten: [one] }, { ...none, rewritten: [one, two] })).toBeNull()
  expect(rewritingProblem({ ...none, rewritten: [one, two] }, { ...none, rewritten: [one] })).toMatch(
    /committed: test\/b\.test\.js$/,
  )
  expect(rewritingProblem({ ...none, putBack: [one] }, none)).toMatch(/committed: test\/a\.test\.js$/)
  expect(rewritingProblem({ ...none, putBack: [two] }, { ...none, putBack: [one] })).toBeNull()
})

it('[TR7] watches whole folders of tests, the folders of tests beside their code, and the root', () => {
  expect(
    watchedFolders(['test/unit/a.test.js', 'test/b.test.js', 'src/c.test.js', 'packages/x/tests/d_test.py']),
  ).toEqual({
    whole: ['test', 'packages/x/tests'],
    flat: ['', 'src'],
  })
  expect(watchedFolders([])).toEqual({ whole: [], flat: [''] })
})
