/**
 * Ordinary projects, one per runner or package manager. Each has nested, parameterised, oddly named, skipped and planned
 * tests of `add`, and a test of `subtract` that is added later.
 */
import { dirname } from 'node:path'

export interface Species {
  name: string
  /** Packages that the project has installed. */
  packages?: string[]
  files: Record<string, string>
  command: string
  /** What its tests use outside the project. */
  readable?: string[]
  /** What the untouched tree reports: the groups and title, and the state. */
  expected: string[]
  /** Adds the test `subtracts`. */
  added: Record<string, string>
  /** The title under which the plan knows it, where it differs. */
  planned?: string
  /** The source file, with and without `subtract`. */
  source: { file: string; without: string; stub: string; done: string; throwing: string }
}

const odd = 'keeps "a › b" > c, 100 % of # it'

const esm = (file: string): Species['source'] => ({
  file,
  without: 'export const add = (a, b) => a + b\n',
  stub: "export const add = (a, b) => a + b\nexport const subtract = (a, b) => { throw new Error('not implemented') }\n",
  done: 'export const add = (a, b) => a + b\nexport const subtract = (a, b) => a - b\n',
  throwing: "export const add = (a, b) => a + b\nthrow new Error('not implemented')\n",
})

const commonjs = (file: string): Species['source'] => ({
  file,
  without: 'exports.add = (a, b) => a + b\n',
  stub: "exports.add = (a, b) => a + b\nexports.subtract = (a, b) => { throw new Error('not implemented') }\n",
  done: 'exports.add = (a, b) => a + b\nexports.subtract = (a, b) => a - b\n',
  throwing: "throw new Error('not implemented')\n",
})

const lint = `node -e "console.log('lint is fine')"`

/** describe and it, as most runners have them. */
const grouped = (equal: (actual: string, wanted: string) => string, { skip = 'it.skip', todo = '' } = {}) => `
describe('math', () => {
  describe('deep', () => {
    it('adds', () => { console.log('✖ connection failed, retrying'); ${equal('add(1, 2)', '3')} })
  })
  for (const n of [1, 2]) it('case ' + n, () => { ${equal('add(n, 0)', 'n')} })
  it('${odd}', () => { ${equal('add(0, 0)', '0')} })
  ${skip}('waits', () => {})
  ${todo}
})
`
const groupedStates = (todo: string[] = []) => [
  'math / deep / adds: passed',
  'math / case 1: passed',
  'math / case 2: passed',
  `math / ${odd}: passed`,
  'math / waits: skipped',
  ...todo,
]

const expects = (actual: string, wanted: string) => `expect(${actual}).toBe(${wanted})`
const asserts = (actual: string, wanted: string) => `assert.equal(${actual}, ${wanted})`
const withAssert = "import assert from 'node:assert/strict'\n"
const manifest = (content: object) => ({
  'package.json': JSON.stringify({ name: 'zoo', version: '1.0.0', ...content }),
})

export const nodeTest: Species = {
  name: 'node:test by npm, with a linter in front',
  files: {
    ...manifest({ type: 'module', scripts: { pretest: lint, test: `${lint} && node --test` } }),
    'test/add.test.js': `${withAssert}import { describe, it } from 'node:test'\nimport { add } from '../src/math.js'\n${grouped(asserts, { todo: "it.todo('later')" })}`,
  },
  command: 'npm test',
  expected: groupedStates(['math / later: todo']),
  added: {
    'test/subtract.test.js': `${withAssert}import { test } from 'node:test'\nimport { subtract } from '../src/math.js'\ntest('subtracts', () => assert.equal(subtract(3, 1), 2))\n`,
  },
  source: esm('src/math.js'),
}

