import { spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Repository } from '../../src/workspace/git/repository.ts'
import { Worktrees } from '../../src/workspace/worktrees/worktrees.ts'
import {
  commitFiles,
  contents,
  git,
  listedWorktrees,
  newRepository,
  script,
  stateOf,
  temporaryFolder,
  worktreesOf,
  write,
} from './git-repositories.ts'

describe('a slot', () => {
  it('is a regular worktree to git, although git did not add it', async () => {
    const { folder, repository, first } = await newRepository()
    const slot = await worktreesOf(repository).worktrees.acquire('r', first)
    git(folder, 'worktree', 'prune')
    git(folder, 'worktree', 'repair')
    expect(listedWorktrees(folder)).toEqual([folder, slot.folder])
    expect(git(slot.folder, 'rev-parse', '--show-toplevel', '--git-common-dir').split('\n')).toEqual([
      slot.folder,
      join(folder, '.git'),
    ])
    expect(readdirSync(join(folder, '.git')).filter((name) => name.startsWith('convene'))).toEqual([])
    git(folder, 'worktree', 'remove', '--force', slot.folder)
    expect(listedWorktrees(folder)).toEqual([folder])
  })

  it('is exactly the commit, outside the repository, with no branch', async () => {
    const { folder, repository, first } = await newRepository({ 'a.txt': 'one\n', 'src/ä.txt': 'x\n' })
    commitFiles(folder, { 'a.txt': 'later\n' })
    const { worktrees, place } = worktreesOf(repository)
    const before = git(folder, 'for-each-ref')
    const slot = await worktrees.acquire('run-1', first)
    expect(slot.folder.startsWith(place)).toBe(true)
    expect(slot).toMatchObject({ project: slot.folder, commit: first })
    expect(slot.setup).toBeUndefined()
    expect(contents(slot.folder)).toEqual({ 'a.txt': 'one\n', 'src/ä.txt': 'x\n' })
    expect(git(slot.folder, 'status', '--porcelain')).toBe('')
    expect(git(slot.folder, 'rev-parse', 'HEAD')).toBe(first)
    expect(git(slot.folder, 'rev-parse', '--abbrev-ref', 'HEAD')).toBe('HEAD')
    expect(git(folder, 'for-each-ref')).toBe(before)
  })

  it('has the project where the repository has it, even if the commit does not have it yet', async () => {
    const { folder, first } = await newRepository()
    mkdirSync(join(folder, 'packages/neu'), { recursive: true })
    const repository = await Repository.open(join(folder, 'packages/neu'))
    const slot = await worktreesOf(repository).worktrees.acquire('r', first)
    expect(slot.project).toBe(join(slot.folder, 'packages/neu'))
    expect(readdirSync(slot.project)).toEqual([])
  })

  it("returns its files as a tree, deletions and new files included, and leaves the user's checkout alone", async () => {
    const { folder, repository, first } = await newRepository({
      'a.txt': 'one\n',
      'b.txt': 'b\n',
      '.gitignore': '*.log\n',
    })
    const { worktrees } = worktreesOf(repository)
    write(folder, { 'a.txt': "the user's own, not committed\n", 'staged.txt': 's\n' })
    git(folder, 'add', 'staged.txt')
    const before = stateOf(folder) as Record<string, unknown>
    const slot = await worktrees.acquire('r', first)
    write(slot.folder, { 'a.txt': 'two\n', 'b.txt': null, 'neu/ü x.txt': 'n\n', 'debug.log': 'l\n' })
    const { tree } = await slot.snapshot()
    expect(git(folder, 'ls-tree', '-r', '--name-only', '-z', tree).split('\0').filter(Boolean)).toEqual([
      '.gitignore',
      'a.txt',
      'neu/ü x.txt',
    ])
    write(slot.folder, { 'a.txt': 'three\n' })
    expect((await slot.snapshot()).tree).not.toBe(tree)
    worktrees.release(slot)
    await worktrees.removeRun('r')
    expect(stateOf(folder)).toEqual(before)
  })

  it('is reused clean, whatever was left in it', async () => {
    const { folder, repository, first } = await newRepository({
      'a.txt': 'one\n',
      'dir/b.txt': 'b\n',
      '.gitignore': 'ignored/\n',
    })
    const second = commitFiles(folder, { 'a.txt': 'two\n', 'c.txt': 'c\n' })
    const { worktrees } = worktreesOf(repository)
    const slot = await worktrees.acquire('r', second)
    write(slot.folder, { 'a.txt': null, 'a.txt/now/a/folder': 'x', dir: null, 'ignored/x': 'x', 'untracked.txt': 'x' })
    symlinkSync('/etc', join(slot.folder, 'dir'))
    git(slot.folder, 'init', '--quiet', 'nested')
    git(slot.folder, 'add', 'untracked.txt')
    git(slot.folder, 'update-index', '--assume-unchanged', 'c.txt')
    write(slot.folder, { 'c.txt': 'hidden change\n' })
    worktrees.release(slot)
    const again = await worktrees.acquire('r', first)
    expect(again.folder).toBe(slot.folder)
    expect(contents(again.folder)).toEqual({ 'a.txt': 'one\n', 'dir/b.txt': 'b\n', '.gitignore': 'ignored/\n' })
    worktrees.release(again)
    const third = await worktrees.acquire('r', second)
    expect(contents(third.folder)).toEqual({
      'a.txt': 'two\n',
      'dir/b.txt': 'b\n',
      '.gitignore': 'ignored/\n',
      'c.txt': 'c\n',
    })
    expect(git(third.folder, 'status', '--porcelain', '--ignored')).toBe('')
    expect(listedWorktrees(folder)).toEqual([folder, slot.folder])
  })

  it('does not depend on the git state that an agent leaves behind', async () => {
    const { folder, repository, first } = await newRepository()
    const { worktrees } = worktreesOf(repository)
    const slot = await worktrees.acquire('r', first)
    const elsewhere = temporaryFolder()
    git(elsewhere, 'init', '--quiet')
    rmSync(join(slot.folder, '.git'))
    writeFileSync(join(slot.folder, '.git'), `gitdir: ${join(elsewhere, '.git')}\n`)
    write(slot.folder, { 'a.txt': 'two\n' })
    const { tree } = await slot.snapshot()
    expect(git(folder, 'cat-file', 'blob', `${tree}:a.txt`)).toBe('two')
    rmSync(join(slot.folder, '.git'))
    git(slot.folder, 'init', '--quiet')
    worktrees.release(slot)
    const again = await worktrees.acquire('r', first)
    expect(again.folder).toBe(slot.folder)
    expect(git(again.folder, 'rev-parse', '--git-common-dir')).toBe(join(folder, '.git'))
    expect(git(again.folder, 'status', '--porcelain')).toBe('')
  })

  it('is replaced if it is beyond repair', async () => {
    const { folder, repository, first } = await newRepository()
    const { worktrees } = worktreesOf(repository)
    const slot = await worktrees.acquire('r', first)
    const record = git(slot.folder, 'rev-parse', '--absolute-git-dir')
    writeFileSync(join(record, 'HEAD'), 'nonsense')
    worktrees.release(slot)
    const again = await worktrees.acquire('r', first)
    expect(again.folder).not.toBe(slot.folder)
    expect(contents(again.folder)).toEqual({ 'a.txt': 'one\n' })
    expect(listedWorktrees(folder)).toEqual([folder, again.folder])
  })

  it('has no locks or half-done merges of its previous user', async () => {
    const { folder, repository, first } = await newRepository()
    const second = commitFiles(folder, { 'a.txt': 'two\n' })
    const { worktrees } = worktreesOf(repository)
    const slot = await worktrees.acquire('r', second)
    const record = git(slot.folder, 'rev-parse', '--absolute-git-dir')
    for (const name of ['index.lock', 'convene-index.lock', 'HEAD.lock']) writeFileSync(join(record, name), '')
    writeFileSync(join(record, 'MERGE_HEAD'), `${first}\n`)
    writeFileSync(join(folder, '.git/index.lock'), '')
    worktrees.release(slot)
    const again = await worktrees.acquire('r', first)
    expect(again.folder).toBe(slot.folder)
    expect(existsSync(join(record, 'MERGE_HEAD'))).toBe(false)
    expect(existsSync(join(folder, '.git/index.lock'))).toBe(true)
  })

  it('refuses a snapshot with a nested repository, each time, and says where', async () => {
    const { repository, first } = await newRepository()
    const { worktrees } = worktreesOf(repository)
    const slot = await worktrees.acquire('r', first)
    git(slot.folder, 'init', '--quiet', 'vendor/lib')
    write(slot.folder, { 'vendor/lib/x.txt': 'x\n' })
    await expect(slot.snapshot()).rejects.toMatchObject({ code: 'nested_repository', path: 'vendor/lib' })
    commitFiles(join(slot.folder, 'vendor/lib'), {})
    await expect(slot.snapshot()).rejects.toMatchObject({ code: 'nested_repository', path: 'vendor/lib' })
    await expect(slot.snapshot()).rejects.toMatchObject({ code: 'nested_repository', path: 'vendor/lib' })
    rmSync(join(slot.folder, 'vendor/lib/.git'), { recursive: true })
    const { tree } = await slot.snapshot()
    expect((await repository.listFiles(tree)).sort()).toEqual(['a.txt', 'vendor/lib/x.txt'])
  })

  it('refuses a commit that does not exist and leaves nothing behind', async () => {
    const { folder, repository } = await newRepository()
    const { worktrees } = worktreesOf(repository)
    await expect(worktrees.acquire('r', '1'.repeat(40))).rejects.toMatchObject({ code: 'git_failed' })
    expect(listedWorktrees(folder)).toEqual([folder])
  })

  it('starts few git processes', async () => {
    const { repository, first } = await newRepository()
    const { worktrees } = worktreesOf(repository)
    worktrees.release(await worktrees.acquire('r', first))
    const slot = await counted(() => worktrees.acquire('r', first))
    expect(slot.processes).toBe(1)
    write(slot.result.folder, { 'n.txt': 'n\n' })
    const snapshot = await counted(() => slot.result.snapshot())
    expect(snapshot.processes).toBe(2)
    const request = { tree: snapshot.result.tree, parents: [first], message: 'x', at: 0 }
    const commit = await repository.commit(request)
    await repository.setRef('convene/x', first)
    expect((await counted(() => repository.commit(request))).processes).toBe(0)
    expect((await counted(() => repository.setRef('convene/x', commit))).processes).toBe(0)
    expect((await counted(() => repository.updateRef('convene/x', first, commit))).processes).toBe(0)
    expect((await counted(() => repository.commits(first, commit, { firstParent: true }))).processes).toBe(0)
    expect((await counted(() => repository.listFiles(commit, ['n.txt']))).processes).toBe(0)
    worktrees.release(slot.result)

    const withSetup = worktreesOf(repository, { setup: { command: 'x', run: async () => ({ exitCode: 0 }) } }).worktrees
    withSetup.release(await withSetup.acquire('r', first))
    expect((await counted(() => withSetup.acquire('r', first))).processes).toBe(1)
  })
})

