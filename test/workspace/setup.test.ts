import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Repository } from '../../src/workspace/git/repository.ts'
import type { SetupCommand } from '../../src/workspace/worktrees/prepare-slot.ts'
import type { Slot } from '../../src/workspace/worktrees/slot.ts'
import { Worktrees } from '../../src/workspace/worktrees/worktrees.ts'
import { commitFiles, contents, git, newRepository, temporaryFolder, worktreesOf, write } from './git-repositories.ts'

/** A setup by a shell command that also counts where it ran. */
function counting(command: string): SetupCommand & { ran: string[] } {
  const ran: string[] = []
  const run = async (folder: string) => {
    ran.push(folder)
    try {
      execFileSync('sh', ['-c', command], { cwd: folder, stdio: 'ignore' })
      return { exitCode: 0 }
    } catch (error) {
      return { exitCode: (error as { status: number }).status }
    }
  }
  return { command, run, ran }
}

const install =
  'mkdir -p node_modules/lib && cat package.json > node_modules/lib/installed && ln -s lib node_modules/link'
const project = { 'package.json': '{"v":1}\n', '.gitignore': 'node_modules/\n', 'a.txt': 'one\n' }

describe('setup', () => {
  it('runs in a new worktree if somebody removes the first before it is whole', async () => {
    const { folder, repository, first } = await newRepository(project)
    const setup = counting(install)
    const run: SetupCommand['run'] = async (slot, mode) => {
      const done = await setup.run(slot, mode)
      if (setup.ran.length === 1) {
        rmSync(slot, { recursive: true })
        rmSync(join(folder, '.git/worktrees'), { recursive: true })
      }
      return done
    }
    const { worktrees } = worktreesOf(repository, { setup: { ...setup, run } })
    const slot = await worktrees.acquire('r', first)
    expect(setup.ran).toHaveLength(2)
    expect((await slot.snapshot()).tree).toBe(await repository.treeOf(first))
  })

  it('runs once for 16 slots, the others get a copy, and none is part of a snapshot', async () => {
    const { repository, first } = await newRepository(project)
    const setup = counting(install)
    const { worktrees } = worktreesOf(repository, { setup })
    let announced = 0
    const announce = async () => void announced++
    const slots = await Promise.all(Array.from({ length: 16 }, () => worktrees.acquire('r', first, 'plain', announce)))
    expect(setup.ran).toHaveLength(1)
    expect(announced).toBe(1)
    expect(slots.filter((slot) => slot.setup?.cached === false)).toHaveLength(1)
    for (const slot of slots) {
      expect(slot.setup).toMatchObject({ exitCode: 0, command: install })
      expect(readFileSync(join(slot.folder, 'node_modules/lib/installed'), 'utf8')).toBe('{"v":1}\n')
      expect(readlinkSync(join(slot.folder, 'node_modules/link'))).toBe('lib')
      expect((await slot.snapshot()).tree).toBe(await repository.treeOf(first))
    }
  })

  it('stays in a reused slot, and leftovers of the work do not', async () => {
    const { folder, repository, first } = await newRepository(project)
    const second = commitFiles(folder, { 'a.txt': 'two\n' })
    const setup = counting(install)
    const { worktrees } = worktreesOf(repository, { setup })
    const slot = await worktrees.acquire('r', first)
    const installed = join(slot.folder, 'node_modules/lib/installed')
    const inode = lstatSync(installed).ino
    write(slot.folder, { 'dist/x.js': 'x', 'node_modules/.cache/y': 'y' })
    worktrees.release(slot)
    const again = await worktrees.acquire('r', second)
    expect(again.folder).toBe(slot.folder)
    expect(again.setup).toEqual({ exitCode: 0, command: install, cached: true })
    expect(contents(again.folder)).toEqual({
      ...project,
      'a.txt': 'two\n',
      'node_modules/lib/installed': '{"v":1}\n',
      'node_modules/link': '-> lib',
    })
    expect(lstatSync(installed).ino).toBe(inode)
    expect(setup.ran).toHaveLength(1)
  })

  it('[VF4] is restored if an agent has edited its files, even with the old times set', async () => {
    const { repository, first } = await newRepository(project)
    const setup = counting(`${install} && mkdir node_modules/other && echo o > node_modules/other/file`)
    const { worktrees } = worktreesOf(repository, { setup })
    const slot = await worktrees.acquire('r', first)
    const installed = join(slot.folder, 'node_modules/lib/installed')
    const { atime, mtime } = lstatSync(installed)
    writeFileSync(installed, '{"v":X}\n')
    utimesSync(installed, atime, mtime)
    rmSync(join(slot.folder, 'node_modules/other'), { recursive: true })
    rmSync(join(slot.folder, 'node_modules/link'))
    symlinkSync('/etc/passwd', join(slot.folder, 'node_modules/link'))
    worktrees.release(slot)
    const again = await worktrees.acquire('r', first)
    expect(again.folder).toBe(slot.folder)
    expect(readFileSync(installed, 'utf8')).toBe('{"v":1}\n')
    expect(readFileSync(join(again.folder, 'node_modules/other/file'), 'utf8')).toBe('o\n')
    expect(readlinkSync(join(again.folder, 'node_modules/link'))).toBe('lib')
    expect(setup.ran).toHaveLength(1)
    worktrees.release(again)
    expect((await worktrees.acquire('r', first)).setup?.cached).toBe(true)
  })

  it('runs again for other lock files or manifests, in any folder, and for another command', async () => {
    const { folder, repository, first } = await newRepository(project)
    const setup = counting(install)
    const { worktrees, place } = worktreesOf(repository, { setup })
    const slot = await worktrees.acquire('r', first)
    worktrees.release(slot)
    const other = commitFiles(folder, { 'package.json': '{"v":2}\n' })
    const changed = await worktrees.acquire('r', other)
    expect(changed.setup?.cached).toBe(false)
    expect(readFileSync(join(changed.folder, 'node_modules/lib/installed'), 'utf8')).toBe('{"v":2}\n')
    worktrees.release(changed)
    const inner = commitFiles(folder, { 'packages/ö/requirements-dev.txt': 'x\n' })
    expect((await worktrees.acquire('r', inner)).setup?.cached).toBe(false)
    expect((await worktrees.acquire('r', first)).setup?.cached).toBe(true)
    expect(setup.ran).toHaveLength(3)
    const differently = new Worktrees(repository, { share: [], folder: place, setup: counting(`${install} && true`) })
    expect((await differently.acquire('other', first)).setup?.cached).toBe(false)
  })

  it('is reused by another process', async () => {
    const { repository, first } = await newRepository(project)
    const { worktrees, place } = worktreesOf(repository, { setup: counting(install) })
    worktrees.release(await worktrees.acquire('r', first))
    await worktrees.removeRun('r')
    const setup = counting(install)
    const next = new Worktrees(repository, { share: [], folder: place, setup })
    expect((await next.acquire('s', first)).setup).toMatchObject({ exitCode: 0, cached: true })
    expect(setup.ran).toEqual([])
  })

  it('that fails does not fail the slot, is not cached, and may succeed the next time', async () => {
    const { repository, first } = await newRepository({ 'a.txt': 'one\n' })
    const flag = join(temporaryFolder(), 'flag')
    const setup = counting(`mkdir -p node_modules && echo half > node_modules/half && test -e '${flag}' || exit 7`)
    const { worktrees } = worktreesOf(repository, { setup })
    const slots = await Promise.all([1, 2, 3].map(() => worktrees.acquire('r', first)))
    for (const slot of slots) expect(slot.setup?.exitCode).toBe(7)
    for (const slot of slots) expect((await slot.snapshot()).tree).toBe(await repository.treeOf(first))
    for (const slot of slots) worktrees.release(slot)
    writeFileSync(flag, '')
    const next = await worktrees.acquire('r', first)
    expect(next.setup).toMatchObject({ exitCode: 0, cached: false })
  })

  it('that makes a Python environment runs once: copies name their own place', async () => {
    const { repository, first } = await newRepository({ 'a.txt': 'one\n' })
    const setup = counting(
      [
        'mkdir -p .venv/bin .venv/lib/python3/site-packages',
        'echo "home = $PWD" > .venv/pyvenv.cfg',
        'echo "#!$PWD/.venv/bin/python" > .venv/bin/pytest && chmod +x .venv/bin/pytest',
        'echo "$PWD/src" > .venv/lib/python3/site-packages/__editable__.app.pth',
      ].join(' && '),
    )
    const { worktrees } = worktreesOf(repository, { setup })
    const slots = await Promise.all([1, 2, 3].map(() => worktrees.acquire('r', first)))
    const check = (slot: Slot) => {
      const read = (path: string) => readFileSync(join(slot.folder, '.venv', path), 'utf8')
      expect(read('pyvenv.cfg')).toBe(`home = ${slot.folder}\n`)
      expect(read('bin/pytest')).toBe(`#!${slot.folder}/.venv/bin/python\n`)
      expect(read('lib/python3/site-packages/__editable__.app.pth')).toBe(`${slot.folder}/src\n`)
      expect(statSync(join(slot.folder, '.venv/bin/pytest')).mode & 0o100).toBe(0o100)
    }
    for (const slot of slots) {
      check(slot)
      expect((await slot.snapshot()).tree).toBe(await repository.treeOf(first))
    }
    expect(setup.ran).toHaveLength(1)
    for (const slot of slots) writeFileSync(join(slot.folder, '.venv/bin/pytest'), 'exit 0\n')
    for (const slot of slots) worktrees.release(slot)
    const again = await Promise.all([1, 2, 3].map(() => worktrees.acquire('r', first)))
    for (const slot of again) check(slot)
    expect(setup.ran).toHaveLength(1)
  })

  it('that installs a workspace with pnpm runs once: its record names the workspace that it lies in', async () => {
    const { repository, first } = await newRepository({ 'a.txt': 'one\n' })
    const state = 'node_modules/.pnpm-workspace-state-v1.json'
    const setup = counting(
      `mkdir -p node_modules/a && echo "{\\"lastValidatedTimestamp\\": 7, \\"projects\\": {\\"$PWD/a\\": 1}}" | tee ${state} > node_modules/a/x.json`,
    )
    const { worktrees } = worktreesOf(repository, { setup })
    const slots = await Promise.all([1, 2].map(() => worktrees.acquire('r', first)))
    const read = (folder: string, path: string) => JSON.parse(readFileSync(join(folder, path), 'utf8'))
    for (const { folder } of slots) {
      const { projects, lastValidatedTimestamp } = read(folder, state)
      expect(projects).toEqual({ [`${folder}/a`]: 1 })
      // No manifest is newer, whenever git wrote it.
      expect(lastValidatedTimestamp).toBeGreaterThan(Date.now() * 2)
      expect(read(folder, 'node_modules/a/x.json').lastValidatedTimestamp).toBe(7)
    }
    expect(setup.ran).toHaveLength(1)
  })

  it('that makes links to its own location runs in each slot too', async () => {
    const { repository, first } = await newRepository({ 'a.txt': 'one\n' })
    const { worktrees } = worktreesOf(repository, { setup: counting('mkdir made && ln -s "$PWD/a.txt" made/link') })
    const slots = await Promise.all([1, 2].map(() => worktrees.acquire('r', first)))
    for (const slot of slots) expect(readlinkSync(join(slot.folder, 'made/link'))).toBe(join(slot.folder, 'a.txt'))
  })

  it('that leaves nothing behind runs once', async () => {
    const { repository, first } = await newRepository()
    const setup = counting('true')
    const { worktrees } = worktreesOf(repository, { setup })
    await Promise.all([1, 2, 3].map(() => worktrees.acquire('r', first)))
    expect(setup.ran).toHaveLength(1)
  })

  it('keeps tracked files as in the commit, and its own files out, ignored or not', async () => {
    const { repository, first } = await newRepository({ 'package.json': '{}\n', 'package-lock.json': 'locked\n' })
    const setup = counting(
      'echo changed > package-lock.json; mkdir "ge neriert[ü]"; echo x > "ge neriert[ü]/x"; echo y > !y',
    )
    const { worktrees } = worktreesOf(repository, { setup })
    for (const slot of await Promise.all([1, 2].map(() => worktrees.acquire('r', first)))) {
      expect(readFileSync(join(slot.folder, 'package-lock.json'), 'utf8')).toBe('locked\n')
      expect(existsSync(join(slot.folder, 'ge neriert[ü]/x'))).toBe(true)
      write(slot.folder, { 'work.txt': 'w\n', 'ge neriert[ü]/more': 'm' })
      const { tree } = await slot.snapshot()
      expect((await repository.changes(first, tree)).map(({ path }) => path)).toEqual(['work.txt'])
      worktrees.release(slot)
    }
    const again = await worktrees.acquire('r', first)
    expect(readdirSync(join(again.folder, 'ge neriert[ü]'))).toEqual(['x'])
  })

  it('does not hide what another commit tracks in the same place', async () => {
    const { folder, repository, first } = await newRepository({ 'a.txt': 'one\n' })
    const { worktrees } = worktreesOf(repository, { setup: counting('mkdir -p vendor && echo made > vendor/made') })
    const slot = await worktrees.acquire('r', first)
    worktrees.release(slot)
    const second = commitFiles(folder, { 'vendor/tracked.txt': 't\n' })
    const again = await worktrees.acquire('r', second)
    expect(again.folder).toBe(slot.folder)
    expect(contents(again.folder)).toMatchObject({ 'vendor/tracked.txt': 't\n', 'vendor/made': 'made\n' })
    const copied = await worktrees.acquire('r', second)
    expect(contents(copied.folder)).toMatchObject({ 'vendor/tracked.txt': 't\n', 'vendor/made': 'made\n' })
  })

  it("runs in the project's folder", async () => {
    const { folder, first } = await newRepository({ 'packages/a/package.json': '{}\n' })
    const repository = await Repository.open(join(folder, 'packages/a'))
    const { worktrees } = worktreesOf(repository, { setup: counting('mkdir node_modules && touch node_modules/x') })
    const slots = await Promise.all([1, 2].map(() => worktrees.acquire('r', first)))
    for (const slot of slots) expect(existsSync(join(slot.folder, 'packages/a/node_modules/x'))).toBe(true)
  })

  it('that is aborted fails the slot, and those that waited run it themselves', async () => {
    const { folder, repository, first } = await newRepository()
    let calls = 0
    const run = async (at: string) => {
      if (calls++ === 0) throw new Error('stopped')
      mkdirSync(join(at, 'made'))
      writeFileSync(join(at, 'made/x'), '')
      return { exitCode: 0 }
    }
    const { worktrees } = worktreesOf(repository, { setup: { command: 'x', run } })
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => worktrees.acquire('r', first)))
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    expect(calls).toBe(2)
    for (const outcome of outcomes) if (outcome.status === 'fulfilled') worktrees.release(outcome.value)
    await worktrees.removeRun('r')
    expect(git(folder, 'worktree', 'list').split('\n')).toHaveLength(1)
  })
})