const workspace = (command: string, more: Record<string, string> = {}): Species => ({
  name: `a workspace by ${command}`,
  files: {
    ...manifest({ private: true, workspaces: ['packages/*'] }),
    ...more,
    'packages/a/package.json': JSON.stringify({
      name: 'a',
      version: '1.0.0',
      type: 'module',
      scripts: { test: `${lint} && node --test` },
    }),
    'packages/a/test/add.test.js': `${withAssert}import { describe, it } from 'node:test'\nimport { add } from '../src/math.js'\n${grouped(asserts)}`,
    'packages/b/package.json': JSON.stringify({ name: 'b', version: '1.0.0', scripts: { test: 'node --test' } }),
    'packages/b/test/same.test.js': "require('node:test').test('adds', () => {})\n",
  },
  command,
  expected: [...groupedStates(), 'adds: passed'],
  added: {
    'packages/a/test/subtract.test.js': `${withAssert}import { test } from 'node:test'\nimport { subtract } from '../src/math.js'\ntest('subtracts', () => assert.equal(subtract(3, 1), 2))\n`,
  },
  source: esm('packages/a/src/math.js'),
})

export const npmWorkspace = workspace('npm test --workspaces')

/** The project's tests are in a folder that the command goes to. */
export const below: Species = {
  name: 'node:test in a folder, by cd',
  files: Object.fromEntries(Object.entries(nodeTest.files).map(([path, text]) => [`web/${path}`, text])),
  command: 'cd web && npm test',
  expected: nodeTest.expected,
  added: Object.fromEntries(Object.entries(nodeTest.added).map(([path, text]) => [`web/${path}`, text])),
  source: esm('web/src/math.js'),
}

