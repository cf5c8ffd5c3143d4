/** Correct work whose tests are elsewhere, have other names than their source shows, or are read by a type checker. VF2, VF4, VF9. */
import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { approved, buildProject, expectExit, type Line, ofType, type Project, specOf, testCommand } from './project.ts'

const passed = { TestsPassed: {} }

async function expectNoRefusal(project: Project, strategy: string): Promise<void> {
  const built = await project.build('--strategy', strategy)
  const refused = ofType(await project.events(), 'reply.refused').map(({ problems }) => problems)
  expect(refused).toEqual([])
  expectExit(built, 0)
}

const planned = (criterionId: string, plannedTestName: string) => ({
  criterionId,
  plannedTestName,
  approach: 'call it',
})

describe('tests elsewhere than the spec says', () => {
  const spec = specOf('inc', ['AC1'], { testPath: 'test/inc.test.js' })
  const test = `import assert from 'node:assert'
import { test } from 'node:test'
import { inc } from '../../src/inc.js'
import { one } from './one.js'
test('AC1 adds one', () => { assert.equal(inc(one), 2) })
`
  const files = { 'test/unit/adds.test.js': test, 'test/unit/one.js': 'export const one = 1\n' }
  const code = { 'src/inc.js': 'export const inc = (value) => value + 1\n' }

  it('[VF2] [VF5] count in solo, with their helpers', async () => {
    // TR11: a coding agent that ran its tests leaves caches.
    const caches = { 'src/__pycache__/inc.pyc': 'x', '.pytest_cache/README.md': 'x' }
    const lines = [{ when: { ask: 'implement' }, files: { ...files, ...code, ...caches }, reply: passed }]
    const project = buildProject({ spec, lines })
    await expectNoRefusal(project, 'solo')
    expect(project.git('ls-tree', '-r', '--name-only', 'convene/inc/main')).not.toMatch(/cache/)
  })

  it('[VF2] [VF5] count in the graph', async () => {
    const lines: Line[] = [
      {
        when: { ask: 'scaffold' },
        files: { 'src/inc.js': 'export const inc = (value) => { throw new Error("not implemented") }\n' },
        reply: { InitWork: { interfaceFile: 'src/inc.js', testPlan: [planned('AC1', 'adds one')] } },
      },
      { when: { ask: 'write-tests' }, files, reply: { TestsReady: { testFiles: ['test/unit/adds.test.js'] } } },
      { when: { ask: 'implement' }, files: code, reply: passed },
      { when: { ask: 'review-impl' }, reply: approved },
    ]
    await expectNoRefusal(buildProject({ spec, lines }), 'graph')
  })
})

describe('tests that check by a helper of the project', () => {
  const spec = specOf('inc', ['AC1'], { testPath: 'test/inc.test.js' })
  const existing = {
    'src/inc.js': 'export const inc = (value) => value\n',
    'test/check.js': `import { inc } from '../src/inc.js'
export function check({ valid }) {
  for (const [value, sum] of valid) if (inc(value) !== sum) throw new Error(\`\${value} should have given \${sum}\`)
}
`,
  }
  const test = `import { test } from 'node:test'
import { check } from './check.js'
test('AC1 adds one', () => { check({ valid: [[1, 2], [2, 3]] }) })
`

  it('[VF2] [VF5] are red if it throws, and check something', async () => {
    const lines: Line[] = [
      {
        when: { ask: 'scaffold' },
        reply: { InitWork: { interfaceFile: 'src/inc.js', testPlan: [planned('AC1', 'AC1 adds one')] } },
      },
      {
        when: { ask: 'write-tests' },
        files: { 'test/inc.test.js': test },
        reply: { TestsReady: { testFiles: ['test/inc.test.js'] } },
      },
      {
        when: { ask: 'implement' },
        files: { 'src/inc.js': 'export const inc = (value) => value + 1\n' },
        reply: passed,
      },
      { when: { ask: 'review-impl' }, reply: approved },
    ]
    await expectNoRefusal(buildProject({ spec, lines, files: existing }), 'graph')
  })
})

const hasPytest = spawnSync('python3', ['-m', 'pytest', '--version']).status === 0
if (!hasPytest) console.warn('skipped: tests of a mixin: python3 -m pytest does not run')

