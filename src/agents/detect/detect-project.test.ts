import { describe, expect, it } from 'vitest'
import { detectProject } from './detect-project.ts'
import { fakeMachine } from './fake-machine.fixture.ts'

const programs = Object.fromEntries(
  [
    'npm',
    'pnpm',
    'yarn',
    'bun',
    'cargo',
    'go',
    'python3',
    'uv',
    'poetry',
    'mvn',
    'gradle',
    'cabal',
    'stack',
    'make',
  ].map((name) => [name, '']),
)

function detect(files: Record<string, string>, tools: Record<string, string> = programs) {
  const inFolder = Object.fromEntries(Object.entries(files).map(([file, text]) => [`/p/${file}`, text]))
  return detectProject(fakeMachine({ programs: tools, files: inFolder }), '/p')
}

const scripts = JSON.stringify({ scripts: { test: 'vitest run', build: 'tsc' } })

const packageJson = (scripts: object, more: object = {}) => JSON.stringify({ scripts, ...more })

describe('the commands of a project', () => {
  it.each([
    [{ pretest: 'pnpm run build', test: 'pnpm -r test', build: 'x' }, { 'pnpm-lock.yaml': '' }],
    [{ test: 'npm run lint && npm run build && mocha', build: 'x' }, {}],
    [{ test: 'yarn build && jest', build: 'x' }, { 'yarn.lock': '' }],
  ])('have no build where the tests run it first: %j', (scripts, files) => {
    const found = detect({ 'package.json': packageJson(scripts), ...files })
    expect(found.test).toBeDefined()
    expect(found.build).toBeUndefined()
  })

  it.each([
    [{ pretest: 'npm run lint', test: 'mocha', build: 'x' }, {}, {}],
    [{ test: 'npm run build:test && mocha', build: 'x' }, {}, {}],
    [{ pretest: 'yarn build', test: 'jest', build: 'x' }, { 'yarn.lock': '', '.yarnrc.yml': '' }, {}],
    [{ pretest: 'pnpm build', test: 'jest', build: 'x' }, {}, { packageManager: 'pnpm@7.33.0' }],
  ])('have one where the tests do not: %j', (scripts, files, more) => {
    expect(detect({ 'package.json': packageJson(scripts, more), ...files }).build).toMatch(/ run build$/)
  })

  it.each([
    [{ 'package.json': scripts, 'package-lock.json': '' }, ['npm', 'npm ci', 'npm run build', 'npm test']],
    [{ 'package.json': scripts }, ['npm', 'npm install', 'npm run build', 'npm test']],
    [
      { 'package.json': scripts, 'pnpm-lock.yaml': '' },
      ['pnpm', 'pnpm install --frozen-lockfile', 'pnpm run build', 'pnpm test'],
    ],
    [
      { 'package.json': scripts, 'yarn.lock': '' },
      ['yarn', 'yarn install --frozen-lockfile', 'yarn run build', 'yarn test'],
    ],
    [
      { 'package.json': scripts, 'yarn.lock': '', '.yarnrc.yml': '' },
      ['yarn', 'yarn install --immutable', 'yarn run build', 'yarn test'],
    ],
    [{ 'package.json': scripts, 'bun.lock': '' }, ['bun', 'bun install', 'bun run build', 'bun run test']],
    [
      { 'package.json': '{"packageManager": "pnpm@9.1.0", "scripts": {"test": "x"}}', 'package-lock.json': '' },
      ['pnpm', 'pnpm install', undefined, 'pnpm test'],
    ],
    [{ 'Cargo.toml': '' }, ['cargo', 'cargo fetch', 'cargo build', 'cargo test']],
    [{ 'go.mod': '' }, ['go', 'go mod download', 'go build ./...', 'go test ./...']],
    [
      { 'requirements.txt': 'flask\npytest' },
      [
        'python',
        'python3 -m venv .venv && .venv/bin/pip install -r requirements.txt',
        undefined,
        '.venv/bin/python -m pytest',
      ],
    ],
    [
      { 'pyproject.toml': '[project]\nname = "x"', 'tests/conftest.py': '' },
      ['python', 'python3 -m venv .venv && .venv/bin/pip install -e . pytest', undefined, '.venv/bin/python -m pytest'],
    ],
    [
      { 'setup.cfg': '[tool:pytest]' },
      ['python', 'python3 -m venv .venv && .venv/bin/pip install pytest', undefined, '.venv/bin/python -m pytest'],
    ],
    [
      { 'pyproject.toml': '[tool.pytest.ini_options]', 'requirements.txt': 'flask' },
      [
        'python',
        'python3 -m venv .venv && .venv/bin/pip install -r requirements.txt -e . pytest',
        undefined,
        '.venv/bin/python -m pytest',
      ],
    ],
    [
      { 'setup.cfg': '', 'tests/test_a.py': '' },
      ['python', undefined, undefined, 'python3 -m unittest discover -s tests'],
    ],
    [
      { 'test/test_a.py': '', 'test/__init__.py': '' },
      ['python', undefined, undefined, 'python3 -m unittest discover -s test -t .'],
    ],
    [{ Makefile: 'test:\n\t./run\n', 'tests/test_a.py': '' }, ['make', undefined, undefined, 'make test']],
    [{ 'thing.py': '', 'test_thing.py': '' }, ['python', undefined, undefined, 'python3 -m unittest discover']],
    [
      { 'requirements.txt': 'flask', 'tests/test_a.py': '' },
      [
        'python',
        'python3 -m venv .venv && .venv/bin/pip install -r requirements.txt',
        undefined,
        '.venv/bin/python -m unittest discover -s tests',
      ],
    ],
    [{ 'pyproject.toml': '', 'uv.lock': '', 'requirements.txt': '' }, ['uv', 'uv sync', undefined, 'uv run pytest']],
    [{ 'pyproject.toml': '[tool.poetry]' }, ['poetry', 'poetry install', undefined, 'poetry run pytest']],
    [
      { 'pom.xml': '' },
      [
        'maven',
        'mvn -B -q -Dmaven.test.failure.ignore=true dependency:go-offline test',
        'mvn -B -q -DskipTests package',
        'mvn -B test',
      ],
    ],
    [
      { 'pom.xml': '', mvnw: '' },
      [
        'maven',
        './mvnw -B -q -Dmaven.test.failure.ignore=true dependency:go-offline test',
        './mvnw -B -q -DskipTests package',
        './mvnw -B test',
      ],
    ],
    [
      { 'build.gradle.kts': '', gradlew: '' },
      [
        'gradle',
        './gradlew assemble testClasses && { ./gradlew test || true; }',
        './gradlew assemble',
        './gradlew test',
      ],
    ],
    [
      { 'thing.cabal': '' },
      [
        'cabal',
        'cabal update && cabal build all --enable-tests --only-dependencies',
        'cabal build all',
        'cabal test all',
      ],
    ],
    [
      { 'stack.yaml': '', 'thing.cabal': '' },
      ['stack', 'stack build --test --only-dependencies', 'stack build', 'stack test'],
    ],
    [
      { Makefile: 'CC := gcc\nbuild: main.o\n\ntest : build\n\t./run\n' },
      ['make', undefined, 'make build', 'make test'],
    ],
  ])('%j', (files, [tool, setup, build, test]) => {
    const found = detect(files)
    expect([found.tool, found.setup, found.build, found.test]).toEqual([tool, setup, build, test])
    expect(found.state).toBe('ok')
  })

  it('prefers the tool that has tests', () => {
    const npmInit = JSON.stringify({ scripts: { test: 'echo "Error: no test specified" && exit 1' } })
    expect(detect({ 'package.json': npmInit, 'Cargo.toml': '' })).toMatchObject({ tool: 'cargo', test: 'cargo test' })
    expect(detect({ 'package.json': npmInit })).toMatchObject({ state: 'missing', tool: 'npm', setup: 'npm install' })
  })

  it('starts pnpm and yarn by corepack or npx if they are not installed', () => {
    const files = {
      'package.json': JSON.stringify({ packageManager: 'pnpm@9.15.9+sha512.ab', scripts: { test: 'x' } }),
    }
    expect(detect(files, { npm: '', npx: '', corepack: '' })).toMatchObject({
      state: 'ok',
      setup: 'corepack pnpm install',
      test: 'corepack pnpm test',
    })
    expect(detect(files, { npm: '', npx: '' })).toMatchObject({ state: 'ok', test: 'npx --yes pnpm@9.15.9 test' })
    expect(detect(files, { npm: '' })).toMatchObject({ state: 'broken', fix: 'npm install -g pnpm' })
    expect(detect({ 'package.json': scripts, 'yarn.lock': '' }, { corepack: '' })).toMatchObject({
      setup: 'corepack yarn install --frozen-lockfile',
      build: 'corepack yarn run build',
    })
  })

  it.each([
    ['pnpm-lock.yaml', 'lockfileVersion: 5.4\n', 'pnpm@7'],
    ['pnpm-lock.yaml', "lockfileVersion: '6.0'\n", 'pnpm@8'],
    ['pnpm-lock.yaml', "lockfileVersion: '9.0'\n", 'pnpm@9'],
    ['yarn.lock', '# yarn lockfile v1\n', 'yarn@1'],
  ])(
    'starts a package manager that reads the lock file if the project names no version: %s %s',
    (lock, text, program) => {
      const found = detect({ 'package.json': scripts, [lock]: text }, { npm: '', npx: '', corepack: '' })
      expect(found).toMatchObject({ test: `npx --yes ${program} test` })
    },
  )

  it.each(['*-lock.*', 'package-lock.json', '/package-lock.json'])(
    'installs without a lock file that git ignores: %s',
    (ignored) => {
      const files = { 'package.json': scripts, 'package-lock.json': '{}', '.gitignore': `node_modules\n${ignored}\n` }
      expect(detect(files)).toMatchObject({ setup: 'npm install' })
      expect(detect({ ...files, '.gitignore': '# package-lock.json\n*.log\n' })).toMatchObject({ setup: 'npm ci' })
    },
  )

  it('starts Yarn from version 2 on by the name under which it is published', () => {
    const manifest = JSON.stringify({ packageManager: 'yarn@4.5.0', scripts: { test: 'x' } })
    expect(detect({ 'package.json': manifest }, { npx: '' })).toMatchObject({
      test: 'npx --yes @yarnpkg/cli-dist@4.5.0 test',
    })
  })

  it.each([
    [{ 'package.json': '{"workspaces": ["a"]}' }, 'npm test --workspaces --if-present'],
    [{ 'package.json': '{}', 'pnpm-lock.yaml': '', 'pnpm-workspace.yaml': '' }, 'pnpm -r --no-bail test'],
    [{ 'package.json': '{"workspaces": ["a"]}', 'yarn.lock': '' }, 'yarn workspaces run test'],
    [
      { 'package.json': '{"workspaces": ["a"]}', 'yarn.lock': '', '.yarnrc.yml': '' },
      'yarn workspaces foreach -A run test',
    ],
  ])('finds the tests of the packages of a workspace: %j', (files, test) => {
    expect(detect(files as Record<string, string>)).toMatchObject({ state: 'ok', test })
  })

  it('says when the tool is not installed', () => {
    expect(detect({ 'go.mod': '' }, {})).toMatchObject({
      state: 'broken',
      detail: 'a go project, but go is not on the PATH',
      test: 'go test ./...',
    })
  })

  it.each(['', 'not json', '[]', '"x"', 'null', '{"scripts": null}', '{"scripts": {"test": 5}, "packageManager": 7}'])(
    'is not thrown by a package.json of %j',
    (text) => {
      expect(detect({ 'package.json': text }).state).toBe('missing')
    },
  )

  it('finds nothing in an empty folder', () => {
    expect(detect({})).toEqual({
      name: 'project',
      state: 'missing',
      detail: 'no set-up or test command found',
      fix: 'write build: {test: <command>} into convene.yaml',
    })
  })
})