export const others: Species[] = [
  npmWorkspace,
  workspace('pnpm -r --no-bail test', { 'pnpm-workspace.yaml': 'packages:\n  - packages/*\n' }),
  workspace('yarn --silent workspaces run test'),
  {
    name: 'vitest in TypeScript by npm, dots only',
    packages: ['vitest', 'typescript'],
    files: {
      ...manifest({ type: 'module', scripts: { test: `${lint} && tsc --noEmit -p . && vitest run --reporter=dot` } }),
      'tsconfig.json':
        '{"compilerOptions": {"module": "nodenext", "skipLibCheck": true, "noCheck": true}, "include": ["src"]}',
      'test/add.test.ts': `import { describe, expect, it } from 'vitest'\nimport { add } from '../src/math.ts'\n${grouped(expects, { todo: "it.todo('later')\n  it.each([[1, 2]])('%i and %i', (a: number, b: number) => { expect(add(a, b)).toBe(3) })" })}`,
    },
    command: 'npm test',
    expected: groupedStates(['math / later: todo', 'math / 1 and 2: passed']),
    added: {
      'test/subtract.test.ts': `import { expect, it } from 'vitest'\nimport { subtract } from '../src/math.ts'\nit.each([[3, 1, 2]])('subtracts %i', (a, b, wanted) => { expect(subtract(a, b)).toBe(wanted) })\n`,
    },
    planned: 'subtracts %i',
    source: esm('src/math.ts'),
  },
  {
    name: 'jest in CommonJS by pnpm',
    packages: ['jest'],
    files: {
      ...manifest({ scripts: { test: 'NODE_OPTIONS=--no-warnings jest' } }),
      'test/add.test.js': `const { add } = require('../src/math.js')\n${grouped(expects, { todo: "it.todo('later')\n  it.each([[1, 2]])('%i and %i', (a, b) => { expect(add(a, b)).toBe(3) })" })}`,
    },
    command: 'pnpm test',
    expected: groupedStates(['math / later: todo', 'math / 1 and 2: passed']),
    added: {
      'test/subtract.test.js':
        "const { subtract } = require('../src/math.js')\nit('subtracts', () => expect(subtract(3, 1)).toBe(2))\n",
    },
    source: commonjs('src/math.js'),
  },
  {
    name: 'jest in ES modules by npm --prefix',
    packages: ['jest'],
    files: {
      'web/package.json': JSON.stringify({
        name: 'web',
        type: 'module',
        scripts: { test: 'node --experimental-vm-modules ../node_modules/jest/bin/jest.js' },
        jest: { transform: {} },
      }),
      'web/test/add.test.js': `import { describe, expect, it } from '@jest/globals'\nimport { add } from '../src/math.js'\n${grouped(expects, { todo: "it.todo('later')" })}`,
    },
    command: 'npm --prefix web test',
    expected: groupedStates(['math / later: todo']),
    added: {
      'web/test/subtract.test.js':
        "import { expect, it } from '@jest/globals'\nimport { subtract } from '../src/math.js'\nit('subtracts', () => expect(subtract(3, 1)).toBe(2))\n",
    },
    source: esm('web/src/math.js'),
  },
  {
    name: 'vitest with projects',
    packages: ['vitest'],
    files: {
      ...manifest({ type: 'module', private: true }),
      'vitest.config.js': "export default { test: { projects: ['packages/*'] } }\n",
      'packages/a/package.json': '{"name": "a", "type": "module"}',
      'packages/a/vitest.config.js': "export default { test: { name: 'a' } }\n",
      'packages/a/test/add.test.js': `import { describe, expect, it } from 'vitest'\nimport { add } from '../src/math.js'\n${grouped(expects)}`,
      'packages/b/package.json': '{"name": "b", "type": "module"}',
      'packages/b/vitest.config.js': "export default { test: { name: 'b' } }\n",
      'packages/b/test/same.test.js': "import { it } from 'vitest'\nit('adds', () => {})\n",
    },
    command: 'npx vitest run',
    expected: [...groupedStates(), 'adds: passed'],
    added: {
      'packages/a/test/subtract.test.js':
        "import { expect, it } from 'vitest'\nimport { subtract } from '../src/math.js'\nit('subtracts', () => { expect(subtract(3, 1)).toBe(2) })\n",
    },
    source: esm('packages/a/src/math.js'),
  },
  {
    name: 'mocha by concurrently, beside a linter',
    packages: ['mocha', 'concurrently'],
    files: {
      ...manifest({
        type: 'module',
        scripts: { lint, unit: "mocha 'test/**/*.js'", test: 'concurrently "npm:lint" "npm:unit"' },
      }),
      'test/add.js': `${withAssert}import { add } from '../src/math.js'\n${grouped(asserts)}`,
    },
    command: 'npm test',
    expected: groupedStates(),
    added: {
      'test/subtract.js': `${withAssert}import { subtract } from '../src/math.js'\nit('subtracts', () => assert.equal(subtract(3, 1), 2))\n`,
    },
    source: esm('src/math.js'),
  },
  {
    ...workspace('turbo run test --continue', {
      'turbo.json': '{"tasks": {"test": {}}}',
      'package-lock.json': JSON.stringify({
        name: 'zoo',
        version: '1.0.0',
        lockfileVersion: 3,
        packages: {
          '': { name: 'zoo', version: '1.0.0', workspaces: ['packages/*'] },
          'packages/a': { name: 'a', version: '1.0.0' },
          'packages/b': { name: 'b', version: '1.0.0' },
        },
      }),
      'package.json': JSON.stringify({
        name: 'zoo',
        version: '1.0.0',
        private: true,
        workspaces: ['packages/*'],
        packageManager: 'npm@10.9.0',
      }),
    }),
    packages: ['turbo'],
  },
  {
    name: 'mocha by run-s, dots only',
    packages: ['mocha', 'npm-run-all2'],
    files: {
      ...manifest({ type: 'module', scripts: { lint, unit: 'mocha --reporter dot', test: 'run-s lint unit' } }),
      'test/add.js': `${withAssert}import { add } from '../src/math.js'\n${grouped(asserts, { todo: "it('later')" })}`,
    },
    command: 'npm test',
    expected: groupedStates(['math / later: skipped']),
    added: {
      'test/subtract.js': `${withAssert}import { subtract } from '../src/math.js'\nit('subtracts', () => assert.equal(subtract(3, 1), 2))\n`,
    },
    source: esm('src/math.js'),
  },
  {
    name: 'mocha by a script of its own',
    packages: ['mocha'],
    files: {
      ...manifest({ scripts: { test: 'node test.js' } }),
      'test.js': `const { readdirSync } = require('node:fs')\nconst Mocha = require('mocha')
const mocha = new Mocha({ reporter: 'dot' })
for (const name of readdirSync('spec')) mocha.addFile('spec/' + name)
mocha.run((failures) => process.exit(failures))
`,
      'spec/add.js': `const assert = require('node:assert')\nconst { add } = require('../src/math.js')\n${grouped(asserts)}`,
    },
    command: 'npm test',
    expected: groupedStates(),
    added: {
      'spec/subtract.js':
        "const assert = require('node:assert')\nconst { subtract } = require('../src/math.js')\nit('subtracts', () => assert.equal(subtract(3, 1), 2))\n",
    },
    source: commonjs('src/math.js'),
  },
  {
    name: 'ava by npm',
    packages: ['ava'],
    files: {
      ...manifest({ type: 'module', scripts: { test: `${lint} && ava` } }),
      'test/add.js': `import test from 'ava'\nimport { add } from '../src/math.js'
test('adds', (t) => { console.log('✖ connection failed, retrying'); t.is(add(1, 2), 3) })
for (const n of [1, 2]) test('case ' + n, (t) => t.is(add(n, 0), n))
test('${odd}', (t) => t.is(add(0, 0), 0))
test.skip('waits', (t) => t.fail())
test.todo('later')
`,
      'test/more.js': "import test from 'ava'\ntest('more › adds', (t) => t.pass())\n",
    },
    command: 'npm test',
    expected: [
      'adds: passed',
      'case 1: passed',
      'case 2: passed',
      `${odd}: passed`,
      'waits: skipped',
      'later: todo',
      'more › adds: passed',
    ],
    added: {
      'test/subtract.js':
        "import test from 'ava'\nimport { subtract } from '../src/math.js'\ntest('subtracts', (t) => t.is(subtract(3, 1), 2))\n",
    },
    source: esm('src/math.js'),
  },
  {
    name: 'tape by yarn',
    packages: ['tape'],
    files: {
      ...manifest({ scripts: { test: "tape 'test/*.js'" } }),
      'test/add.js': `const test = require('tape')\nconst { add } = require('../src/math.js')
test('adds', (t) => { console.log('✖ connection failed, retrying'); t.equal(add(1, 2), 3); t.ok(true); t.end() })
for (const n of [1, 2]) test('case ' + n, (t) => { t.equal(add(n, 0), n); t.end() })
test('${odd}', (t) => { t.equal(add(0, 0), 0); t.end() })
test('later', { todo: true }, (t) => { t.fail(); t.end() })
`,
    },
    command: 'yarn test',
    expected: ['adds: passed', 'case 1: passed', 'case 2: passed', `${odd}: passed`, 'later: todo'],
    added: {
      'test/subtract.js':
        "const test = require('tape')\nconst { subtract } = require('../src/math.js')\ntest('subtracts', (t) => { t.equal(subtract(3, 1), 2); t.end() })\n",
    },
    source: commonjs('src/math.js'),
  },
  {
    name: 'tap by npm',
    packages: ['tap'],
    files: {
      ...manifest({ scripts: { test: 'tap --no-coverage' } }),
      'test/add.js': `const tap = require('tap')\nconst { add } = require('../src/math.js')
tap.test('math', async (t) => {
  await t.test('adds', async (t) => { console.error('✖ connection failed, retrying'); t.equal(add(1, 2), 3) })
  await t.test('${odd.replace(' # it', ' it')}', async (t) => { t.equal(add(0, 0), 0) })
  t.test('waits', { skip: true }, async () => {})
  t.test('later', { todo: true }, async () => {})
})
`,
    },
    command: 'npm test',
    expected: [
      'math / adds: passed',
      `math / ${odd.replace(' # it', ' it')}: passed`,
      'math / waits: skipped',
      'math / later: todo',
    ],
    added: {
      'test/subtract.js':
        "const tap = require('tap')\nconst { subtract } = require('../src/math.js')\ntap.test('subtracts', async (t) => { t.equal(subtract(3, 1), 2) })\n",
    },
    source: commonjs('src/math.js'),
  },
  {
    name: 'uvu by npm',
    packages: ['uvu'],
    files: {
      ...manifest({ type: 'module', scripts: { test: 'uvu test' } }),
      'test/add.js': `import { suite, test } from 'uvu'\nimport * as assert from 'uvu/assert'\nimport { add } from '../src/math.js'
test('adds', () => { console.log('✖ connection failed, retrying'); assert.is(add(1, 2), 3) })
test('${odd}', () => assert.is(add(0, 0), 0))
test.skip('waits', () => {})
test.run()
const math = suite('math')
for (const n of [1, 2]) math('case ' + n, () => assert.is(add(n, 0), n))
math.run()
`,
    },
    command: 'npm test',
    expected: ['adds: passed', `${odd}: passed`, 'waits: skipped', 'math / case 1: passed', 'math / case 2: passed'],
    added: {
      'test/subtract.js':
        "import { test } from 'uvu'\nimport * as assert from 'uvu/assert'\nimport { subtract } from '../src/math.js'\ntest('subtracts', () => assert.is(subtract(3, 1), 2))\ntest.run()\n",
    },
    source: esm('src/math.js'),
  },
  {
    name: 'jasmine by npm',
    packages: ['jasmine'],
    files: {
      ...manifest({ type: 'module', scripts: { test: "jasmine 'spec/*.js'" } }),
      'spec/add.js': `import { add } from '../src/math.js'\n${grouped(expects, { skip: 'xit' })}`,
    },
    command: 'npm test',
    expected: groupedStates(),
    added: {
      'spec/subtract.js':
        "import { subtract } from '../src/math.js'\nit('subtracts', () => expect(subtract(3, 1)).toBe(2))\n",
    },
    source: esm('src/math.js'),
  },
]