describe.skipIf(!hasPytest)('tests of a mixin', () => {
  const spec = { ...specOf('cache', ['AC1', 'AC2']), targetPath: 'cache.py', testPath: 'tests/test_cache.py' }
  const command = 'PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 python3 -m pytest -q -p no:cacheprovider'
  const old = `import unittest


class CacheTestMixin:
    def test_size(self):
        self.assertEqual(self.make().size, 0)


class CacheTest(unittest.TestCase, CacheTestMixin):
    def make(self):
        from cache import Cache
        return Cache()
`
  const tests = `${old.replace('import unittest\n', 'import unittest\nfrom cache import LimitedCache\n')}
    def test_ac2_plain_cache_has_no_limit(self):
        self.assertIsNone(self.make().limit)


class LimitedCacheTest(unittest.TestCase, CacheTestMixin):
    def make(self):
        return LimitedCache(3)

    def test_ac1_limit(self):
        self.assertEqual(self.make().limit, 3)
`
  const before = 'class Cache:\n    size = 0\n'
  const after = `${before}    limit = None\n\n\nclass LimitedCache(Cache):\n    def __init__(self, limit):\n        self.limit = limit\n`
  const files = { 'cache.py': before, 'tests/test_cache.py': old, 'conftest.py': '' }

  it('[VF4] [VF9] are hints in their source: the graph demands none of them under that name', async () => {
    const lines: Line[] = [
      {
        when: { ask: 'scaffold' },
        reply: {
          InitWork: {
            interfaceFile: 'cache.py',
            testPlan: [planned('AC1', 'CacheTestMixin.test_size'), planned('AC2', 'a plain cache has no limit')],
          },
        },
      },
      {
        when: { ask: 'write-tests' },
        files: { 'tests/test_cache.py': tests },
        reply: { TestsReady: { testFiles: ['tests/test_cache.py'] } },
      },
      { when: { ask: 'implement' }, files: { 'cache.py': after }, reply: passed },
      { when: { ask: 'review-impl' }, reply: approved },
    ]
    await expectNoRefusal(buildProject({ spec, lines, files, build: { test: command } }), 'graph')
  })

  it('[VF2] [VF4] are new where a new class inherits them', async () => {
    const lines = [
      { when: { ask: 'implement' }, files: { 'cache.py': after, 'tests/test_cache.py': tests }, reply: passed },
    ]
    await expectNoRefusal(buildProject({ spec, lines, files, build: { test: command } }), 'solo')
  })
})

describe('a test of types', () => {
  const spec = specOf('inc', ['AC1', 'AC2'], { targetPath: 'index.js', testPath: 'test/inc.test.js' })
  // Reads a type test as a checker does: every name it expects must be declared.
  const checker = `import { existsSync, readFileSync } from 'node:fs'
const wanted = existsSync('index.test-d.ts') ? readFileSync('index.test-d.ts', 'utf8').match(/(?<=expectType<)\\w+/g) : []
const declared = readFileSync('index.d.ts', 'utf8')
for (const name of wanted ?? []) if (!declared.includes(name)) { console.error(name + ' is not declared'); process.exit(1) }
`
  const files = {
    'index.js': 'export const same = (value) => value\n',
    'index.d.ts': 'export declare function same(value: number): number\n',
    'check-types.js': checker,
    'package.json': JSON.stringify({
      type: 'module',
      scripts: { test: `${testCommand} && node check-types.js` },
    }),
  }
  const tests = {
    'test/inc.test.js': `import assert from 'node:assert'
import { test } from 'node:test'
import * as all from '../index.js'
test('AC1 adds one', () => { assert.equal(all.inc(1), 2) })
`,
    'index.test-d.ts': '// AC2: the type Step is exported\nexpectType<Step>(1)\n',
  }
  const code = {
    'index.js': `${files['index.js']}export const inc = (value) => value + 1\n`,
    'index.d.ts': `${files['index.d.ts']}export type Step = number\nexport declare function inc(value: number): Step\n`,
  }
  const build = { test: 'npm test --silent' }

  it('[VF2] [VF5] covers a criterion in solo, by the exit code', async () => {
    const lines = [{ when: { ask: 'implement' }, files: { ...tests, ...code }, reply: passed }]
    await expectNoRefusal(buildProject({ spec, lines, files, build }), 'solo')
  })

  it('[VF2] [VF5] covers nothing by a comment alone', async () => {
    const idle = { ...tests, 'index.test-d.ts': '// AC2: the type Step is exported\n' }
    const lines: Line[] = [
      { when: { ask: 'implement' }, files: { ...idle, ...code }, reply: passed },
      { when: { ask: 'implement', attempt: 2, contains: 'passed covers AC2' }, files: tests, reply: passed },
    ]
    const project = buildProject({ spec, lines, files, build })
    expectExit(await project.build('--strategy', 'solo'), 0)
  })

  it('[VF2] [VF5] covers a criterion in the graph, by the exit code', async () => {
    const lines: Line[] = [
      {
        when: { ask: 'scaffold' },
        reply: {
          InitWork: {
            interfaceFile: 'index.js',
            testPlan: [planned('AC1', 'adds one'), planned('AC2', 'Step is exported')],
          },
        },
      },
      {
        when: { ask: 'write-tests' },
        files: tests,
        reply: { TestsReady: { testFiles: ['test/inc.test.js', 'index.test-d.ts'] } },
      },
      { when: { ask: 'implement' }, files: code, reply: passed },
      { when: { ask: 'review-impl' }, reply: approved },
    ]
    await expectNoRefusal(buildProject({ spec, lines, files, build }), 'graph')
  })
})

