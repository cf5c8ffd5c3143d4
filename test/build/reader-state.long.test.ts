/** The reader is tested before the agents: the tests run once on the last commit, and their report is compared. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readerState } from '../../src/build/reader-state.ts'
import { loadConfig } from '../../src/kernel/config/load.ts'
import { buildProject, honest, ofType, specOf } from './project.ts'

function projectOf(files: Record<string, string>, build: object = {}): string {
  const outer = realpathSync(mkdtempSync(join(tmpdir(), 'reader-')))
  onTestFinished(() => rmSync(outer, { recursive: true, force: true }))
  const folder = join(outer, 'project')
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: folder, encoding: 'utf8' })
  git('init', '-q')
  git('add', '-A')
  git('commit', '-qm', 'first')
  writeFileSync(join(folder, 'convene.yaml'), JSON.stringify({ build: { worktrees: join(outer, 'trees'), ...build } }))
  return folder
}

const state = (folder: string) => readerState(loadConfig({ folder, env: process.env }), process.env)
const test = "require('node:test').test('one', () => {})\n"
const scripts = (script: string) => JSON.stringify({ scripts: { test: script } })

it('[VF9] names, counts and exit code of the untouched tree are compared', { timeout: 300_000 }, async () => {
  const fine = projectOf({ 'package.json': scripts('node --test'), 'a.test.js': test, 'package-lock.json': lock })
  expect(await state(fine)).toEqual({ state: 'ok', detail: '1 test read from the report by node' })
  expect(execFileSync('git', ['worktree', 'list'], { cwd: fine, encoding: 'utf8' }).trim().split('\n')).toHaveLength(1)

  const linted = projectOf({ 'package.json': scripts('sh -c "exit 3" && node --test'), 'package-lock.json': lock })
  expect(await state(linted)).toMatchObject({
    state: 'broken',
    detail: expect.stringContaining('`sh -c "exit 3"` fails'),
  })

  const none = scripts('echo No tests found; exit 1')
  const unfound = projectOf({
    'package.json': none,
    'web/a.test.js': "test('one', () => {})",
    'web/package.json': '{}',
    ...locked,
  })
  expect(await state(unfound)).toMatchObject({
    state: 'broken',
    blocks: true,
    detail: '`npm test` finds no test and ends with exit code 1: No tests found; web/a.test.js has tests',
  })

  const unread = projectOf({ 'package.json': scripts('true'), 'package-lock.json': lock })
  expect(await state(unread)).toMatchObject({ state: 'degraded', detail: expect.stringContaining('names unknown') })
})

it('[VF9] a command that Convene ended at its own limit is named with the key that raises it', async () => {
  const limited = (more: object) => state(projectOf({ 'a.txt': '' }, { command_seconds: 1, ...more }))
  const why = 'Convene ended `sleep 600` after 1 s: it reached the limit build.command_seconds'
  expect(await limited({ test: 'sleep 600' })).toEqual({
    state: 'broken',
    detail: `${why}; until then no test was reported`,
    fix: 'write a larger build: {command_seconds: <seconds>} into convene.yaml, or a build.test that runs less',
    blocks: true,
  })
  for (const key of ['setup', 'build'])
    expect(await limited({ test: 'true', [key]: 'sleep 600' })).toMatchObject({
      detail: `the tests could not run: ${why}`,
      fix: expect.stringContaining(`or a build.${key} that runs less`),
    })
})

it('[VF9] nothing is said where there is nothing to run', async () => {
  expect(await state(projectOf({ 'a.txt': '' }))).toBeUndefined()
})

it('[VF9] the first build tells the person what no agent can repair, once', async () => {
  const spec = specOf('inc')
  const { scaffold, tests, code, review } = honest(spec)
  const project = buildProject({
    spec,
    lines: [scaffold, tests, code, review].map((line) => ({ ...line, repeat: true })),
    files: { 'old.test.js': "import { test } from 'node:test'\ntest('old', () => { throw new Error('red') })\n" },
    build: { test: 'node --test || true' },
  })
  const warnings = async () =>
    ofType(await project.events(), 'warning.given').filter(({ text }) => String(text).includes('before any work'))
  await project.build('--strategy', 'graph')
  expect(await warnings()).toEqual([
    { text: expect.stringContaining('1 test of 1 fails by node, but the test command') },
  ])
  await project.build('--strategy', 'graph')
  expect(await warnings()).toHaveLength(1)
})

const lock = JSON.stringify({ name: 'x', lockfileVersion: 3, requires: true, packages: { '': {} } })
const locked = { 'package-lock.json': lock }
