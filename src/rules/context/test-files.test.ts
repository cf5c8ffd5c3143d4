import { describe, expect, it } from 'vitest'
import { isTestFile, testRunners } from './test-files.ts'

describe('test files', () => {
  it.each<[string, string[], string[]]>([
    [
      'ava',
      ['test.js', 'test/a.js', 'src/a.spec.ts', 'test-x.mjs'],
      ['test/helpers/a.js', 'test/_util.js', 'index.js', 'latest.js'],
    ],
    ['vitest', ['src/a.test.ts', 'a.spec.tsx'], ['test/setup.ts', 'tests/a.ts', 'contest.ts']],
    ['jest', ['src/__tests__/a.js', 'a.test.jsx', 'test.js'], ['test/a.js', 'latest.js']],
    ['mocha', ['test/a.js', 'test/deep/b.js'], ['test/fixtures/a.js', 'lib/a.js']],
    ['node:test', ['test/a.js', 'a-test.mjs', 'a_test.js', 'test.js'], ['a.js', 'contest.js']],
    ['jasmine', ['spec/a_spec.js', 'spec/aSpec.js'], ['spec/helpers/setup.js']],
    ['pytest', ['tests/test_a.py', 'pkg/a_test.py'], ['tests/conftest.py', 'tests/data.py']],
    ['go', ['pkg/a_test.go'], ['test/main.go']],
    ['cargo', ['tests/cli.rs'], ['src/tests.rs', 'tests/common/mod.rs']],
    ['junit', ['src/test/java/ATest.java'], ['src/main/java/Test.java']],
    ['rspec', ['spec/a_spec.rb'], ['spec/spec_helper.rb']],
  ])('[RD14] follow the conventions of %s', (runner, tests, others) => {
    expect(tests.filter((path) => !isTestFile(path, [runner]))).toEqual([])
    expect(others.filter((path) => isTestFile(path, [runner]))).toEqual([])
  })

  it('[RD14] of an unknown runner are those whose name says it', () => {
    expect(isTestFile('src/a.test.ts', [])).toBe(true)
    expect(isTestFile('test/a.ts', [])).toBe(false)
    expect(isTestFile('node_modules/x/a.test.js', ['vitest'])).toBe(false)
  })

  it('[RD14] runners are found in manifests, commands and files', () => {
    expect(testRunners([{ devDependencies: { ava: '6', xo: '1' } }], ['index.js'])).toEqual(['ava'])
    expect(testRunners([{ scripts: { test: 'node --enable-source-maps --test' } }], [])).toEqual(['node:test'])
    expect(testRunners([{ scripts: { test: 'tsc && npx jest --ci' } }], [])).toEqual(['jest'])
    expect(testRunners([{ scripts: { test: 'node test-jest-compat.js' } }], [])).toEqual([])
    expect(testRunners([], ['setup.py', 'a.py'], 'python -m unittest')).toEqual(['unittest'])
    expect(testRunners([], ['pyproject.toml', 'a.py'])).toEqual(['pytest'])
    expect(testRunners([], ['go.mod', 'Cargo.toml'])).toEqual(['cargo', 'go'])
  })
})