const python = {
  file: 'app/math.py',
  without: 'def add(a, b):\n    return a + b\n',
  stub: 'def add(a, b):\n    return a + b\n\ndef subtract(a, b):\n    raise NotImplementedError\n',
  done: 'def add(a, b):\n    return a + b\n\ndef subtract(a, b):\n    return a - b\n',
  throwing: 'raise NotImplementedError\n',
}

export const pytest: Species = {
  name: 'pytest, quiet',
  files: {
    'app/__init__.py': '',
    'conftest.py': '',
    'tests/test_add.py': `import pytest
from app.math import add
class TestMath:
    def test_adds(self): print('FAILED tests/test_x.py::test_y'); assert add(1, 2) == 3
    @pytest.mark.parametrize('n', [1, 'a::b', '[x]'])
    def test_case(self, n): assert n
@pytest.mark.skip
def test_waits(): pass
@pytest.mark.xfail
def test_later(): assert False
`,
  },
  command: 'python3 -m pytest -q -p no:cacheprovider tests',
  expected: [
    'TestMath / test_adds: passed',
    'TestMath / test_case[1]: passed',
    'TestMath / test_case[a::b]: passed',
    'TestMath / test_case[[x]]: passed',
    'test_waits: skipped',
    'test_later: todo',
  ],
  added: {
    'tests/test_subtract.py': 'from app.math import subtract\ndef test_subtracts(): assert subtract(3, 1) == 2\n',
  },
  planned: 'test_subtracts',
  source: python,
}

