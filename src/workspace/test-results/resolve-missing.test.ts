import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MissingModule } from './classify-failure.ts'
import { resolveMissing } from './resolve-missing.ts'
import { testFactsOf } from './test-facts-of.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'missing-test-'))
  const files = {
    'src/deep/there.ts': '',
    'src/package/other.py': '',
    'app/__init__.py': '',
    'go.mod': 'module example.com/m\n',
    'Cargo.toml': '[package]\nname = "my-calc"\n',
    'test/a.test.ts':
      "import { other } from './other'\nimport {\n  parse,\n  print as show,\n} from '../src/parser.js'\n",
    'test/b.test.js':
      "const { parse } = require('../src/parser')\ndescribe('group', () => { it('parses', () => {}) })\n",
    'go/a_test.go': 'func TestA(t *testing.T) {}\n',
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('the path of a missing module', () => {
  const from = (specifier: string, importer?: string): MissingModule => ({
    language: 'javascript',
    specifier,
    ...(importer ? { importer } : {}),
  })

  it.each([
    [from('./parser.ts', 'test/a.test.ts'), 'test/parser.ts'],
    [from('../src/parser'), 'src/parser.ts'],
    [from('../src/parser.js'), 'src/parser.ts'],
    [from('../src/parser.js', 'test/b.test.js'), 'src/parser.js'],
    [from('../src/deep'), 'src/deep/index.ts'],
    [from('@/parser'), 'src/parser.ts'],
    [from('/src/parser.ts'), 'src/parser.ts'],
    [from('left-pad'), undefined],
    [from('../../outside.ts'), undefined],
    [{ language: 'javascript-name', name: 'parse' }, 'src/parser.ts'],
    [{ language: 'javascript-name', name: 'absent' }, undefined],
    [{ language: 'python', module: 'app.parser' }, 'app/parser.py'],
    [{ language: 'python', module: 'package.sub.parser' }, 'src/package/sub/parser.py'],
    [{ language: 'python', module: 'package' }, 'src/package/__init__.py'],
    [{ language: 'python', module: 'fresh' }, 'src/fresh.py'],
    [{ language: 'go', package: 'example.com/m/parser' }, 'parser'],
    [{ language: 'go', package: 'example.com/other' }, undefined],
    [{ language: 'rust', path: 'my_calc::parser::parse' }, 'src/parser/parse.rs'],
    [{ language: 'rust', path: 'serde::Serialize' }, undefined],
  ] as [MissingModule, string | undefined][])('%j is %s', (module, path) => {
    expect(resolveMissing(module, folder, 'test/a.test.ts')).toBe(path)
  })

  it('is the same for an absolute path', () => {
    expect(resolveMissing(from(join(folder, 'src/parser.mjs'), join(folder, 'a.mjs')), folder, undefined)).toBe(
      'src/parser.mjs',
    )
    expect(resolveMissing(from(`file://${join(folder, 'x.mjs')}`), folder, undefined)).toBe('x.mjs')
  })
})

describe('facts of a report', () => {
  it('are one for each test of a file that broke, and one for a file without any', () => {
    const failure = "Cannot find module '../src/parser' from 'test/b.test.js'"
    const broken = [
      { file: join(folder, 'test/b.test.js'), failure },
      { file: 'test/a.test.ts', failure: 'SyntaxError: Unexpected token' },
      { file: 'test/named.py', failure: "ImportError: cannot import name 'parse' from 'app.parser'" },
      { file: 'go', failure: 'undefined: Parse', fullName: ({ name }: { name: string }) => `m/go ${name}` },
    ]
    expect(testFactsOf({ tests: [], broken }, folder)).toMatchObject([
      { name: 'parses', fullName: 'group parses', outcome: 'import-error', missing: 'src/parser.js' },
      { name: 'test/a.test.ts', outcome: 'error' },
      { name: 'test/named.py', outcome: 'import-error', missing: 'app/parser.py', missingName: 'parse' },
      { name: 'TestA', fullName: 'm/go TestA', outcome: 'error' },
    ])
  })

  it('give a failed test its reason, and the others their state', () => {
    const tests = [
      { name: 'a', state: 'passed' as const },
      { name: 'b', fullName: 'g b', state: 'failed' as const, failure: 'got 1', asserted: true },
      { name: 'c', state: 'failed' as const },
    ]
    expect(testFactsOf({ tests, broken: [] }, folder)).toEqual([
      { name: 'a', outcome: 'passed' },
      { name: 'b', fullName: 'g b', outcome: 'assertion', message: 'got 1' },
      { name: 'c', outcome: 'failed' },
    ])
  })
})
