import { describe, expect, it } from 'vitest'
import { scriptsOf } from './project-scripts.ts'
import { recogniseRunner } from './recognise-runner.ts'
import { reportingCommand } from './reporting-command.ts'

const manifest = JSON.stringify({
  scripts: {
    test: 'vitest run',
    unit: 'node --test',
    mixed: 'jest && eslint .',
    last: 'tsc --noEmit && mocha',
    nested: 'npm run unit',
    legacy: 'cross-env NODE_ENV=test jest --coverage',
    own: 'node scripts/test.js',
    lint: 'eslint .',
    circle: 'npm run circle',
    'test:a': 'mocha',
    'test:b': 'eslint .',
    all: 'run-s lint test:*',
    side: 'concurrently "npm:lint" "npm run unit"',
    both: 'npm run unit && npm run legacy',
  },
})
const makefile = 'SHELL := sh\n\nall: build\n\ntest: build\n\t@python -m pytest -q\n\nbuild:\n\ttrue\n'
const recognise = (command: string) => recogniseRunner(command, scriptsOf(manifest, makefile))

describe('the runner behind a command', () => {
  it.each([
    ['npx vitest run', 'vitest', 'appended', true],
    ['node --experimental-vm-modules node_modules/jest/bin/jest.js', 'jest', 'appended', true],
    ['NODE_ENV=test node_modules/.bin/mocha --recursive', 'mocha', 'appended', true],
    ['node --import tsx --test', 'node', 'appended', true],
    ['.venv/bin/python -m pytest -q', 'pytest', 'appended', true],
    ['uv run pytest', 'pytest', 'appended', true],
    ['python3 -m unittest discover', 'unittest', 'appended', true],
    ['go test ./...', 'go', 'appended', false],
    ['cargo +nightly test', 'cargo', 'appended', false],
    ['./mvnw -B test', 'maven', 'appended', false],
    ['./gradlew test', 'gradle', 'appended', false],
    ['npm test', 'vitest', 'after-dashes', true],
    ['npm t', 'vitest', 'after-dashes', true],
    ['npm run unit', 'node', 'after-dashes', true],
    ['npm run unit --', 'node', 'appended', true],
    ['pnpm test', 'vitest', 'appended', true],
    ['yarn unit', 'node', 'appended', true],
    ['yarn jest', 'jest', 'appended', true],
    ['bun run test', 'vitest', 'appended', true],
    ['bun test', 'bun', 'appended', true],
    ['npm run legacy', 'jest', 'after-dashes', true],
    ['npm run last', 'mocha', 'after-dashes', true],
    ['npm run mixed', 'jest', 'none', false],
    ['npm run nested', 'node', 'none', true],
    ['npm run build && npm test', 'vitest', 'after-dashes', true],
    ['vitest run | tee log', 'vitest', 'none', false],
    ['make test', 'pytest', 'none', false],
    ['make', undefined, 'none', false],
    ['cabal test all', undefined, 'appended', false],
    ['npm run own', undefined, 'after-dashes', true],
    ['npm test --workspace=a', undefined, 'after-dashes', true],
    ['npm run circle', undefined, 'none', true],
    ['./test.sh', undefined, 'appended', true],
    ['echo latest', undefined, 'appended', true],
    ['node --test test/jest', 'node', 'appended', true],
    ['node node_modules/vitest/vitest.mjs run', 'vitest', 'appended', true],
    ['vendor/bin/phpunit', 'phpunit', 'appended', true],
    ['(cd web && vitest run)', 'vitest', 'none', false],
    ['vitest run &', 'vitest', 'none', false],
    ['vitest run # all', 'vitest', 'none', false],
    ['vitest run; echo done', 'vitest', 'none', false],
    ['vitest run || exit 1', 'vitest', 'none', false],
    ['vitest run > log 2>&1', 'vitest', 'none', false],
    ['npm run all', 'mocha', 'none', false],
    ['npm run side', 'node', 'none', false],
    ['npm run both', 'jest', 'none', false],
    ['npx run-p lint unit', 'node', 'none', false],
    ['turbo run test', undefined, 'appended', false],
    ['just test', undefined, 'appended', false],
    ["CI=1 npx jest -t 'a && b'", 'jest', 'appended', true],
  ] as const)('%s', (command, name, passed, takesPaths) => {
    expect(recognise(command)).toMatchObject({ arguments: passed, takesPaths })
    expect(recognise(command).name).toBe(name)
  })
})

describe('a command that reports', () => {
  const reporting = (command: string, paths?: string[]) =>
    reportingCommand(command, recognise(command), { ...(paths ? { paths } : {}), reports: '/reports' })

  it('shows only the paths to the user', () => {
    expect(reporting('npm test', ["it's here/a.test.ts"])).toEqual({
      command: "npm test -- 'it'\\''s here/a.test.ts'",
      reporting: "npm test -- 'it'\\''s here/a.test.ts'",
      narrowed: true,
    })
    expect(reporting('yarn jest', ['a[1].test.js'])).toMatchObject({ command: "yarn jest 'a\\[1\\].test.js'" })
    expect(reporting('vendor/bin/phpunit', ['a.php'])).toMatchObject({
      command: 'vendor/bin/phpunit a.php',
      reporting: 'vendor/bin/phpunit --log-junit /reports/report a.php',
    })
    expect(reporting('./test.sh', ['-rf'])).toMatchObject({ command: './test.sh ./-rf', reporting: './test.sh ./-rf' })
  })

  it('runs everything if paths cannot be passed', () => {
    expect(reporting('cargo test --lib', ['tests/a.rs'])).toEqual({
      command: 'cargo test --lib',
      reporting: 'cargo test --no-fail-fast --lib',
      narrowed: false,
    })
    expect(reporting('make test', ['tests/a.py'])).toMatchObject({ command: 'make test', narrowed: false })
  })

  it('keeps the spelling of a command of unittest that names the same modules', () => {
    const command = 'python3 -m unittest -v tests.test_recipes'
    expect(reporting(command, ['tests/test_recipes.py'])).toMatchObject({ command, narrowed: true })
    expect(reporting(command, ['tests/test_more.py']).command).toBe('python3 -m unittest tests/test_more.py')
  })

  it('passes files, or a single folder, to unittest', () => {
    const command = 'python -m unittest discover -s tests'
    expect(reporting(command, ['tests/a.py', 'tests/b.py']).command).toBe('python -m unittest tests/a.py tests/b.py')
    expect(reporting('python -m unittest', ['tests']).command).toBe('python -m unittest discover -s tests')
    expect(reporting(command, ['tests', 'more'])).toMatchObject({ command, narrowed: false })
  })
})