export const unittest: Species = {
  name: 'unittest by make',
  files: {
    Makefile: 'test:\n\tpython3 -m unittest\n',
    'app/__init__.py': '',
    'tests/__init__.py': '',
    'tests/test_add.py': `import unittest
from app.math import add
class Math(unittest.TestCase):
    def test_adds(self):
        """Adds two numbers."""
        print('test_x (tests.test_x.X) ... FAIL')
        for n in (1, 2):
            with self.subTest(n=n): self.assertEqual(add(n, 0), n)
    @unittest.skip('no')
    def test_waits(self): pass
    @unittest.expectedFailure
    def test_later(self): self.fail()
`,
  },
  command: 'make test',
  expected: [
    'tests.test_add.Math / test_adds: passed',
    'tests.test_add.Math / test_waits: skipped',
    'tests.test_add.Math / test_later: todo',
  ],
  added: {
    'tests/test_subtract.py':
      'import unittest\nfrom app.math import subtract\nclass Subtract(unittest.TestCase):\n    def test_subtracts(self): self.assertEqual(subtract(3, 1), 2)\n',
  },
  planned: 'test_subtracts',
  source: python,
}

export const cargo: Species = {
  name: 'cargo test',
  files: {
    'Cargo.toml': '[package]\nname = "zoo"\nversion = "0.1.0"\nedition = "2021"\n',
    'tests/add.rs': `use zoo::add;
mod deep {
    #[test]
    fn adds() { println!("test x ... FAILED"); assert_eq!(zoo::add(1, 2), 3); }
}
#[test]
#[ignore]
fn waits() { assert_eq!(add(0, 0), 0); }
`,
  },
  command: 'cargo test --offline',
  expected: ['deep::adds: passed', 'waits: skipped'],
  added: { 'tests/subtract.rs': '#[test]\nfn subtracts() { assert_eq!(zoo::subtract(3, 1), 2); }\n' },
  source: {
    file: 'src/lib.rs',
    without: 'pub fn add(a: i32, b: i32) -> i32 { a + b }\n',
    stub: 'pub fn add(a: i32, b: i32) -> i32 { a + b }\npub fn subtract(_a: i32, _b: i32) -> i32 { todo!() }\n',
    done: 'pub fn add(a: i32, b: i32) -> i32 { a + b }\npub fn subtract(a: i32, b: i32) -> i32 { a - b }\n',
    throwing:
      'pub fn add(a: i32, b: i32) -> i32 { a + b }\npub fn subtract(_a: i32, _b: i32) -> i32 { unimplemented!() }\n',
  },
}