describe('shared paths', () => {
  it('are links to the user’s own, in every slot, and never committed', async () => {
    const { folder, repository, first } = await newRepository({ 'a.txt': 'one\n', '.gitignore': '.env\n' })
    write(folder, { '.env': 'SECRET=1\n', 'große modelle/m.bin': 'm\n', 'deep/er/data': 'd\n' })
    const share = ['.env', 'große modelle', './deep/er/data', 'not-there']
    const { worktrees } = worktreesOf(repository, { share })
    const slot = await worktrees.acquire('r', first)
    expect(readlinkSync(join(slot.folder, '.env'))).toBe(join(folder, '.env'))
    expect(readFileSync(join(slot.folder, 'große modelle/m.bin'), 'utf8')).toBe('m\n')
    expect(readFileSync(join(slot.folder, 'deep/er/data'), 'utf8')).toBe('d\n')
    expect(existsSync(join(slot.folder, 'not-there'))).toBe(false)
    write(slot.folder, { '.gitignore': '!.env\n', 'work.txt': 'w\n' })
    const { tree } = await slot.snapshot()
    expect((await repository.changes(first, tree)).map(({ path }) => path)).toEqual(['.gitignore', 'work.txt'])
    worktrees.release(slot)
    const again = await worktrees.acquire('r', first)
    expect(readlinkSync(join(again.folder, '.env'))).toBe(join(folder, '.env'))
    worktrees.release(again)
    await worktrees.removeRun('r')
    expect(contents(folder)).toMatchObject({
      '.env': 'SECRET=1\n',
      'große modelle/m.bin': 'm\n',
      'deep/er/data': 'd\n',
    })
  })

  it('are relative to the project, are not copied with a setup, and leave tracked files alone', async () => {
    const { folder, first } = await newRepository({ 'p/a.txt': 'tracked\n' })
    write(folder, { 'p/.env': 'x\n', 'p/a.txt': 'changed by the user\n' })
    const repository = await Repository.open(join(folder, 'p'))
    const setup = counting('cat .env && mkdir made && touch made/x')
    const { worktrees } = worktreesOf(repository, { share: ['.env', 'a.txt'], setup })
    for (const slot of await Promise.all([1, 2].map(() => worktrees.acquire('r', first)))) {
      expect(slot.setup?.exitCode).toBe(0)
      expect(readlinkSync(join(slot.project, '.env'))).toBe(join(folder, 'p/.env'))
      expect(lstatSync(join(slot.project, 'a.txt')).isSymbolicLink()).toBe(false)
      write(slot.project, { 'a.txt': 'edited\n' })
      const { tree } = await slot.snapshot()
      expect((await repository.changes(first, tree)).map(({ path }) => path)).toEqual(['p/a.txt'])
    }
  })

  it('must lie inside the project', async () => {
    const { repository } = await newRepository()
    for (const path of ['../other', '/etc/passwd', '.git/config'])
      expect(() => new Worktrees(repository, { share: [path] })).toThrow(/shared path/)
  })
})

