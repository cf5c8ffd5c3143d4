/** Real runners on small projects: what they report about each test, and what they leave behind. */
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Commands } from '../../src/workspace/commands/command.ts'
import type { TestRun } from '../../src/workspace/test-results/test-run.ts'
import { createTestRunner, type TestRunnerSettings } from '../../src/workspace/test-results/test-runner.ts'

const modules = resolve(import.meta.dirname, '../../node_modules')
const cache = await mkdtemp(join(tmpdir(), 'runner-cache-'))
const commands = new Commands({ sandbox: 'auto', env: { ...process.env, XDG_CACHE_HOME: cache }, allowEnv: [] })
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'runner-test-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))
afterAll(() => rm(cache, { recursive: true, force: true }))

async function write(files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

function runnerFor(settings: Partial<TestRunnerSettings>) {
  return createTestRunner(commands, { timeoutMs: 300_000, ...settings })
}

async function run(test: string, paths?: string[]): Promise<TestRun> {
  const result = await runnerFor({ test }).run({
    folder,
    ...(paths ? { paths } : {}),
    readable: [modules, process.execPath],
  })
  await result.output.remove()
  return result
}

const lines = ({ tests }: TestRun) =>
  tests.map(({ fullName, name, outcome, missing }) =>
    [fullName ?? name, outcome, ...(missing ? [missing] : [])].join(' | '),
  )

const stub = {
  'src/math.mjs':
    "export const add = (a, b) => a + b\nexport const sub = () => { throw new Error('not implemented') }\n",
}

const nodeTests = {
  ...stub,
  'test/math.test.mjs': `
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { add, sub } from '../src/math.mjs'
describe('math', () => {
  it('adds', () => assert.equal(add(1, 2), 3))
  it('fails', () => assert.equal(add(1, 2), 4))
  it('is a stub', () => sub())
  it('breaks', () => null.x)
  it.skip('waits', () => {})
  it.todo('comes later')
})
`,
  'test/parser.test.mjs': `
import { describe, it } from 'node:test'
import { parse } from '../src/parser.mjs'
describe('parser', () => { it('parses', () => parse('')) })
`,
}
const mathLines = [
  'math adds | passed',
  'math fails | assertion',
  'math is a stub | not-implemented',
  'math breaks | error',
  'math waits | skipped',
  'math comes later | skipped',
]

describe('node --test', () => {
  // Ours, and the machine's own, which may be older.
  it.each([process.execPath, 'node'])('names its tests and why they fail (%s)', async (node) => {
    await write(nodeTests)
    const result = await run(`'${node}' --test`)
    expect(lines(result)).toEqual([...mathLines, 'parser parses | import-error | src/parser.mjs'])
    expect(result).toMatchObject({ exitCode: 1, names: 'reported', narrowed: false, ended: 'exited' })
    expect(result.counts).toEqual({ passed: 1, failed: 4, skipped: 2 })
    expect(result.tail).toContain('adds')
  })

  it('runs one file, or those of one folder, by a script of package.json', async () => {
    await write({ ...nodeTests, 'package.json': '{"scripts": {"test": "node --test"}}' })
    const one = await run('npm test', ['test/math.test.mjs'])
    expect(lines(one)).toEqual(mathLines)
    expect(one).toMatchObject({ command: 'npm test -- test/math.test.mjs', narrowed: true })
    const all = await run('npm test', ['test'])
    expect(lines(all)).toHaveLength(7)
  })

  it('leaves nothing in the worktree', async () => {
    await write(nodeTests)
    const before = await readdir(folder, { recursive: true })
    await run(`'${process.execPath}' --test`)
    expect(await readdir(folder, { recursive: true })).toEqual(before)
  })
})

describe('vitest', () => {
  const vitest = `'${process.execPath}' node_modules/vitest/vitest.mjs run`
  const files = {
    ...stub,
    'test/math.test.mjs': nodeTests['test/math.test.mjs']
      .replace("import assert from 'node:assert/strict'", "import { assert } from 'vitest'")
      .replace("'node:test'", "'vitest'"),
    'test/parser.test.mjs': nodeTests['test/parser.test.mjs'].replace("'node:test'", "'vitest'"),
    'test/export.test.mjs': `
import { expect, it } from 'vitest'
import { divide } from '../src/math.mjs'
it('divides', () => expect(divide(4, 2)).toBe(2))
`,
  }
  beforeEach(() => symlink(modules, join(folder, 'node_modules')))

  it('names its tests and why they fail', async () => {
    await write(files)
    const result = await run(vitest)
    expect(lines(result).sort()).toEqual(
      [...mathLines, 'divides | import-error | src/math.mjs', 'parser parses | import-error | src/parser.mjs'].sort(),
    )
    expect(result).toMatchObject({ exitCode: 1, names: 'reported' })
    expect((await readdir(folder)).sort()).toEqual(['node_modules', 'src', 'test'])
  })

  it('runs one file; a contract suite without its own command is one', async () => {
    await write(files)
    const one = await run(vitest, ['test/parser.test.mjs'])
    expect(lines(one)).toEqual(['parser parses | import-error | src/parser.mjs'])
    const contract = await runnerFor({ test: vitest }).run({
      folder,
      suite: 'test/math.test.mjs',
      readable: [modules],
    })
    await contract.output.remove()
    expect(lines(contract)).toEqual(mathLines)
    const green = await runnerFor({ test: vitest, contract: `${vitest} -t adds test/math` }).run({
      folder,
      suite: 'other',
      readable: [modules],
    })
    await green.output.remove()
    expect(green).toMatchObject({ exitCode: 0, counts: { passed: 1, failed: 0 } })
  })
})

describe('python', () => {
  const python = {
    'app/__init__.py': '',
    'app/math.py': "def add(a, b):\n    return a + b\n\ndef sub(a, b):\n    raise NotImplementedError('sub')\n",
  }
  const needs = (module: string) => {
    const { status } = spawnSync('python3', ['-c', `import ${module}`])
    if (status !== 0) console.warn(`skipped: python: there is no python3 with ${module}`)
    return status === 0
  }

  it.skipIf(!needs('pytest'))('[VF8] pytest names its tests and why they fail, doctests too', async () => {
    await write({
      ...python,
      'conftest.py': '',
      'tests/test_math.py': `
import pytest
from app.math import add, sub
def test_adds(): assert add(1, 2) == 3
def test_fails(): assert add(1, 2) == 4
class TestGroup:
    def test_stub(self): sub(1, 2)
    @pytest.mark.parametrize('n', [1, 2])
    def test_each(self, n): assert n
@pytest.mark.skip
def test_waits(): pass
`,
      'tests/test_parser.py': 'from app.parser import parse\ndef test_parses(): parse("")\n',
      'tests/test_use.txt': `${'Words in front.\n'.repeat(8)}\n>>> 1 + 1\n3\n`,
    })
    const result = await run('PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 python3 -m pytest -p no:cacheprovider')
    expect(lines(result).sort()).toEqual([
      'tests/test_math.py::TestGroup::test_each[1] | passed',
      'tests/test_math.py::TestGroup::test_each[2] | passed',
      'tests/test_math.py::TestGroup::test_stub | not-implemented',
      'tests/test_math.py::test_adds | passed',
      'tests/test_math.py::test_fails | assertion',
      'tests/test_math.py::test_waits | skipped',
      'tests/test_parser.py::test_parses | import-error | app/parser.py',
      'tests/test_use.txt::test_use.txt | assertion',
    ])
    const doctest = result.tests.find(({ file }) => file === 'tests/test_use.txt')
    expect(doctest?.message).toMatch(/^Expected:\n {4}3\nGot:\n {4}2\n/)
    expect(
      lines(
        await run('PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 python3 -m pytest -p no:cacheprovider', ['tests/test_parser.py']),
      ),
    ).toHaveLength(1)
  })

  it.skipIf(!needs('pytest'))('pytest reports where the command sets the variables that carry the report', async () => {
    await write({
      'src/app.py': 'def add(a, b):\n    return a + b\n',
      'tests/test_app.py': 'from app import add\ndef test_adds(): assert add(1, 2) == 3\n',
    })
    const command = `PYTHONPATH="src" PYTEST_ADDOPTS='-p no:cacheprovider' python3 -m pytest tests`
    expect(lines(await run(command))).toEqual(['tests/test_app.py::test_adds | passed'])
  })

  it.skipIf(!needs('unittest'))('unittest names its tests and why they fail', async () => {
    await write({
      ...python,
      'tests/__init__.py': '',
      'tests/test_math.py': `
import unittest
from app.math import add, sub
class Math(unittest.TestCase):
    def test_adds(self):
        """Adds two numbers."""
        self.assertEqual(add(1, 2), 3)
    def test_fails(self): self.assertEqual(add(1, 2), 4)
    def test_stub(self): print('noise'); sub(1, 2)
    @unittest.skip('no')
    def test_waits(self): pass
`,
    })
    const expected = [
      'test_adds | passed',
      'test_fails | assertion',
      'test_stub | not-implemented',
      'test_waits | skipped',
    ]
    const names = expected.map((line) => `tests.test_math.Math.${line}`)
    expect(lines(await run('python3 -m unittest'))).toEqual(names)
    const one = await run('python3 -m unittest discover -s tests -t .', ['tests/test_math.py'])
    expect(lines(one)).toEqual(names)
    expect(one.narrowed).toBe(true)
    expect((await readdir(folder, { recursive: true })).filter((name) => name.includes('pyc'))).toEqual([])
  })
})

describe('maven', () => {
  it('leaves its reports in place; those of an earlier run do not count', async () => {
    const suite = (name: string) => `<testsuite><testcase name="${name}()" classname="x.CalcTest"/></testsuite>`
    const reports = 'module/target/surefire-reports'
    await write({
      [`${reports}/TEST-x.OldTest.xml`]: suite('old'),
      mvnw: `echo '${suite('adds')}' > ${reports}/TEST-x.CalcTest.xml`,
    })
    const longAgo = new Date(Date.now() - 60_000)
    await utimes(join(folder, reports, 'TEST-x.OldTest.xml'), longAgo, longAgo)
    expect(lines(await run('sh ./mvnw -B test', ['CalcTest.java']))).toEqual(['x.CalcTest adds | passed'])
  })
})

describe('any command', () => {
  it('counts by its exit code alone if it names no tests', async () => {
    const result = await run('echo all is well', ['some path.txt'])
    expect(result).toMatchObject({ exitCode: 0, names: 'unknown', tests: [], tail: 'all is well some path.txt\n' })
    expect(await run('exit 4')).toMatchObject({ exitCode: 4, names: 'unknown' })
  })

  it('[VF9] names the part that keeps the tests from running, also in scripts that Corepack starts', async () => {
    const start = (script: string) =>
      `require('child_process').spawnSync('sh', ['-c', ${JSON.stringify(script)}], { stdio: 'inherit' }).status`
    await write({
      'corepack/package.json': '{"name":"corepack"}',
      'corepack/corepack.js': `process.exitCode = ${start('. ./oxfmt --check && node --test')}\n`,
      oxfmt: "echo 'a.yaml (0ms)'; false\n",
    })
    const { failedPart, names } = await run('node corepack/corepack.js pnpm test')
    expect({ failedPart, names }).toMatchObject({
      failedPart: { command: '. ./oxfmt --check', exitCode: 1, complaints: [{ file: 'a.yaml' }] },
    })
  })

  it('recognises a runner by its output', async () => {
    await write({ 'out.txt': 'TAP version 13\nok 1 - works\nnot ok 2 - does not\n1..2\n' })
    expect(lines(await run('cat out.txt; exit 1'))).toEqual(['works | passed', 'does not | failed'])
  })

  it('times out, and says so', async () => {
    const result = await runnerFor({ test: 'sleep 60', timeoutMs: 200 }).run({ folder })
    await result.output.remove()
    expect(result).toMatchObject({ exitCode: 124, ended: 'timed-out', names: 'unknown' })
  })

  it('builds if there is a build command', async () => {
    expect(await runnerFor({}).build({ folder })).toBeNull()
    const built = await runnerFor({ build: 'echo built > result; exit 2' }).build({ folder })
    await built?.output.remove()
    expect(built).toMatchObject({ exitCode: 2 })
    expect(await readdir(folder)).toEqual(['result'])
  })

  it('refuses to test without a command', async () => {
    await expect(runnerFor({}).run({ folder })).rejects.toMatchObject({ code: 'no_test_command', path: 'build.test' })
  })
})
