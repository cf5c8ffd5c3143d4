/** What an agent leaves behind attacks the machine: through the command line, with a sandbox and without one. */
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Commands } from '../../src/workspace/commands/command.ts'
import { temporaryFolder } from '../support/convene.ts'
import { gone, uniqueSeconds } from '../support/processes.ts'
import { runResident } from '../support/resident-command.ts'
import { asked, type Built, buildProject, code, type Line, ofType, type Project, specOf, testFile } from './project.ts'

const spec = specOf('inc')
const slow = 240_000
const reply = { TestsPassed: { iterations: 1, passedTests: ['inc: inc-1'] } }
const honest = {
  'src/inc.js': code('inc'),
  'test/inc.test.js': testFile('inc', { 'inc: inc-1': 'assert.equal(inc(1), 2)' }),
}
const implement = (files: Record<string, string>, more: Partial<Line> = {}): Line => ({
  when: { ask: 'implement', node: 'inc' },
  files,
  reply,
  repeat: true,
  ...more,
})

const { available } = await new Commands({
  sandbox: 'required',
  env: { PATH: process.env.PATH },
  allowEnv: [],
}).sandboxState()

async function run(project: Project, words: string[], env: Record<string, string>): Promise<Built> {
  const ended = await runResident([...words, '--json'], { cwd: project.folder, env })
  const last = ended.stdout.trim().split('\n').at(-1) ?? ''
  return { ...ended, report: last ? JSON.parse(last) : {} }
}