describe('many slots', () => {
  it('are acquired by 16 at once, each its own, and again', async () => {
    const { folder, repository, first } = await newRepository()
    const second = commitFiles(folder, { 'a.txt': 'two\n' })
    const { worktrees } = worktreesOf(repository)
    for (const commit of [first, second]) {
      const slots = await Promise.all(Array.from({ length: 16 }, () => worktrees.acquire('r', commit)))
      expect(new Set(slots.map((slot) => slot.folder)).size).toBe(16)
      for (const slot of slots) expect(git(slot.folder, 'rev-parse', 'HEAD')).toBe(commit)
      for (const [index, slot] of slots.entries()) write(slot.folder, { 'mine.txt': `${index}\n` })
      const trees = await Promise.all(slots.map((slot) => slot.snapshot()))
      expect(new Set(trees.map(({ tree }) => tree)).size).toBe(16)
      for (const slot of slots) worktrees.release(slot)
    }
    expect(listedWorktrees(folder)).toHaveLength(17)
    await worktrees.removeRun('r')
    expect(listedWorktrees(folder)).toEqual([folder])
  })

  it('are created by two instances on one repository at once, while the user adds worktrees too', async () => {
    const { folder, repository, first } = await newRepository()
    const pools = ['a', 'b'].map(() => worktreesOf(repository).worktrees)
    const mine = temporaryFolder()
    const adding = Promise.all(
      Array.from({ length: 4 }, (_, index) =>
        finished('git', ['worktree', 'add', '--detach', join(mine, `${index}`)], folder),
      ),
    )
    const slots = await Promise.all(
      pools.flatMap((pool, index) => Array.from({ length: 6 }, () => pool.acquire(`run-${index}`, first))),
    )
    await adding
    expect(new Set(slots.map((slot) => slot.folder)).size).toBe(12)
    await Promise.all(pools.map((pool, index) => pool.removeRun(`run-${index}`)))
    const left = listedWorktrees(folder)
    expect(left.every((path) => path === folder || path.startsWith(mine))).toBe(true)
  })

  it('are removed one by one as their users leave', async () => {
    const { folder, repository, first } = await newRepository()
    const { worktrees } = worktreesOf(repository)
    const leaves = [1, 2, 3].map(() => worktrees.join('r'))
    const slots = await Promise.all([1, 2, 3].map(() => worktrees.acquire('r', first)))
    leaves[0]!()
    leaves[0]!()
    worktrees.release(slots[0]!)
    expect(listedWorktrees(folder)).toHaveLength(4)
    worktrees.release(slots[1]!)
    leaves[1]!()
    await vi.waitFor(() => expect(listedWorktrees(folder).sort()).toEqual([folder, slots[2]!.folder].sort()), 60_000)
    worktrees.release(slots[2]!)
    leaves[2]!()
    expect((await worktrees.acquire('r', first)).folder).toBe(slots[2]!.folder)
  })

  it('are not shared between runs, and a release counts once', async () => {
    const { repository, first } = await newRepository()
    const { worktrees } = worktreesOf(repository)
    const one = await worktrees.acquire('one', first)
    worktrees.release(one)
    worktrees.release(one)
    const other = await worktrees.acquire('two', first)
    const [again, another] = await Promise.all([worktrees.acquire('one', first), worktrees.acquire('one', first)])
    expect(new Set([other.folder, again.folder, another.folder]).size).toBe(3)
    expect([again.folder, another.folder]).toContain(one.folder)
    await worktrees.close()
    await expect(worktrees.acquire('one', first)).rejects.toMatchObject({ code: 'closed' })
  })

  it('accept odd run names without leaving their folder', async () => {
    const { folder, repository, first } = await newRepository()
    const { worktrees, place } = worktreesOf(repository)
    for (const run of ['../../evil', '.setups', 'ü/x', '']) {
      const slot = await worktrees.acquire(run, first)
      expect(dirname(dirname(dirname(slot.folder)))).toBe(place)
      expect(basename(dirname(slot.folder))).not.toBe('.setups')
      worktrees.release(slot)
    }
    for (const run of ['../../evil', '.setups', 'ü/x', '']) await worktrees.removeRun(run)
    expect(listedWorktrees(folder)).toEqual([folder])
  })
})

