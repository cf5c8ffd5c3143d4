/** `init` and `doctor` run the project's tests once, before any agent does. VF9. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { lastJson, temporaryFolder } from '../support/convene.ts'
import { gitProject } from '../support/git-project.ts'
import { runResident } from '../support/resident-command.ts'
import { openTerminal } from '../support/terminal.ts'

const lock = JSON.stringify({ name: 'x', lockfileVersion: 3, requires: true, packages: { '': {} } })
const project = (script: string) =>
  gitProject({
    'package.json': JSON.stringify({ name: 'x', scripts: { test: script } }),
    'package-lock.json': lock,
    'a.test.js': "require('node:test').test('one', () => {})\n",
  })

it('[VF9] init and doctor say what was read, and the line that fixes what was not', async () => {
  const env = { XDG_CACHE_HOME: join(temporaryFolder(), 'cache') }
  const readable = { cwd: project('node --test'), env }
  const read = { state: 'ok', detail: '1 test read from the report by node' }
  const written = await runResident(['init', '--json'], readable)
  expect(written.code, written.stderr).toBe(0)
  expect(lastJson(written)).toMatchObject({ tests: read })
  expect(written.stderr).toBe('')
  const examined = await runResident(['doctor', '--json'], readable)
  expect(examined.stderr).toBe('')
  const { checks } = lastJson<{ checks: { name: string }[] }>(examined)
  expect(checks.find(({ name }) => name === 'tests')).toMatchObject(read)

  const told = await runResident(['init'], { cwd: project('true'), env })
  expect(told.stdout).toMatch(/^Tests: names unknown.*\n {2}→ .+/m)
  expect(told.stderr).toMatch(/^running `npm ci` \(set-up\)\n(?:.*\n)*running `npm test` \(tests\)$/m)
})

it('[VF9] a terminal shows for how long a command runs, and Ctrl-C ends init with what it wrote', async () => {
  const cwd = project('sleep 600')
  const cache = join(temporaryFolder(), 'cache')
  const terminal = openTerminal(['init'], { cwd, env: { XDG_CACHE_HOME: cache } })
  await terminal.shows(/[1-9]\S*s running `npm test` \(tests\)/)
  terminal.type('\x03')
  await terminal.shows('Wrote convene.yaml; interrupted before the tests had run. convene doctor runs them')
  expect(await terminal.finished).toBe(130)
  const worktrees = execFileSync('git', ['worktree', 'list'], { cwd, encoding: 'utf8' })
  expect(worktrees.trim().split('\n')).toHaveLength(1)
})