/** A listener on loopback that counts who calls. */
async function listener(): Promise<{ port: number; heard: () => number }> {
  let heard = 0
  const server = createServer((socket) => {
    heard++
    socket.destroy()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return { port: (server.address() as { port: number }).port, heard: () => heard }
}

/** A home folder with what users have in theirs. */
function homeWithSecrets(): string {
  const home = temporaryFolder({ '.bashrc': 'export KEY=private', '.bash_history': 'login private' })
  mkdirSync(join(home, '.config/anything'), { recursive: true })
  writeFileSync(join(home, '.config/anything/token'), 'private')
  return home
}

/** A test that passes only if each attempt fails. */
function spy(project: { folder: string; worktrees: string }, home: string, port: number): string {
  const files = [`${home}/.bashrc`, `${home}/.bash_history`, `${home}/.config/anything/token`]
  const secrets = [
    ...files,
    `${project.folder}/.env`,
    `${project.folder}/.git/config`,
    `${project.folder}/convene.yaml`,
  ]
  return `import assert from 'node:assert'
import { readFileSync, readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { test } from 'node:test'
import { inc } from '../src/inc.js'
test('inc: inc-1', async () => {
  assert.equal(inc(1), 2)
  for (const path of ${JSON.stringify(secrets)}) {
    let text = ''
    try { text = readFileSync(path, 'utf8') } catch {}
    assert.ok(!text.includes('private'), path)
  }
  assert.ok(!Object.values(process.env).some((value) => value.includes('sk-private')))
  const names = (folder) => { try { return readdirSync(folder) } catch { return [] } }
  assert.equal(names(${JSON.stringify(project.worktrees)}).flatMap((run) => names(${JSON.stringify(`${project.worktrees}/`)} + run)).length <= 1, true)
  const reached = await new Promise((resolve) => {
    const socket = connect(${port}, '127.0.0.1', () => resolve(true))
    socket.on('error', () => resolve(false))
  })
  assert.equal(reached, false)
})
`
}

// Where this machine has no sandbox, the builds below park instead; the tests without one show that.
if (available)
  describe('an agent’s tests in the sandbox', () => {
    it('[TR8] read neither home nor checkout, and a listener hears nothing', { timeout: slow }, async () => {
      const home = homeWithSecrets()
      const { port, heard } = await listener()
      const place = { folder: '', worktrees: '' }
      const project = buildProject({ spec, lines: [], files: { '.gitignore': '.env\n' } })
      Object.assign(place, { folder: project.folder, worktrees: project.worktrees })
      project.git('config', 'http.extraheader', 'AUTHORIZATION: private')
      const files = { ...honest, 'test/inc.test.js': spy(place, home, port) }
      project.write({ '../script.yaml': JSON.stringify([implement(files), approving]), '.env': 'KEY=private' })
      const built = await run(project, ['build', 'spec.json'], { HOME: home, SOME_API_KEY: 'sk-private-0123456789' })
      expect(built.code, `${built.stdout}\n${built.stderr}`).toBe(0)
      expect(heard()).toBe(0)
    })

    it('[TR11] are ended at a limit, which the agent is told', { timeout: slow }, async () => {
      const bomb = `import { test } from 'node:test'
import { spawn } from 'node:child_process'
import { inc } from '../src/inc.js'
test('inc: inc-1', async () => {
  inc(1)
  for (let i = 0; i < 400; i++) spawn('sleep', ['30'])
  await new Promise((resolve) => setTimeout(resolve, 30000))
})
`
      const project = buildProject({
        spec,
        lines: [
          implement({ ...honest, 'test/inc.test.js': bomb }, { when: { ask: 'implement', node: 'inc', attempt: 1 } }),
          implement(honest, { when: { ask: 'implement', node: 'inc', attempt: 2 } }),
        ],
        build: { limits: { processes: 100 } },
      })
      const built = await project.build()
      expect(built.code, `${built.stdout}\n${built.stderr}`).toBe(0)
      const evidence = ofType(await project.events(), 'evidence.recorded')
      expect(evidence.map(({ ended }) => ended)).toContain('too-many-processes')
      const [refused] = ofType(await project.events(), 'reply.refused')
      expect(JSON.stringify(refused)).toContain('build.limits.processes')
    })
  })

describe('a machine without a sandbox', () => {
  /** Every program of the system but bubblewrap. */
  function pathWithoutSandbox(): string {
    const folder = temporaryFolder()
    for (const place of ['/usr/bin', '/bin'])
      for (const name of readdirSync(place))
        if (name !== 'bwrap' && !existsSync(join(folder, name))) symlinkSync(join(place, name), join(folder, name))
    return folder
  }

  const elsewhere = process.platform === 'linux' ? undefined : 'sandbox-exec comes with the system'
  it('[TR9] parks the build with what to install, asks no agent, and goes on once there is one', {
    timeout: slow,
  }, async () => {
    if (elsewhere) return expect(available).toBe(true)
    const ran = join(temporaryFolder(), 'ran')
    const files = {
      ...honest,
      'test/inc.test.js': `import { writeFileSync } from 'node:fs'\nwriteFileSync('${ran}', '')\n`,
    }
    const project = buildProject({ spec, lines: [implement(files)] })
    const built = await run(project, ['build', 'spec.json'], { PATH: pathWithoutSandbox() })
    expect(built.code, `${built.stdout}\n${built.stderr}`).toBe(2)
    expect(built.report.reason).toContain('apt-get install bubblewrap')
    expect(asked(await project.events())).toEqual([])
    expect(existsSync(ran)).toBe(false)
    project.write({ '../script.yaml': JSON.stringify([implement(honest), approving]) })
    const resumed = await project.convene('resume', built.report.run)
    // Without a sandbox on this machine it stays parked.
    expect(resumed.code, `${resumed.stdout}\n${resumed.stderr}`).toBe(available ? 0 : 2)
  })

  it('[TR9] with build.sandbox off: a daemon ends with its command', { timeout: slow }, async () => {
    const seconds = uniqueSeconds()
    const daemon = `import assert from 'node:assert'
import { spawn } from 'node:child_process'
import { test } from 'node:test'
import { inc } from '../src/inc.js'
spawn('setsid', ['sleep', '${seconds}'], { detached: true, stdio: 'ignore' }).unref()
test('inc: inc-1', () => { assert.equal(inc(1), 2) })
`
    const project = buildProject({
      spec,
      lines: [implement({ ...honest, 'test/inc.test.js': daemon })],
      build: { sandbox: 'off' },
    })
    const built = await project.build()
    expect(built.code, `${built.stdout}\n${built.stderr}`).toBe(0)
    await gone(seconds)
  })
})

describe('the final merge', () => {
  it.each([['auto'], ['off']])(
    '[TR1] runs no hook that the work brings (sandbox %s)',
    { timeout: slow },
    async (sandbox) => {
      const stolen = join(temporaryFolder(), 'stolen')
      const hook = `#!/bin/sh\nenv > "${stolen}"\n`
      const names = [
        'post-merge',
        'post-checkout',
        'post-commit',
        'commit-msg',
        'prepare-commit-msg',
        'pre-merge-commit',
      ]
      const hooks = Object.fromEntries(names.map((name) => [`.husky/${name}`, hook]))
      const project = buildProject({
        spec,
        lines: [implement({ ...honest, ...hooks })],
        build: { sandbox: available ? sandbox : 'off', sensitive: 'allow' },
      })
      // As Husky sets it up: git calls files beside the folder, executable or not.
      project.git('config', 'core.hooksPath', '.husky/_')
      mkdirSync(join(project.folder, '.husky/_'), { recursive: true })
      for (const name of names) {
        writeFileSync(
          join(project.folder, '.husky/_', name),
          `#!/bin/sh\n[ ! -f .husky/${name} ] || sh .husky/${name}\n`,
        )
        chmodSync(join(project.folder, '.husky/_', name), 0o755)
      }
      writeFileSync(join(project.folder, '.git/info/exclude'), '.husky/_\n')
      const built = await run(project, ['build', 'spec.json', '--merge'], { SOME_API_KEY: 'sk-private-0123456789' })
      expect(built.code, `${built.stdout}\n${built.stderr}`).toBe(0)
      expect(built.report.merged).toBe(true)
      expect(existsSync(join(project.folder, '.husky/post-merge'))).toBe(true)
      expect(existsSync(stolen)).toBe(false)
      const warnings = ofType(await project.events(), 'warning.given').map(({ text }) => text)
      expect(warnings).toContainEqual(expect.stringContaining('your git hooks did not run on this merge'))
    },
  )
})

const approving: Line = {
  when: { ask: 'review-impl' },
  reply: { Approved: { signOff: 'good', coverageReport: { criteriaWithTests: [], criteriaMissing: [] } } },
  repeat: true,
}