describe('the disk budget', () => {
  const large = { 'big.bin': 'x'.repeat(100_000) }

  it('removes free slots, the oldest first, before adding another', async () => {
    const { repository, first } = await newRepository(large)
    const { worktrees } = worktreesOf(repository, { diskBudgetBytes: 350_000 })
    const [old, newer] = [await worktrees.acquire('one', first), await worktrees.acquire('one', first)]
    const busy = await worktrees.acquire('two', first)
    worktrees.release(old)
    await new Promise((resolve) => setTimeout(resolve, 5))
    worktrees.release(newer)
    const added = await worktrees.acquire('two', first)
    expect([old, newer, busy, added].map((slot) => existsSync(slot.folder))).toEqual([false, true, true, true])
    expect((await worktrees.acquire('one', first)).folder).toBe(newer.folder)
  })

  it('removes copies of setups, but nothing in use', async () => {
    const { folder, repository, first } = await newRepository({ ...large, 'package.json': '1' })
    const second = commitFiles(folder, { 'package.json': '2' })
    const setup = counting('mkdir -p made && head -c 200000 /dev/zero > made/x')
    const { worktrees, place } = worktreesOf(repository, { diskBudgetBytes: 1_150_000, setup })
    const caches = () => readdirSync(join(place, readdirSync(place)[0]!, '.setups'))
    await worktrees.acquire('r', first)
    const [oldest] = caches()
    await worktrees.acquire('r', second)
    expect(caches()).toHaveLength(2)
    const third = await worktrees.acquire('r', second)
    expect(third.setup?.cached).toBe(true)
    expect(caches()).toHaveLength(1)
    expect(caches()).not.toContain(oldest)
    expect(existsSync(join(third.folder, 'made/x'))).toBe(true)
    await worktrees.acquire('r', second)
    expect(setup.ran).toHaveLength(3)
  })
})
