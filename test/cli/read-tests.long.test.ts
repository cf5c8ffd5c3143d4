/** `init` and `doctor` run the project's tests once, before any agent does. VF9. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { lastJson, temporaryFolder } from '../support/convene.ts'
import { gitProject } from '../support/git-project.ts'
import { runResident } from '../support/resident-command.ts'

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
  expect(written.stderr).toMatch(/^running `npm ci` \(set-up\)\n(?:.*\n)*running `npm test` \(tests\)$/m)
  const examined = await runResident(['doctor', '--json'], readable)
  expect(examined.stderr).toContain('running `npm test` (tests)\n')
  const { checks } = lastJson<{ checks: { name: string }[] }>(examined)
  expect(checks.find(({ name }) => name === 'tests')).toMatchObject(read)

  const told = await runResident(['init'], { cwd: project('true'), env })
  expect(told.stdout).toMatch(/^Tests: names unknown.*\n {2}→ .+/m)
})
