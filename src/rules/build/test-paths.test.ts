import { describe, expect, it } from 'vitest'
import { looksLikeTest } from './test-paths.ts'

describe('files that are tests by their path', () => {
  it.each([
    'test.js',
    'test.mjs',
    'packages/is-odd/test.ts',
    'packages/@acme/is-odd/test.ts',
    'tests.js',
    'spec.js',
    'a.test.ts',
    'test/a.js',
    'tests/conftest.py',
    'test_a.py',
    'index.test-d.ts',
  ])('[VF3] is a test: %s', (path) => {
    expect(looksLikeTest(path)).toBe(true)
  })

  it.each([
    'src/test.ts',
    'lib/commands/test.js',
    'source/spec.ts',
    'app/models/test.ts',
    'pages/api/test.ts',
    'packages/web/routes/test.js',
    'contest.js',
    'latest.js',
    'test.md',
    'src/testing.ts',
  ])('[VF3] is no test: %s', (path) => {
    expect(looksLikeTest(path)).toBe(false)
  })
})