export const go: Species = {
  name: 'go test',
  files: {
    'go.mod': 'module zoo\n\ngo 1.21\n',
    'add_test.go': `package zoo

import "testing"

func TestAdds(t *testing.T) {
	println("--- FAIL: TestPrinted")
	for _, n := range []int{1, 2} {
		t.Run("case", func(t *testing.T) {
			if Add(n, 0) != n {
				t.Fatal(n)
			}
		})
	}
}
func TestWaits(t *testing.T) { t.Skip("no") }
`,
  },
  command: 'go test ./...',
  expected: ['TestAdds: passed', 'TestAdds/case: passed', 'TestAdds/case#01: passed', 'TestWaits: skipped'],
  added: {
    'subtract_test.go': `package zoo

import "testing"

func TestSubtracts(t *testing.T) {
	if Subtract(3, 1) != 2 {
		t.Fatal("no")
	}
}
`,
  },
  planned: 'TestSubtracts',
  source: {
    file: 'math.go',
    without: 'package zoo\n\nfunc Add(a, b int) int { return a + b }\n',
    stub: 'package zoo\n\nfunc Add(a, b int) int { return a + b }\nfunc Subtract(a, b int) int { panic("not implemented") }\n',
    done: 'package zoo\n\nfunc Add(a, b int) int { return a + b }\nfunc Subtract(a, b int) int { return a - b }\n',
    throwing:
      'package zoo\n\nfunc Add(a, b int) int { return a + b }\nfunc Subtract(a, b int) int { panic("to do") }\n',
  },
}

/** In a real browser. */
export const playwright = (browser: string): Species => ({
  name: 'Playwright Test',
  packages: ['@playwright/test'],
  readable: [dirname(browser)],
  files: {
    ...manifest({ type: 'module', scripts: { test: 'playwright test' } }),
    'playwright.config.js': `export default {
  testDir: 'e2e',
  workers: 1,
  use: { launchOptions: { executablePath: ${JSON.stringify(browser)}, args: ['--no-sandbox', '--disable-gpu'] } },
}
`,
    'e2e/add.spec.js': `import { expect, test } from '@playwright/test'\nimport { add } from '../src/math.js'
test.describe('math', () => {
  test('adds', async ({ page }) => {
    await page.setContent('<p>' + add(1, 2) + '</p>')
    await expect(page.locator('p')).toHaveText('3')
  })
  for (const n of [1, 2]) test('case ' + n, () => { expect(add(n, 0)).toBe(n) })
  test('${odd}', () => { expect(add(0, 0)).toBe(0) })
  test.skip('waits', () => {})
})
`,
  },
  command: 'npm test',
  expected: [
    'math / adds: passed',
    'math / case 1: passed',
    'math / case 2: passed',
    `math / ${odd}: passed`,
    'math / waits: skipped',
  ],
  added: {
    'e2e/subtract.spec.js':
      "import { expect, test } from '@playwright/test'\nimport { subtract } from '../src/math.js'\ntest('subtracts', async ({ page }) => {\n  await page.setContent('<p>' + subtract(3, 1) + '</p>')\n  await expect(page.locator('p')).toHaveText('2')\n})\n",
  },
  source: esm('src/math.js'),
})
