/** The user's checkout during a build, unusual repositories, and what a build refuses to start with. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/convene.ts'
import { runResident } from '../support/resident-command.ts'
import {
  approval,
  buildProject,
  code,
  expectExit,
  held,
  type Line,
  leaf,
  ofType,
  type Report,
  specOf,
  testCommand,
  testFile,
} from './project.ts'
import { watchCheckout } from './watch-checkout.ts'

const slow = 240_000
const spec = specOf('inc')
const files = {
  'src/inc.js': code('inc'),
  'test/inc.test.js': testFile('inc', { 'inc: inc-1': 'assert.equal(inc(1), 2)' }),
}
const alone: Line = {
  when: { ask: 'implement', node: 'inc' },
  files,
  reply: { TestsPassed: { iterations: 1, passedTests: [] } },
}

describe('a checkout with uncommitted work', () => {
  it('[MG4] stays the same byte for byte; --merge then refuses and says why', { timeout: slow }, async () => {
    const project = buildProject({ spec, lines: leaf(spec), files: { 'a.txt': 'a\n', 'b.txt': 'b\n' } })
    project.write({ 'a.txt': 'staged\n' })
    project.git('add', 'a.txt')
    project.write({
      'a.txt': 'staged, then changed\n',
      'b.txt': 'changed\n',
      'new/untracked.txt': 'new\n',
      'src/inc.js': 'mine\n',
    })
    const status = project.git('status', '--porcelain')

    const {
      value: built,
      states,
      looks,
    } = await watchCheckout(project.folder, () => project.build('--strategy', 'graph', '--merge'))

    expect(states).toBe(1)
    expect(looks).toBeGreaterThan(5)
    expectExit(built, 1)
    expect(built.report).toMatchObject({
      status: 'failed',
      reason: 'dirty_checkout',
      merged: false,
      branch: 'convene/inc/main',
    })
    expect(project.git('rev-parse', 'convene/inc/main')).toBe(built.report.commit)
    expect(project.read(built.report.commit!, 'a.txt')).toBe('a')
    expect(project.git('status', '--porcelain')).toBe(status)
    const warnings = ofType(await project.events(), 'warning.given').map(({ text }) => text)
    expect(warnings).toContainEqual(expect.stringMatching(/not merged: .*uncommitted changes: .*a\.txt/))
  })

  it('[MG4] --merge moves a clean checkout forward; with a detached HEAD there is nothing to merge into', {
    timeout: slow,
  }, async () => {
    const project = buildProject({ spec, lines: [{ ...alone, repeat: true }] })
    const first = project.git('rev-parse', 'HEAD')
    project.git('checkout', '--quiet', '--detach')
    const detached = await project.build('--merge')
    expectExit(detached, 1)
    expect(detached.report).toMatchObject({ status: 'failed', reason: 'detached', merged: false })
    expect(project.git('rev-parse', 'convene/inc/main')).toBe(detached.report.commit)
    expect(project.git('rev-parse', 'HEAD')).toBe(first)
    expectExit(await project.build(), 0)

    project.git('checkout', '--quiet', 'main')
    const merged = await project.build('--merge')
    expectExit(merged, 0)
    expect(merged.report).toMatchObject({ status: 'done', merged: true })
    expect(project.git('rev-parse', 'main', 'HEAD').split('\n')).toEqual([merged.report.commit, merged.report.commit])
    expect(readFileSync(join(project.folder, 'src/inc.js'), 'utf8')).toBe(code('inc'))
    expect(project.git('status', '--porcelain')).toBe('')
    // The results of the two earlier builds are kept separately: neither contains the other.
    const kept = project.git('for-each-ref', '--format=%(refname:short)', 'refs/heads/convene/inc').split('\n')
    expect(kept.filter((name) => name.startsWith('convene/inc/previous-'))).toHaveLength(2)
  })
})

describe('a repository with its own hooks and layout', () => {
  it('builds ignore hooks and signing; a merge honours them', { timeout: slow }, async () => {
    const project = buildProject({ spec, lines: [{ ...alone, repeat: true }] })
    const hook = (name: string, text: string) => {
      writeFileSync(join(project.folder, '.git/hooks', name), `#!/bin/sh\n${text}\n`)
      chmodSync(join(project.folder, '.git/hooks', name), 0o755)
    }
    for (const name of ['pre-commit', 'commit-msg', 'post-checkout', 'post-commit', 'reference-transaction'])
      hook(name, `echo ran >> "${project.folder}/../hooks.txt"; exit 1`)
    project.git('config', 'commit.gpgSign', 'true')
    project.git('config', 'gpg.program', 'false')
    const built = await project.build()
    expectExit(built, 0)
    expect(existsSync(join(project.folder, '../hooks.txt'))).toBe(false)

    const before = project.git('rev-parse', 'main')
    const refused = await project.build('--merge')
    expectExit(refused, 1)
    expect(refused.report).toMatchObject({
      reason: expect.stringMatching(/^(hook_failed|signing_failed)$/),
      merged: false,
    })
    expect(project.git('rev-parse', 'main')).toBe(before)
    expect(project.git('status', '--porcelain')).toBe('')

    for (const name of ['commit-msg', 'reference-transaction', 'post-checkout', 'post-commit']) hook(name, 'exit 0')
    const unsigned = await project.build('--merge')
    expectExit(unsigned, 1)
    expect(unsigned.report).toMatchObject({ reason: 'signing_failed', merged: false })
    expect(project.git('rev-parse', 'main')).toBe(before)

    // The user's hook runs, so the merge is a commit of its own that contains the result.
    project.git('config', 'commit.gpgSign', 'false')
    const merged = await project.build('--merge')
    expectExit(merged, 0)
    expect(project.git('rev-parse', 'main^2')).toBe(merged.report.commit)
  })

  it('builds in a path with a space and an umlaut, in a subfolder, with a submodule', { timeout: slow }, async () => {
    const inner = temporaryFolder({ 'value.txt': 'from the submodule\n' })
    const outer = temporaryFolder()
    const top = join(outer, 'ein Projekt für Ada')
    const folder = join(top, 'packages/die Bücherei')
    mkdirSync(folder, { recursive: true })
    const git = (cwd: string, ...args: string[]) =>
      execFileSync('git', ['-c', 'protocol.file.allow=always', ...args], {
        cwd,
        encoding: 'utf8',
        stdio: 'pipe',
      }).trim()
    for (const place of [inner, top]) {
      git(place, 'init', '--quiet', '--initial-branch=main')
      git(place, 'config', 'user.name', 'Ada')
      git(place, 'config', 'user.email', 'ada@example.org')
    }
    git(inner, 'add', '--all')
    git(inner, 'commit', '--quiet', '--message=inner')
    const config = {
      agents: { coder: { provider: 'rehearsal', script: 'script.yaml' } },
      build: { test: testCommand, worktrees: join(outer, 'die Wörktrees') },
    }
    const needs = `import { readFileSync } from 'node:fs'\n${testFile('inc', {
      'inc: inc-1':
        "assert.equal(inc(1), 2); assert.equal(readFileSync(new URL('../../shared/value.txt', import.meta.url), 'utf8').trim(), 'from the submodule')",
    })}`
    const outside: Line = { ...alone, files: { ...files, '../elsewhere.js': '' } }
    const found: Line = { ...alone, files: { ...files, 'test/inc.test.js': needs } }
    for (const [name, value] of Object.entries({
      'convene.yaml': config,
      'spec.json': spec,
      'script.yaml': [outside, found, approval],
    }))
      writeFileSync(join(folder, name), JSON.stringify(value))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    git(top, 'submodule', '--quiet', 'add', inner, 'packages/shared')
    git(top, 'add', '--all')
    git(top, 'commit', '--quiet', '--message=first')

    const ended = await runResident(['build', 'spec.json', '--merge', '--json'], { cwd: folder })

    expect(ended.code, ended.stdout + ended.stderr).toBe(0)
    const report = JSON.parse(ended.stdout) as Report
    expect(git(top, '-c', 'core.quotePath=false', 'diff', '--name-only', 'main~1', report.commit!).split('\n')).toEqual(
      ['packages/die Bücherei/src/inc.js', 'packages/die Bücherei/test/inc.test.js'],
    )
    expect(existsSync(join(folder, 'src/inc.js'))).toBe(true)
    expect(git(top, 'status', '--porcelain')).toBe('')
    expect(existsSync(join(top, 'packages/elsewhere.js'))).toBe(false)
  })

  it('setup runs once per set of files; shared paths are in every worktree', {
    timeout: slow,
  }, async () => {
    const project = buildProject({
      spec,
      lines: [{ ...alone, repeat: true, files: { ...files, 'test/inc.test.js': shared } }],
      files: { '.gitignore': 'node_modules\n.env.test\n', 'package-lock.json': '{}\n' },
      build: {
        sandbox: 'off',
        setup: `echo ran >> ../../../../setups.txt; mkdir -p node_modules/dep && echo '{"main":"i.js"}' > node_modules/dep/package.json && echo 'module.exports = 7' > node_modules/dep/i.js`,
        share: ['.env.test'],
      },
    })
    project.write({ '.env.test': 'secret of the checkout\n' })
    const runs = () => {
      const log = [join(project.worktrees, '../setups.txt'), join(project.folder, '../setups.txt')].find((path) =>
        existsSync(path),
      )
      return log ? readFileSync(log, 'utf8').split('\n').length - 1 : 0
    }
    expectExit(await project.build(), 0)
    const once = runs()
    expect(once).toBeGreaterThan(0)
    expectExit(await project.build(), 0)
    expect(runs()).toBe(once)
    project.write({ 'package-lock.json': '{"changed": true}\n' })
    project.git('commit', '--all', '--quiet', '--message=other dependencies')
    expectExit(await project.build(), 0)
    expect(runs()).toBe(once + 1)
    expect(existsSync(join(project.folder, 'node_modules'))).toBe(false)
  })
})

const shared = `import { readFileSync } from 'node:fs'
import seven from 'dep'
${testFile('inc', {
  'inc: inc-1':
    "assert.equal(seven, 7); assert.equal(readFileSync(new URL('../.env.test', import.meta.url), 'utf8').trim(), 'secret of the checkout'); assert.equal(inc(1), 2)",
})}`

describe('what a build refuses to start with', () => {
  it('no repository, no commit, no test command: exits with 2 and says what to do', { timeout: slow }, async () => {
    const agents = { coder: { provider: 'rehearsal', script: 'script.yaml' } }
    const folder = temporaryFolder({
      'convene.yaml': JSON.stringify({ agents, build: { test: testCommand } }),
      'script.yaml': '[]',
      'spec.json': JSON.stringify(spec),
    })
    const attempt = async () => {
      const ended = await runResident(['build', 'spec.json', '--json'], { cwd: folder })
      expect(ended.code, ended.stdout + ended.stderr).toBe(2)
      return (JSON.parse(ended.stdout) as Report).error
    }
    expect(await attempt()).toMatchObject({ code: 'not_a_repository', message: expect.stringContaining('git init') })
    execFileSync('git', ['init', '--quiet'], { cwd: folder })
    expect(await attempt()).toMatchObject({ code: 'no_commit', expected: expect.stringContaining('git commit') })
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--allow-empty', '-qm', 'a'], {
      cwd: folder,
    })
    writeFileSync(join(folder, 'convene.yaml'), JSON.stringify({ agents }))
    expect(await attempt()).toMatchObject({ code: 'no_test_command', path: 'build.test' })
  })

  it('the same spec twice at once: the second is refused and names the first', { timeout: slow }, async () => {
    const project = buildProject({ spec, lines: [{ ...alone, ...held }] })
    const builds = [project.build(), project.build()]
    await Promise.race(builds)
    project.release()
    const [done, refused] = (await Promise.all(builds)).sort((one, other) => one.code! - other.code!)
    expectExit(done!, 0)
    expectExit(refused!, 2)
    expect(refused!.report.error).toMatchObject({
      code: 'already_building',
      message: expect.stringContaining(done!.report.run),
    })
    expect(ofType(await project.events(), 'build.started')).toHaveLength(1)
  })
})