describe('after a crash', () => {
  it('a new process takes over the run, whatever was half created', async () => {
    const { folder, repository, first } = await newRepository()
    const { worktrees: dead, place } = worktreesOf(repository)
    const [whole, noRecord, noFolder, noPointer] = await Promise.all(
      Array.from({ length: 4 }, () => dead.acquire('r', first)),
    )
    rmSync(git(noRecord!.folder, 'rev-parse', '--absolute-git-dir'), { recursive: true })
    rmSync(noFolder!.folder, { recursive: true })
    rmSync(join(noPointer!.folder, '.git'))
    write(whole!.folder, { 'left.txt': 'x' })
    writeFileSync(join(git(whole!.folder, 'rev-parse', '--absolute-git-dir'), 'index.lock'), '')
    mkdirSync(join(dirname(whole!.folder), '9'))

    const next = new Worktrees(repository, { share: [], folder: place })
    const slot = await next.acquire('r', first)
    expect(contents(slot.folder)).toEqual({ 'a.txt': 'one\n' })
    expect(listedWorktrees(folder)).toEqual([folder, slot.folder])
    const old = [whole, noRecord, noFolder, noPointer].map((each) => each!.folder)
    expect([...old, join(dirname(whole!.folder), '9')]).not.toContain(slot.folder)
    for (const path of old) expect(existsSync(path)).toBe(false)
  })

  it('a new process removes the run, and lists the existing runs', async () => {
    const { folder, repository, first } = await newRepository()
    const { worktrees: dead, place } = worktreesOf(repository)
    const mine = join(temporaryFolder(), 'on-a-disk-not-mounted')
    git(folder, 'worktree', 'add', '--quiet', '--detach', mine)
    rmSync(mine, { recursive: true })
    const slots = await Promise.all(['one', 'one', 'two'].map((run) => dead.acquire(run, first)))
    rmSync(join(slots[0]!.folder, '.git'))
    const next = new Worktrees(repository, { share: [], folder: place })
    expect(await next.leftoverRuns()).toEqual(['one', 'two'])
    await next.removeRun('one')
    expect(await next.leftoverRuns()).toEqual(['two'])
    expect(existsSync(slots[2]!.folder)).toBe(true)
    await next.removeRun('two')
    await next.removeRun('two')
    expect(listedWorktrees(folder)).toEqual([folder, mine])
    expect(readdirSync(place)).toEqual([])
  })

  it('a process killed while creating 16 leaves nothing permanent', async () => {
    const { folder, repository, first } = await newRepository()
    const place = temporaryFolder()
    for (const after of [30, 120, 300]) {
      const child = spawn(process.execPath, [join(import.meta.dirname, 'acquiring-program.ts'), folder, place, first], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const ended = new Promise((resolve) => child.on('close', resolve))
      await new Promise((resolve) => child.stdout.once('data', resolve))
      await new Promise((resolve) => setTimeout(resolve, after))
      child.kill('SIGKILL')
      await ended
      const next = new Worktrees(repository, { share: [], folder: place })
      const slots = await Promise.all(Array.from({ length: 4 }, () => next.acquire('r', first)))
      for (const slot of slots) expect(contents(slot.folder)).toEqual({ 'a.txt': 'one\n' })
      for (const slot of slots) next.release(slot)
      await next.removeRun('r')
      expect(listedWorktrees(folder)).toEqual([folder])
      expect(git(folder, 'status', '--porcelain')).toBe('')
    }
  })

  it('removes read-only folders and reports what it cannot read, as a user who is not root', async () => {
    const place = temporaryFolder()
    chmodSync(dirname(place), 0o755)
    const nobody = process.getuid?.() === 0 ? 65534 : undefined
    const file = join(import.meta.dirname, 'read-only-program.ts')
    const child = spawn(process.execPath, [file, place, String(nobody ?? '')], { stdio: ['ignore', 'pipe', 'pipe'] })
    chmodSync(place, 0o777)
    let said = ''
    child.stdout.on('data', (chunk) => {
      said += chunk
    })
    child.stderr.on('data', (chunk) => {
      said += chunk
    })
    await new Promise((resolve) => child.on('close', resolve))
    expect(said).toBe('{"refused":["unreadable_file hidden.txt","unreadable_file hidden"],"cleaned":true,"left":[]}\n')
  })
})

describe('repositories of other kinds', () => {
  it('if the user works in a linked worktree', async () => {
    const { folder } = await newRepository()
    const linked = join(temporaryFolder(), 'linked')
    git(folder, 'worktree', 'add', '--quiet', '-b', 'side', linked)
    await usesSlots(linked, [folder, linked])
  })

  it('if that worktree belongs to a bare repository', async () => {
    const { folder } = await newRepository()
    const outer = temporaryFolder()
    git(outer, 'clone', '--quiet', '--bare', folder, 'store.git')
    git(join(outer, 'store.git'), 'worktree', 'add', '--quiet', join(outer, 'checkout'), 'main')
    await usesSlots(join(outer, 'checkout'), [join(outer, 'store.git'), join(outer, 'checkout')])
  })

  it('if it is itself a submodule', async () => {
    const inner = await newRepository()
    const outer = await newRepository({ 'o.txt': 'o\n' })
    git(outer.folder, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.folder, 'sub module')
    await usesSlots(join(outer.folder, 'sub module'), [join(outer.folder, 'sub module')])
  })

  it('with sha256 objects, Windows line endings, and settings per worktree', async () => {
    const { folder } = await newRepository({ 'a.txt': 'one\n' }, '--object-format=sha256')
    git(folder, 'config', 'core.autocrlf', 'true')
    git(folder, 'config', 'core.safecrlf', 'true')
    git(folder, 'config', 'extensions.worktreeConfig', 'true')
    git(folder, 'config', '--worktree', 'core.sparseCheckout', 'false')
    const repository = await Repository.open(folder)
    const { worktrees } = worktreesOf(repository)
    const slot = await worktrees.acquire('r', await repository.head())
    expect(readFileSync(join(slot.folder, 'a.txt'), 'utf8')).toBe('one\r\n')
    write(slot.folder, { 'b.txt': 'unix\nlines\n' })
    const { tree } = await slot.snapshot()
    expect((await repository.readFiles(tree, ['a.txt', 'b.txt'])).get('b.txt')?.toString()).toBe('unix\nlines\n')
    expect((await repository.changes(await repository.head(), tree)).map(({ path }) => path)).toEqual(['b.txt'])
    worktrees.release(slot)
    await worktrees.removeRun('r')
    expect(listedWorktrees(folder)).toEqual([folder])
  })

  it('with a sparse checkout', async () => {
    const { folder, repository, first } = await newRepository({ 'in/a.txt': 'a\n', 'out/b.txt': 'b\n' })
    git(folder, 'sparse-checkout', 'set', 'in')
    const { worktrees } = worktreesOf(repository)
    const slot = await worktrees.acquire('r', first)
    write(slot.folder, { 'out/new.txt': 'n\n', 'in/a.txt': 'changed\n' })
    const { tree } = await slot.snapshot()
    expect((await repository.listFiles(tree)).sort()).toEqual(['in/a.txt', 'out/b.txt', 'out/new.txt'])
  })

  it('[TR1] with filters and merge drivers that must not run, such as a script of the repository', async () => {
    const created = await newRepository()
    const { folder } = created
    git(folder, 'config', 'filter.own.clean', 'sh clean.sh')
    git(folder, 'config', 'filter.own.smudge', 'sh clean.sh')
    git(folder, 'config', 'filter.own.required', 'true')
    git(folder, 'config', 'merge.own.driver', 'sh clean.sh %A')
    const repository = await Repository.open(folder)
    const ran = join(temporaryFolder(), 'ran')
    const files = { '.gitattributes': '*.big filter=own merge=own\n', 'clean.sh': `touch "${ran}"; cat\n` }
    const { worktrees } = worktreesOf(repository)
    const first = await worktrees.acquire('r', created.first)
    write(first.folder, { ...files, 'x.big': 'one\ntwo\nthree\n' })
    const commit = async (tree: string, parent: string) =>
      repository.commit({ tree, parents: [parent], message: 'work' })
    const base = await commit((await first.snapshot()).tree, created.first)
    worktrees.release(first)
    const sides = await Promise.all(
      ['ONE\ntwo\nthree\n', 'one\ntwo\nTHREE\n'].map(async (text) => {
        const slot = await worktrees.acquire('r', base)
        expect(readFileSync(join(slot.folder, 'x.big'), 'utf8')).toBe('one\ntwo\nthree\n')
        write(slot.folder, { 'x.big': text })
        return commit((await slot.snapshot()).tree, base)
      }),
    )
    const { tree, conflicts } = await repository.merge(sides[0]!, sides[1]!)
    expect(conflicts).toEqual([])
    expect(git(folder, 'cat-file', 'blob', `${tree}:x.big`)).toBe('ONE\ntwo\nTHREE')
    expect(existsSync(ran)).toBe(false)
  })

  it('with hooks that must not run', async () => {
    const { folder, repository, first } = await newRepository()
    for (const hook of ['post-checkout', 'post-index-change', 'reference-transaction', 'pre-commit'])
      script(join(folder, '.git/hooks', hook), `touch "${join(folder, 'hook-ran')}"`)
    const { worktrees } = worktreesOf(repository)
    const slot = await worktrees.acquire('r', first)
    const { tree } = await slot.snapshot()
    await repository.setRef('convene/x', await repository.commit({ tree, parents: [first], message: 'x' }))
    expect(existsSync(join(folder, 'hook-ran'))).toBe(false)
  })

  it('with worktrees inside the repository, which git then does not see', async () => {
    const { folder, repository, first } = await newRepository()
    const { worktrees } = worktreesOf(repository, { folder: join(folder, '.trees') })
    await worktrees.acquire('r', first)
    expect(git(folder, 'status', '--porcelain')).toBe('')
  })
})

async function usesSlots(checkout: string, own: string[]): Promise<void> {
  const repository = await Repository.open(checkout)
  const head = await repository.head()
  const { worktrees } = worktreesOf(repository)
  const slot = await worktrees.acquire('r', head)
  expect(contents(slot.folder)).toEqual({ 'a.txt': 'one\n' })
  write(slot.folder, { 'a.txt': 'two\n' })
  const { tree } = await slot.snapshot()
  expect((await repository.changes(head, tree)).map(({ path }) => path)).toEqual(['a.txt'])
  worktrees.release(slot)
  const again = await worktrees.acquire('r', head)
  expect(contents(again.folder)).toEqual({ 'a.txt': 'one\n' })
  worktrees.release(again)
  await worktrees.removeRun('r')
  expect(contents(checkout)).toEqual({ 'a.txt': 'one\n' })
  expect(listedWorktrees(checkout).length).toBe(own.length)
}

/** Counts the git processes that some work starts, by git's own trace. */
async function counted<Result>(work: () => Promise<Result>): Promise<{ result: Result; processes: number }> {
  const traces = temporaryFolder()
  process.env.GIT_TRACE2_EVENT = traces
  onTestFinished(() => void delete process.env.GIT_TRACE2_EVENT)
  const result = await work()
  delete process.env.GIT_TRACE2_EVENT
  return { result, processes: readdirSync(traces).length }
}

function finished(program: string, args: string[], folder: string): Promise<unknown> {
  return new Promise((resolve) => spawn(program, args, { cwd: folder, stdio: 'ignore' }).on('close', resolve))
}