describe('everything that is wrong', () => {
  const spec = specOf('inc', ['AC1', 'AC2'])
  const files = {
    'lint/eslint': 'grep -n "var " src/*.js && exit 3\nexit 0\n',
    'package.json': JSON.stringify({ type: 'module', scripts: { test: `sh lint/eslint && ${testCommand}` } }),
  }
  const build = { test: 'npm test --silent' }
  const tests = (...ids: string[]) => `import assert from 'node:assert'
import { test } from 'node:test'
import { inc } from '../src/inc.js'
${ids.map((id) => `test('${id}', () => { assert.equal(inc(1), 2) })`).join('\n')}
`
  const right = {
    'src/inc.js': 'export const inc = (value) => value + 1\n',
    'test/inc.test.js': tests('AC1', 'AC2'),
  }
  const wrong = {
    'src/inc.js': 'export const inc = (value) => {\n  var sum = value\n  return sum\n}\n',
    'test/inc.test.js': tests('AC1', 'AC2'),
    'package.json': JSON.stringify({ type: 'module', scripts: { test: 'true' } }),
  }

  it('[VF4] [VF8] is told at once: what it may not touch, the linter and the failing tests', async () => {
    const lines: Line[] = [
      { when: { ask: 'implement' }, files: wrong, reply: passed },
      { when: { ask: 'implement', attempt: 2, contains: 'var sum = value' }, files: right, reply: passed },
    ]
    const project = buildProject({ spec, lines, files, build })
    expectExit(await project.build('--strategy', 'solo'), 0)
    const events = await project.events()
    const [problems] = ofType(events, 'reply.refused').map(({ problems }) => problems as { message: string }[])
    expect(problems!.map(({ message }) => message.split('\n')[0])).toEqual([
      'the test command depends on it, so agents may not edit it',
      'a check of the test command fails in a clean checkout:',
      'the tests do not pass in a clean checkout (AC1, AC2)',
    ])
  })

  it('[VF4] a linter that fails gets no second run of the suite', async () => {
    const lint = { ...right, 'src/inc.js': right['src/inc.js'].replace('const', 'var') }
    const lines: Line[] = [
      { when: { ask: 'implement' }, files: lint, reply: passed },
      {
        when: { ask: 'implement', attempt: 2, contains: 'a check of the test command fails' },
        files: right,
        reply: passed,
      },
    ]
    const project = buildProject({ spec, lines, files, build })
    expectExit(await project.build('--strategy', 'solo'), 0)
    const claims = ofType(await project.events(), 'evidence.recorded').filter(({ purpose }) => purpose === 'claim')
    expect(claims.map(({ exit_code }) => exit_code)).toEqual([3, 0])
  })

  it('[VF4] a linter that fails is no failing test where it keeps the tests from running', async () => {
    const scripts = { lint: 'sh lint/eslint && sh lint/format', test: `npm run lint && ${testCommand}` }
    const nested = { ...files, 'lint/format': 'exit 0\n', 'package.json': JSON.stringify({ type: 'module', scripts }) }
    const lint = { ...right, 'src/inc.js': right['src/inc.js'].replace('const', 'var') }
    const lines: Line[] = [
      { when: { ask: 'implement' }, files: lint, reply: passed },
      { when: { ask: 'implement', attempt: 2, contains: 'eslint` fails' }, files: right, reply: passed },
    ]
    const project = buildProject({ spec, lines, files: nested, build })
    expectExit(await project.build('--strategy', 'solo'), 0)
    const events = await project.events()
    const refused = ofType(events, 'reply.refused').map(({ problems }) => problems as { message: string }[])
    expect(refused.map(([problem]) => problem!.message.split('\n')[0])).toEqual([
      'a check of the test command fails in a clean checkout:',
    ])
  })

  it('[VF4] [VF9] repaired work is accepted where the runner names no tests', async () => {
    const check = 'import assert from "node:assert"\nimport { inc } from "../src/inc.js"\nassert.equal(inc(1), 2)\n'
    const unnamed = {
      ...files,
      'test/base.test.js': 'import assert from "node:assert"\nassert.ok(true)\n',
      'run.sh': 'for file in test/*.js; do node "$file" || exit 1; done\n',
      'package.json': JSON.stringify({ type: 'module', scripts: { test: 'sh lint/eslint && sh run.sh' } }),
    }
    const work = { ...right, 'test/inc.test.js': check }
    const lint = { ...work, 'src/inc.js': work['src/inc.js'].replace('const', 'var') }
    const lines: Line[] = [
      { when: { ask: 'implement' }, files: lint, reply: passed },
      { when: { ask: 'implement', attempt: 2, contains: 'fails' }, files: work, reply: passed },
    ]
    const project = buildProject({ spec, lines, files: unnamed, build })
    const built = await project.build('--strategy', 'solo')
    const refused = ofType(await project.events(), 'reply.refused').map(
      ({ problems }) => problems as { message: string }[],
    )
    expect(refused.map(([problem]) => problem!.message.split('\n')[0])).toEqual([
      'a check of the test command fails in a clean checkout:',
    ])
    expectExit(built, 0)
  })
})
