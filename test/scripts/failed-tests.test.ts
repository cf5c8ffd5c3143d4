/** A failed test can be identified from the end of the output alone, which is all that CI shows. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

it('the end of a test run lists what failed, with the first line of each error', () => {
  const folder = folderWith({
    'vitest.config.mjs': 'export default { test: { globals: true } }',
    'sums.test.mjs': `describe('sums', () => {
      it('adds', () => expect(1 + 1).toBe(3))
      it('divides', () => { throw new Error('by zero\\nsomewhere') })
      it('subtracts', () => expect(2 - 1).toBe(1))
      it.skip('multiplies', () => {})
    })`,
    'import.test.mjs': `import './missing.mjs'\nit('never runs', () => {})`,
  })
  const script = `import { concludeTests, runVitest } from '${join(root, 'scripts/vitest-run.ts')}'
    concludeTests([{ passed: 2, failed: [{ name: 'lint and format', message: 'a.ts:1\\ntoo long' }] }, await runVitest([])])`
  const { lines, status } = run(process.execPath, ['--input-type=module', '--eval', script], folder)
  expect(lines.at(-1)).toBe('3 passed, 4 failed, 1 skipped')
  const list = lines.slice(lines.lastIndexOf('Failed:'), -1)
  expect(list.slice(0, 3)).toEqual(['Failed:', '  ✗ lint and format', '    a.ts:1'])
  expect(list).toContain('  ✗ sums.test.mjs › sums › adds')
  expect(list.join('\n')).toContain('  ✗ sums.test.mjs › sums › divides\n    Error: by zero')
  expect(list.join('\n')).toMatch(/ {2}✗ import\.test\.mjs\n {4}.*missing\.mjs/)
  expect(list).toHaveLength(9)
  expect(status).toBe(1)
})

it('in CI, a file with a failure runs once more, and what passes then is named', () => {
  const folder = folderWith({
    'vitest.config.mjs': 'export default { test: { globals: true } }',
    'race.test.mjs': `import { existsSync, writeFileSync } from 'node:fs'
      it('wins the second time', () => {
        const ran = existsSync('ran')
        writeFileSync('ran', '')
        expect(ran).toBe(true)
      })
      it('is never wrong', () => {})`,
    'wrong.test.mjs': `it('is always wrong', () => expect(1).toBe(2))`,
    'right.test.mjs': `import { appendFileSync } from 'node:fs'
      it('runs once', () => appendFileSync('right', 'x'))`,
  })
  const script = `import { concludeTests, runVitest } from '${join(root, 'scripts/vitest-run.ts')}'
    concludeTests([await runVitest([])])`
  const { lines, status } = run(process.execPath, ['--input-type=module', '--eval', script], folder, undefined, 'true')
  const end = lines.slice(lines.lastIndexOf('Passed only on a second run:'))
  expect(end[1]).toBe('  ✗ race.test.mjs › wins the second time')
  expect(end.slice(3)).toEqual(['Failed:', '  ✗ wrong.test.mjs › is always wrong', end[5], '3 passed, 1 failed'])
  expect(readFileSync(join(folder, 'right'), 'utf8')).toBe('x')
  expect(status).toBe(1)
})

it('.ci/run lists the failures of both test commands once more, before the last line', () => {
  const first = ['Failed:', 'output that looks like the list', 'Failed:', '  ✗ a.test.ts › one', '    Error: 1']
  const { lines, status } = runCi(
    ['Passed only on a second run:', '  ✗ c.test.ts › race', ...first, '5 passed, 1 failed'],
    ['Failed:', '  ✗ b.test.ts › two', '2 passed, 1 failed'],
  )
  expect(lines.slice(-7)).toEqual([
    'Passed only on a second run:',
    '  ✗ c.test.ts › race',
    'Failed:',
    '  ✗ a.test.ts › one',
    '    Error: 1',
    '  ✗ b.test.ts › two',
    '7 passed, 2 failed',
  ])
  expect(status).toBe(1)
})

it('.ci/run counts a command that ends early as one failure, and lists nothing when all is well', () => {
  expect(runCi(['3 passed, 0 failed, 1 skipped'], ['out of memory']).lines.slice(-3)).toEqual([
    'Failed:',
    '  ✗ npm run test:long ended early: see its output',
    '3 passed, 1 failed, 1 skipped',
  ])
  const { lines, status } = runCi(['3 passed, 0 failed'], ['4 passed, 0 failed'])
  expect(lines.slice(-2)).toEqual(['4 passed, 0 failed', '7 passed, 0 failed'])
  expect(status).toBe(0)
})

/** Runs `.ci/run` with an `npm` that prints these lines for `test` and `test:long`. */
function runCi(test: string[], long: string[]) {
  const outputs = { test, 'test:long': long }
  const folder = folderWith(
    Object.fromEntries(Object.entries(outputs).map(([name, lines]) => [name, `${lines.join('\n')}\n`])),
  )
  const npm = join(folder, 'npm')
  writeFileSync(npm, `#!/bin/sh\ncat "${folder}/$2"\ntail -n 1 "${folder}/$2" | grep -q ' 0 failed'\n`)
  chmodSync(npm, 0o755)
  return run(join(root, '.ci/run'), [], root, folder)
}

function run(command: string, args: string[], cwd: string, firstInPath = join(root, 'node_modules/.bin'), CI?: string) {
  const { CI: _ci, ...rest } = process.env
  const env = CI ? { ...rest, CI } : rest
  const PATH = `${firstInPath}${delimiter}${env.PATH}`
  const { stdout, status } = spawnSync(command, args, { cwd, env: { ...env, PATH }, encoding: 'utf8' })
  return { lines: stdout.trimEnd().split('\n'), status }
}

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'convene-failed-tests-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}
