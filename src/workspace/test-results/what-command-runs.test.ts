import { describe, expect, it } from 'vitest'
import { changedByCommand, filesToRead } from './what-command-runs.ts'

type Files = Record<string, string>

function changed(command: string, before: Files, after: Files): string[] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const touched = paths.filter((path) => before[path] !== after[path])
  const there = filesToRead(touched)
  const read = (files: Files) => (path: string) => (there.includes(path) ? files[path] : undefined)
  return changedByCommand([command], touched, read(before), read(after))
}

const mapped = (files: Files) => Object.fromEntries(Object.keys(files).map((path) => [path, '2']))

const manifest = (scripts: Record<string, string>, more: object = {}) => ({
  'package.json': JSON.stringify({ scripts, ...more }),
})

describe('what a test command runs', () => {
  it('[VF3] includes the scripts that it starts, transitively, with their pre and post scripts', () => {
    const before = manifest({ test: 'npm run check', check: 'node --test', lint: 'x' })
    expect(changed('npm test', before, manifest({ test: 'true', check: 'node --test' }))).toEqual(['package.json'])
    expect(changed('npm test', before, manifest({ test: 'npm run check', check: 'true' }))).toEqual(['package.json'])
    const withPretest = manifest({ pretest: 'rm -r test', test: 'npm run check', check: 'node --test' })
    expect(changed('npm test', before, withPretest)).toEqual(['package.json'])
  })

  it('[VF3] includes scripts that a tool runs in a list, and those of a folder that the command goes to', () => {
    const listed = (unit: string) => manifest({ test: 'run-s lint unit', lint: 'x', unit })
    expect(changed('npm test', listed('node --test'), listed('true'))).toEqual(['package.json'])
    const below = (test: string) => ({ 'web/package.json': JSON.stringify({ scripts: { test } }) })
    for (const command of ['cd web && npm test', 'npm --prefix web test'])
      expect(changed(command, below('node --test'), below('true'))).toEqual(['web/package.json'])
  })

  it('[VF3] includes the scripts of packages that a workspace command starts them in, and what they name', () => {
    const below = (test: string, more: object = {}) => ({
      ...manifest({ test: 'pnpm -r test' }),
      'packages/a/package.json': JSON.stringify({ scripts: { test, ...more } }),
      'packages/a/check.js': '1',
    })
    const before = below('node check.js && node --test')
    for (const command of ['npm test', 'corepack pnpm -r test', 'npm test -ws && npm run lint', 'npx turbo run test']) {
      expect(changed(command, before, below('true'))).toEqual(['packages/a/package.json'])
      const calling = { pretest: 'rm -r test' }
      expect(changed(command, before, below('node check.js && node --test', calling))).toEqual([
        'packages/a/package.json',
      ])
      expect(changed(command, before, { ...before, 'packages/a/check.js': '2' })).toEqual(['packages/a/check.js'])
      const asked = below('node check.js && node --test', { start: 'node .' })
      const tested = { 'packages/b/package.json': JSON.stringify({ scripts: { test: 'node --test' } }) }
      expect(changed(command, { ...before, 'packages/b/package.json': '{}' }, { ...asked, ...tested })).toEqual([])
    }
    expect(changed('node --test', before, below('true'))).toEqual([])
  })

  it('[VF3] includes the script of one package, whatever stands after its name', () => {
    const below = (test: string) => ({
      ...manifest({ test: 'node --test' }),
      'packages/core/package.json': JSON.stringify({ scripts: { test } }),
    })
    const commands = ['npm test -w packages/core', 'pnpm test --filter core', 'npm test -w packages/core -- --bail']
    for (const command of [...commands, 'npm -w packages/core run test'])
      expect(changed(command, below('node --test'), below('true'))).toEqual(['packages/core/package.json'])
  })

  it('[VF3] includes what an unchanged recipe in another folder names', () => {
    const files = { 'api/Makefile': 'test:\n\tsh scripts/test.sh\n', 'api/scripts/test.sh': 'exit 1\n' }
    const bent = { ...files, 'api/scripts/test.sh': 'exit 0\n' }
    for (const command of ['make -C api test', 'cd api && make test'])
      expect(changed(command, files, bent)).toEqual(['api/scripts/test.sh'])
  })

  it('[VF3] excludes everything else in the same file', () => {
    const before = manifest({ test: 'node --test', lint: 'x' })
    const after = manifest({ test: 'node --test', lint: 'y' }, { dependencies: { zod: '4' } })
    expect(changed('npm test', before, after)).toEqual([])
    expect(changed('node --test', before, manifest({}))).toEqual([])
  })

  it('[VF3] includes the recipes of a Makefile, and files that the command names', () => {
    const before = { Makefile: 'test:\n\tsh run.sh\n', 'run.sh': 'a', 'src/a.js': '1' }
    expect(changed('make test', before, { ...before, Makefile: 'test:\n\ttrue\n' })).toEqual(['Makefile'])
    expect(changed('make test', before, { ...before, 'run.sh': 'b', 'src/a.js': '2' })).toEqual(['run.sh'])
    expect(changed('sh ./run.sh', before, { ...before, 'run.sh': 'b' })).toEqual(['run.sh'])
    expect(changed('python -m run.all', { 'run/all.py': '1' }, { 'run/all.py': '2' })).toEqual(['run/all.py'])
    expect(changed('node --test', { 'node.js': '1' }, { 'node.js': '2' })).toEqual([])
    expect(changed('node scripts/check', { 'scripts/check.js': '1' }, { 'scripts/check.js': '2' })).toEqual([
      'scripts/check.js',
    ])
  })

  it('[VF3] excludes documents, and what checkers and bundlers only read, but not their settings', () => {
    const files = { 'README.md': '1', 'src/a.js': '1', 'build.config.js': '1', 'check.js': '1' }
    const all = (scripts: Record<string, string>) =>
      changed('npm test', { ...manifest(scripts), ...files }, { ...manifest(scripts), ...mapped(files) })
    expect(all({ pretest: 'evalmd README.md && eslint src/a.js', test: 'node --test' })).toEqual([])
    expect(all({ pretest: 'esbuild src/a.js --bundle', test: 'node check.js' })).toEqual(['check.js'])
    expect(all({ pretest: 'rollup --config=build.config.js src/a.js', test: 'node src/a.js' })).toEqual([
      'src/a.js',
      'build.config.js',
    ])
  })

  it.each([
    ['node scripts/check.js standard', 'scripts/check.js'],
    ['tsc -p . & node run.js', 'run.js'],
    ['eslint -f ./report.js src', 'report.js'],
    ['browserify harness.js | tape-run', 'harness.js'],
    ['tsc tools/check.ts --outDir out && node out/check.js', 'tools/check.ts'],
  ])('[VF3] includes what decides beside a checker or a bundler: %s', (command, path) => {
    expect(changed(command, { [path]: '1' }, { [path]: '2' })).toEqual([path])
  })

  it.each([
    'A=1 npx --no-install eslint src/a.js',
    'node_modules/.bin/xo src/a.js | tap-min',
    'uv run ruff check src/a.js',
    'rollup src/a.js -o dist/a.js && node test/a.js',
  ])('[VF3] excludes a source, however its reader is started: %s', (command) => {
    expect(changed(command, { 'src/a.js': '1' }, { 'src/a.js': '2' })).toEqual([])
  })

  it('[VF3] includes the settings of its runner, if it is that runner', () => {
    const config = { 'vitest.config.ts': 'export default {}' }
    expect(changed('npx vitest run', {}, config)).toEqual(['vitest.config.ts'])
    expect(changed('node --test', {}, config)).toEqual([])
    expect(changed('npx jest', manifest({}), manifest({}, { jest: { bail: true } }))).toEqual(['package.json'])
    const project = (options: string) => ({
      'pyproject.toml': `[project]\nname = "${options}"\n[tool.pytest.ini_options]\n`,
    })
    expect(changed('pytest', project('a'), project('b'))).toEqual([])
    const settings = { 'pyproject.toml': '[project]\nname = "a"\n[tool.pytest.ini_options]\naddopts = "--co"\n' }
    expect(changed('pytest', project('a'), settings)).toEqual(['pyproject.toml'])
  })
})
