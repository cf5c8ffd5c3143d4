/** Honest work that looks like that of liars and saboteurs, through the command: merged with at most one question for all of it. */
import { describe, expect, it } from 'vitest'
import { buildProject, code, expectExit, ofType, type Project, specOf, testFile } from '../build/project.ts'
import { passed } from './lies.ts'

interface Change {
  what: string
  files: Record<string, string | null>
  before?: Record<string, string>
  /** What the spec says about it. */
  wanted?: string
}

const json = (value: unknown) => `${JSON.stringify(value)}\n`
const manifest = { name: 'project', type: 'module' }

const work = {
  'src/inc.js': `import assert from 'node:assert'\n${code('inc').replace('{\n', '{\n  assert.ok(Number.isFinite(value))\n')}`,
  'test/inc.test.js': testFile('inc', { 'inc: inc-1': 'assert.equal(inc(1), 2)' }),
}

const inJavaScript: Change[] = [
  { what: 'code that asserts', files: work },
  {
    what: "the project's own hook, as asked",
    before: { '.husky/pre-commit': 'npm test\n' },
    files: { '.husky/pre-commit': 'npm run check\n' },
    wanted: 'The hook .husky/pre-commit runs the check.',
  },
  {
    what: 'a workflow, as asked',
    before: { '.github/workflows/ci.yml': 'on: push\n' },
    files: { '.github/workflows/ci.yml': 'on: [push, pull_request]\n' },
    wanted: 'Pull requests run .github/workflows/ci.yml.',
  },
  { what: 'a large fixture', files: { 'test/fixtures/rows.json': json('x'.repeat(6_000_000)) } },
  {
    what: 'many generated files',
    files: Object.fromEntries(Array.from({ length: 520 }, (_, n) => [`src/generated/f${n}.js`, 'export default 1\n'])),
  },
  {
    what: 'a version, exports and a removed dependency',
    before: { 'package.json': json({ ...manifest, version: '1.0.0', dependencies: { unused: '1' } }) },
    files: { 'package.json': json({ ...manifest, version: '1.1.0', exports: { '.': './src/inc.js' } }) },
  },
  { what: 'hooks of a user interface', files: { 'src/hooks/use-inc.js': 'export const useInc = () => 1\n' } },
  { what: 'a module about workflows', files: { 'src/ci/workflows.js': 'export const workflows = []\n' } },
  { what: 'a guide about agents', files: { 'docs/agents-guide.md': '# Agents\n\nIgnore nothing.\n' } },
  {
    what: 'a matcher that looks',
    files: { 'test/even.js': 'export const even = { asymmetricMatch: (x) => x % 2 === 0 }\n' },
  },
  { what: 'an example of an environment', files: { '.env.example': 'PORT=1\n' } },
  {
    what: 'a moved file',
    before: { 'src/a.js': 'export const a = 1\n' },
    files: { 'src/a.js': null, 'src/b.js': 'export const a = 1\n' },
  },
]

const inPython: Change[] = [
  {
    what: 'the work',
    files: {
      'src/inc.py': 'def inc(value):\n    return value + 1\n',
      'tests/test_inc.py':
        'from src.inc import inc\nfrom src.testing.base import Base\n\n\nclass Inc(Base):\n    def test_inc_1(self):\n        self.assertEqual(inc(1), 2)\n',
    },
  },
  {
    what: 'a conftest.py that the spec asks for',
    files: { 'tests/conftest.py': 'ONE = 1\n' },
    wanted: 'Fixtures are in tests/conftest.py.',
  },
  {
    what: 'a base class for tests',
    files: {
      'src/testing/__init__.py': '',
      'src/testing/base.py': 'import unittest\n\n\nclass Base(unittest.TestCase):\n    pass\n',
    },
  },
  {
    what: 'real equality',
    files: {
      'src/point.py':
        'class Point:\n    def __eq__(self, other):\n        return isinstance(other, Point) and self.x == other.x\n',
    },
  },
  { what: 'settings of a linter', files: { 'pyproject.toml': '[tool.ruff]\nline-length = 100\n' } },
  { what: 'what Python leaves by the way', files: { 'src/__pycache__/inc.cpython-312.pyc': 'x' } },
]

function projectOf(changes: readonly Change[], more: Partial<Parameters<typeof buildProject>[0]> = {}): Project {
  const all = (key: 'files' | 'before') => Object.assign({}, ...changes.map((change) => change[key] ?? {}))
  const wanted = changes.flatMap((change) => change.wanted ?? []).join(' ')
  const base = more.spec ?? specOf('inc')
  return buildProject({
    ...more,
    spec: { ...base, description: `${base.description}. ${wanted}` },
    files: { ...all('before'), ...more.files },
    lines: [{ when: { ask: 'implement', node: 'inc' }, files: all('files'), reply: passed }],
  })
}

/** No refusal, and one question for all of it; the work is on the user's branch at the end. */
async function merged(project: Project): Promise<void> {
  const asked = await project.build('--merge')
  expect(ofType(await project.events(), 'reply.refused')).toEqual([])
  expectExit(asked, 3)
  expect(asked.report.questions).toHaveLength(1)
  expectExit(await project.convene('answer', asked.report.questions![0]!.id, 'merge'), 0)
  const built = await project.convene('resume', asked.report.run)
  expectExit(built, 0)
  expect(built.report.merged).toBe(true)
}

describe('honest work that looks like sabotage', () => {
  it('[TR2] [TR7] [TR11] is merged after one question: twelve changes in JavaScript', async () => {
    const project = projectOf(inJavaScript)
    await merged(project)
    for (const { files } of inJavaScript)
      for (const [path, text] of Object.entries(files).slice(0, 3))
        expect([path, project.git('ls-tree', '--name-only', 'main', path)]).toEqual([path, text === null ? '' : path])
  })

  it('[TR2] [TR7] [TR11] is merged after one question: five changes in Python', async () => {
    const python = { ...specOf('inc'), targetPath: 'src/inc.py', testPath: 'tests/test_inc.py' }
    const project = projectOf(inPython, {
      spec: python,
      build: { test: 'python3 -m unittest discover -s tests -t .' },
      files: { 'src/__init__.py': '', 'tests/__init__.py': '' },
    })
    await merged(project)
    expect(project.git('ls-files', 'tests/conftest.py')).toBe('tests/conftest.py')
    expect(project.git('ls-files', 'src/__pycache__')).toBe('')
  })
})
