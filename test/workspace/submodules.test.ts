import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Repository } from '../../src/workspace/git/repository.ts'
import {
  commitFiles,
  contents,
  git,
  listedWorktrees,
  newRepository,
  temporaryFolder,
  worktreesOf,
  write,
} from './git-repositories.ts'

/** outer › `libs/mid ä` › `inner`, checked out by the user. */
async function nested() {
  const inner = await newRepository({ 'inner.txt': 'i\n' })
  const middle = await newRepository({ 'middle.txt': 'm1\n' })
  addSubmodule(middle.folder, inner.folder, 'inner')
  const outer = await newRepository({ 'a.txt': 'one\n' })
  addSubmodule(outer.folder, middle.folder, 'libs/mid ä')
  git(outer.folder, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init', '--recursive')
  const commit = commitFiles(outer.folder, {})
  const filled = { 'libs/mid ä/middle.txt': 'm1\n', 'libs/mid ä/inner/inner.txt': 'i\n' }
  return { ...outer, middle, commit, filled, repository: await Repository.open(outer.folder) }
}

function addSubmodule(folder: string, from: string, path: string): void {
  git(folder, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', from, path)
  commitFiles(folder, {}, 'Add a submodule')
}

describe('submodules', () => {
  it("are filled from the user's checkout, nested ones too", async () => {
    const { folder, repository, commit, filled } = await nested()
    const { worktrees } = worktreesOf(repository)
    const slot = await worktrees.acquire('r', commit)
    expect(contents(slot.folder)).toMatchObject({ 'a.txt': 'one\n', ...filled })
    expect((await slot.snapshot()).tree).toBe(await repository.treeOf(commit))
    worktrees.release(slot)
    await worktrees.removeRun('r')
    expect(listedWorktrees(folder)).toEqual([folder])
    expect(git(folder, 'submodule', 'status', '--recursive')).not.toMatch(/^[-+]/m)
    expect(git(folder, 'status', '--porcelain')).toBe('')
  })

  it('follow the commit, and are clean again whatever an agent did there', async () => {
    const { folder, repository, commit, filled } = await nested()
    const module = join(folder, 'libs/mid ä')
    commitFiles(module, { 'middle.txt': 'm2\n', 'new.txt': 'n\n' })
    const later = commitFiles(folder, {})
    const { worktrees } = worktreesOf(repository)
    const slot = await worktrees.acquire('r', later)
    expect(contents(slot.folder)).toMatchObject({ 'libs/mid ä/middle.txt': 'm2\n', 'libs/mid ä/new.txt': 'n\n' })
    const place = join(slot.folder, 'libs/mid ä')
    write(place, { 'middle.txt': 'edited\n', 'extra/x': 'x', inner: null })
    symlinkSync('/etc', join(place, 'inner'))
    git(place, 'init', '--quiet')
    commitFiles(place, { 'planted.txt': 'p' })
    expect((await slot.snapshot()).tree).toBe(await repository.treeOf(later))
    worktrees.release(slot)
    const again = await worktrees.acquire('r', commit)
    expect(again.folder).toBe(slot.folder)
    expect(contents(again.folder)).toEqual({
      'a.txt': 'one\n',
      '.gitmodules': expect.any(String),
      'libs/mid ä/.gitmodules': expect.any(String),
      ...filled,
    })
    expect(existsSync(join(place, '.git'))).toBe(false)
    worktrees.release(again)
  })

  it('are not redirected by a link in place of their folder, or of a parent', async () => {
    const { repository, commit, filled } = await nested()
    const { worktrees } = worktreesOf(repository)
    for (const [path, target] of [
      ['libs', ''],
      ['libs/mid ä', 'mid ä'],
    ] as const) {
      const slot = await worktrees.acquire('r', commit)
      const trap = temporaryFolder()
      write(trap, { 'mid ä/mine.txt': 'mine' })
      rmSync(join(slot.folder, path), { recursive: true })
      symlinkSync(join(trap, target), join(slot.folder, path))
      worktrees.release(slot)
      const again = await worktrees.acquire('r', commit)
      expect(again.folder).toBe(slot.folder)
      expect(contents(again.folder)).toMatchObject(filled)
      expect(contents(trap)).toEqual({ 'mid ä/mine.txt': 'mine' })
      worktrees.release(again)
    }
  })

  it("stay empty if the user has not checked them out, and an agent's .gitmodules fetches nothing", async () => {
    const { folder, repository, commit } = await nested()
    const other = await newRepository({ 'evil.txt': 'e\n' })
    git(folder, 'submodule', '--quiet', 'deinit', '--force', '--all')
    const { worktrees } = worktreesOf(repository)
    const slot = await worktrees.acquire('r', commit)
    expect(readdirSync(join(slot.folder, 'libs/mid ä'))).toEqual([])
    const written = readFileSync(join(slot.folder, '.gitmodules'), 'utf8').replace(/url = .*/, `url = ${other.folder}`)
    write(slot.folder, { '.gitmodules': written, 'libs/mid ä/left.txt': 'l' })
    const { tree } = await slot.snapshot()
    const changed = await repository.commit({ tree, parents: [commit], message: 'x' })
    worktrees.release(slot)
    const again = await worktrees.acquire('r', changed)
    expect(readFileSync(join(again.folder, '.gitmodules'), 'utf8')).toBe(written)
    expect(readdirSync(join(again.folder, 'libs/mid ä'))).toEqual([])
  })

  it('appear in a slot once a commit adds the first one', async () => {
    const { folder, repository, first } = await newRepository()
    const { worktrees } = worktreesOf(repository)
    worktrees.release(await worktrees.acquire('r', first))
    addSubmodule(folder, (await newRepository({ 's.txt': 's\n' })).folder, 'sub')
    const slot = await worktrees.acquire('r', await repository.head())
    expect(contents(slot.folder)).toMatchObject({ 'sub/s.txt': 's\n' })
  })

  it("do not interfere if the user's git recurses into them", async () => {
    const { folder, repository, commit, filled } = await nested()
    git(folder, 'config', 'submodule.recurse', 'true')
    const { worktrees } = worktreesOf(repository)
    worktrees.release(await worktrees.acquire('r', commit))
    expect(contents((await worktrees.acquire('r', commit)).folder)).toMatchObject(filled)
  })
})
