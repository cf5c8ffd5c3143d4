import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { GitFailed } from '../../src/workspace/git/git.ts'
import { Repository } from '../../src/workspace/git/repository.ts'
import { commitFiles, git, newRepository, temporaryFolder } from './git-repositories.ts'

describe('opening a repository', () => {
  it('says what is missing and how to fix it', async () => {
    const folder = temporaryFolder()
    await expect(Repository.open(folder)).rejects.toMatchObject({ code: 'not_a_repository', expected: 'git init' })
    await expect(Repository.open(join(folder, 'nowhere'))).rejects.toMatchObject({ code: 'no_folder' })
    git(folder, 'init', '--quiet')
    await expect(Repository.open(folder)).rejects.toMatchObject({ code: 'no_commit' })
    const bare = temporaryFolder()
    git(bare, 'init', '--quiet', '--bare')
    await expect(Repository.open(bare)).rejects.toMatchObject({ code: 'bare_repository' })
  })

  it('knows the top level, the shared git folder and the path to the project', async () => {
    const { folder } = await newRepository({ 'packages/ä b/convene.yaml': '' })
    const repository = await Repository.open(join(folder, 'packages/ä b'))
    expect(repository).toMatchObject({ root: folder, gitFolder: join(folder, '.git'), prefix: 'packages/ä b/' })
  })

  it('works in a linked worktree, also one of a bare repository', async () => {
    const { folder, first } = await newRepository()
    const linked = join(temporaryFolder(), 'linked')
    git(folder, 'worktree', 'add', '--quiet', '-b', 'side', linked)
    const second = commitFiles(linked, { 'b.txt': 'two\n' })
    const repository = await Repository.open(linked)
    expect(repository).toMatchObject({ root: linked, gitFolder: join(folder, '.git'), prefix: '' })
    expect(await repository.head()).toBe(second)
    expect(await repository.currentBranch()).toBe('side')

    const bare = temporaryFolder()
    git(bare, 'clone', '--quiet', '--bare', folder, join(bare, 'store'))
    git(join(bare, 'store'), 'worktree', 'add', '--quiet', join(bare, 'checkout'), 'main')
    const ofBare = await Repository.open(join(bare, 'checkout'))
    expect(ofBare.gitFolder).toBe(join(bare, 'store'))
    expect(await ofBare.head()).toBe(first)
  })

  it('ignores the git variables of a hook that runs it', async () => {
    const { folder, first } = await newRepository()
    const other = await newRepository({ 'x.txt': 'x\n' })
    process.env.GIT_DIR = join(other.folder, '.git')
    process.env.GIT_INDEX_FILE = join(other.folder, '.git/index')
    try {
      expect(await (await Repository.open(folder)).head()).toBe(first)
    } finally {
      delete process.env.GIT_DIR
      delete process.env.GIT_INDEX_FILE
    }
  })
})

describe('commit names', () => {
  it('resolves branches, tags and hashes, and nothing else', async () => {
    const { folder, repository, first } = await newRepository()
    git(folder, 'tag', '-a', 'v1', '-m', 'v1')
    expect(await repository.resolve('main')).toBe(first)
    expect(await repository.resolve('v1')).toBe(first)
    expect(await repository.resolve(first.slice(0, 8))).toBe(first)
    for (const wrong of ['nothing', '', '--all', '-h', 'a\nb', 'main..main'])
      expect(await repository.resolve(wrong)).toBe(null)
  })

  it('tells a hash that names a commit from everything that does not', async () => {
    const { folder, repository, first } = await newRepository()
    git(folder, 'branch', 'abcdef')
    expect(await repository.exists(first)).toBe(true)
    expect(await repository.exists(first.slice(0, 7).toUpperCase())).toBe(true)
    const tree = await repository.treeOf(first)
    for (const wrong of [tree, 'abcdef', 'main', '', '0'.repeat(40), first.replace(/./g, 'f')])
      expect(await repository.exists(wrong)).toBe(false)
  })

  it('has no branch with a detached HEAD', async () => {
    const { folder, repository } = await newRepository()
    expect(await repository.currentBranch()).toBe('main')
    git(folder, 'checkout', '--quiet', '--detach')
    expect(await repository.currentBranch()).toBe(null)
  })
})

describe('commits', () => {
  it("are made in the user's name, without hooks, signing, a ref or a touched checkout", async () => {
    const { folder, repository, first } = await newRepository()
    git(folder, 'config', 'commit.gpgSign', 'true')
    git(folder, 'config', 'gpg.program', 'false')
    git(folder, 'config', 'i18n.commitEncoding', 'ISO-8859-1')
    const request = {
      tree: await repository.treeOf(first),
      parents: [first],
      message: 'Grüße\n\nConvene-Run: r1\n',
      at: 1_700_000_000_000,
    }
    const commit = await repository.commit(request)
    expect(git(folder, 'log', '-1', '--encoding=UTF-8', '--format=%an <%ae> %cn %at %s|%b|%P', commit)).toBe(
      `Ada Löwe <ada@example.org> Ada Löwe 1700000000 Grüße|Convene-Run: r1\n|${first}`,
    )
    expect(await repository.commit(request)).toBe(commit)
    expect(await repository.head()).toBe(first)
    expect(git(folder, 'status', '--porcelain')).toBe('')
  })

  it("have Convene's name if git knows no user", async () => {
    const { folder, repository, first } = await newRepository()
    const known = process.env.GIT_CONFIG_GLOBAL
    process.env.GIT_CONFIG_GLOBAL = '/dev/null'
    try {
      expect(await repository.identity()).toMatchObject({ name: 'Convene', configured: false })
      const commit = await repository.commit({ tree: await repository.treeOf(first), parents: [], message: 'x' })
      expect(git(folder, 'log', '-1', '--format=%an', commit)).toBe('Convene')
    } finally {
      process.env.GIT_CONFIG_GLOBAL = known
    }
  })

  it("are byte for byte the same as git's own", async () => {
    const { folder, repository, first } = await newRepository()
    const tree = await repository.treeOf(first)
    const messages = [
      'plain',
      'ends\n',
      '',
      '\n\nblank lines first\n',
      'Ünïcödé 🙂 \ud800\n\nbody\n\nA: b\n',
      ' \t\r\n',
    ]
    for (const [index, message] of messages.entries()) {
      const at = 1_700_000_000_123 + index
      const parents = index % 2 === 0 ? [first] : [first, first]
      const date = `@${Math.floor(at / 1000)} +0000`
      const made = execFileSync('git', ['commit-tree', tree, '-p', first, '-F', '-'], {
        cwd: folder,
        input: message,
        env: { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
        encoding: 'utf8',
      })
      expect(await repository.commit({ tree, parents, message, at })).toBe(made.trim())
    }
    await expect(repository.commit({ tree, parents: ['nowhere'], message: 'x', at: 0 })).rejects.toThrow(GitFailed)
  })

  it('are read along their first parents as git reads them', async () => {
    const { folder, repository, first } = await newRepository()
    const tree = await repository.treeOf(first)
    let head = first
    for (const message of ['one\n\nbody\n', '\n \nlate\nsubject\n\n\nA: b\nC: d\n\n', '', 'end\n \nrest ü\n']) {
      const side = await repository.commit({ tree, parents: [first], message: `side of ${message}`, at: 0 })
      head = await repository.commit({ tree, parents: [head, side], message, at: 0 })
    }
    const seen = await repository.commits(first, head, { firstParent: true })
    const format = '%H%x00%P%x00%s%x00%b%x00'
    const fields = git(folder, 'log', '--first-parent', `--format=${format}`, head, `^${first}`, '--').split('\0')
    expect(seen.flatMap(({ hash, parents, subject, body }) => [hash, parents.join(' '), subject, body])).toEqual(
      fields.slice(0, -1).map((field, index) => (index % 4 === 0 ? field.trim() : field.trimEnd())),
    )
    expect(await repository.commits(head, head)).toEqual([])
    const unrelated = await repository.commit({ tree, parents: [], message: 'u', at: 0 })
    expect(await repository.commits(unrelated, head, { firstParent: true })).toHaveLength(5)
  })

  it('are listed newest first, with full bodies', async () => {
    const { folder, repository, first } = await newRepository()
    git(folder, 'checkout', '--quiet', '-b', 'side')
    const side = commitFiles(folder, { 'b.txt': 'b\n' }, 'Side\n\nline 1\n\nKey: value')
    git(folder, 'checkout', '--quiet', 'main')
    git(folder, 'merge', '--quiet', '--no-ff', '-m', 'Merge', 'side')
    const merge = await repository.head()
    const all = await repository.commits(null, merge)
    expect(all.map(({ hash }) => hash)).toEqual([merge, side, first])
    expect(all[0]).toEqual({ hash: merge, parents: [first, side], subject: 'Merge', body: '' })
    expect(all[1]).toEqual({ hash: side, parents: [first], subject: 'Side', body: 'line 1\n\nKey: value' })
    expect((await repository.commits(first, merge, { firstParent: true })).map(({ hash }) => hash)).toEqual([merge])
    expect(await repository.commits(merge, merge)).toEqual([])
  })
})

describe('refs', () => {
  it('move only from their expected position', async () => {
    const { folder, repository, first } = await newRepository()
    const second = commitFiles(folder, { 'b.txt': 'b\n' })
    const ref = 'refs/heads/convene/spec/+a+b'
    expect(await repository.updateRef(ref, first, second)).toBe(false)
    expect(await repository.updateRef(ref, first, null)).toBe(true)
    expect(await repository.updateRef(ref, second, null)).toBe(false)
    expect(await repository.updateRef(ref, second, second)).toBe(false)
    expect(await repository.updateRef(ref, second, first)).toBe(true)
    expect(await repository.resolve(ref)).toBe(second)
  })

  it('let only one of many concurrent moves win', async () => {
    const { folder, repository, first } = await newRepository()
    const commits = await Promise.all(
      Array.from({ length: 8 }, async (_, index) =>
        repository.commit({ tree: await repository.treeOf(first), parents: [first], message: `${index}` }),
      ),
    )
    const moved = await Promise.all(commits.map((commit) => repository.updateRef('convene/x', commit, null)))
    expect(moved.filter(Boolean)).toHaveLength(1)
    expect(git(folder, 'rev-parse', 'convene/x')).toBe(commits[moved.indexOf(true)])
  })

  it('move many at once, under any name, even if the git that moves them is killed', async () => {
    const { folder, repository, first } = await newRepository()
    const second = commitFiles(folder, { 'b.txt': 'b\n' })
    const names = ['convene/x/+', 'convene/x/+a+b', 'convene/ü', 'convene/with"quote', "convene/it's"]
    await Promise.all(names.map((name) => repository.setRef(name, first)))
    expect(await Promise.all(names.map((name) => repository.updateRef(name, second, first)))).toEqual(
      names.map(() => true),
    )
    expect(await repository.updateRef(names[0]!, first, first)).toBe(false)
    expect(await repository.updateRef(names[0]!, first, second)).toBe(true)
    expect(await Promise.all(names.map((name) => repository.resolve(name)))).toEqual([
      first,
      ...names.slice(1).map(() => second),
    ])
  })

  it('are branches by default, are listed by prefix and can be deleted', async () => {
    const { repository, first } = await newRepository()
    await repository.setRef('convene/one/+', first)
    await repository.setRef('refs/heads/convene/one/+a', first)
    await repository.setRef('convene/two/+', first)
    const refs = await repository.listRefs('refs/heads/convene/one/+')
    expect(refs).toEqual([
      { ref: 'refs/heads/convene/one/+', commit: first },
      { ref: 'refs/heads/convene/one/+a', commit: first },
    ])
    await repository.deleteRef('convene/one/+')
    expect((await repository.listRefs('convene/')).map(({ ref }) => ref)).toEqual([
      'refs/heads/convene/one/+a',
      'refs/heads/convene/two/+',
    ])
    await expect(repository.updateRef('HEAD', first, null)).rejects.toThrow('HEAD')
  })

  it('that cannot exist beside others are an error and not a lost race', async () => {
    const { repository, first } = await newRepository()
    await repository.setRef('convene/one', first)
    await expect(repository.updateRef('convene/one/main', first, null)).rejects.toThrow(GitFailed)
  })
})

describe('trees', () => {
  it('lists every change with its modes, both sides of a move too', async () => {
    const { folder, repository, first } = await newRepository({
      'a.txt': 'one\n',
      'ö x.txt': 'same\n',
      'gone.txt': 'g\n',
      'kind.txt': 'k\n',
    })
    git(folder, 'mv', 'ö x.txt', 'moved "quoted".txt')
    symlinkSync('a.txt', join(folder, 'link'))
    git(folder, 'rm', '--quiet', 'gone.txt', 'kind.txt')
    symlinkSync('a.txt', join(folder, 'kind.txt'))
    const second = commitFiles(folder, { 'a.txt': 'two\n' })
    expect((await repository.changes(first, second)).sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: 'a.txt', status: 'modified', mode: '100644', oldMode: '100644' },
      { path: 'gone.txt', status: 'deleted', mode: '000000', oldMode: '100644' },
      { path: 'kind.txt', status: 'type-changed', mode: '120000', oldMode: '100644' },
      { path: 'link', status: 'added', mode: '120000', oldMode: '000000' },
      { path: 'moved "quoted".txt', status: 'added', mode: '100644', oldMode: '000000' },
      { path: 'ö x.txt', status: 'deleted', mode: '000000', oldMode: '100644' },
    ])
    expect(await repository.changes(first, first)).toEqual([])
    expect(await repository.linkTarget(second, 'link')).toBe('a.txt')
  })

  it('lists files and links at and below paths, each once', async () => {
    const { folder, repository } = await newRepository({ 'a.txt': 'a', 'src/b.txt': 'b', 'src/in/ö c.txt': 'c' })
    symlinkSync('b.txt', join(folder, 'src/link'))
    const commit = commitFiles(folder, {})
    const all = ['a.txt', 'src/b.txt', 'src/in/ö c.txt', 'src/link']
    expect((await repository.listFiles(commit)).sort()).toEqual(all)
    expect(await repository.listFiles(commit, [''])).toEqual(all)
    expect(await repository.listFiles(commit, ['src/', 'src/in', 'a.txt', 'none', 'a.txt/x'])).toEqual(all)
    expect(await repository.listFiles(await repository.treeOf(commit), ['src/link'])).toEqual(['src/link'])
    expect(await repository.listFiles(commit, [])).toEqual([])
  })

  it('reads many files at once and omits links, folders and missing files', async () => {
    const { folder, repository } = await newRepository({
      'a.txt': 'one\n',
      'src/ü/b c.txt': 'b\n',
      'new\nline.txt': 'n',
      empty: '',
    })
    symlinkSync('a.txt', join(folder, 'src/link'))
    writeFileSync(join(folder, 'binary'), Buffer.from([0, 255, 10, 0, 13]))
    const commit = commitFiles(folder, {})
    const wanted = [
      'a.txt',
      'no\nsuch.txt',
      'src/ü/b c.txt',
      'src/link',
      'src',
      'new\nline.txt',
      'binary',
      'empty',
      'a.txt/x',
      '',
    ]
    const files = await repository.readFiles(commit, wanted)
    expect([...files.keys()].sort()).toEqual(['a.txt', 'binary', 'empty', 'new\nline.txt', 'src/ü/b c.txt'])
    expect(files.get('binary')).toEqual(Buffer.from([0, 255, 10, 0, 13]))
    expect(files.get('src/ü/b c.txt')?.toString()).toBe('b\n')
    expect(files.get('empty')?.length).toBe(0)
    expect((await repository.listFiles(commit, ['src', 'a.txt'])).sort()).toEqual([
      'a.txt',
      'src/link',
      'src/ü/b c.txt',
    ])
    expect(await repository.listFiles(commit, [])).toEqual([])
    expect(await repository.listFiles(commit)).toHaveLength(6)
  })

  it("shows a diff whatever the user's settings, truncated at a line if long", async () => {
    const { folder, repository, first } = await newRepository()
    for (const [name, value] of Object.entries({
      'diff.noprefix': 'true',
      'color.ui': 'always',
      'diff.external': 'false',
    }))
      git(folder, 'config', name, value)
    const lines = Array.from({ length: 5000 }, (_, index) => `Zeile ${index} ü\n`).join('')
    const second = commitFiles(folder, { 'a.txt': 'two\n', 'long.txt': lines })
    const whole = await repository.diff(first, second)
    expect(whole.cut).toBe(false)
    expect(whole.text).toContain('diff --git a/a.txt b/a.txt')
    expect(whole.text).toContain('+Zeile 4999 ü')
    const cut = await repository.diff(first, second, { maxCharacters: 1000 })
    expect(cut.cut).toBe(true)
    expect(cut.text.length).toBeLessThanOrEqual(1000)
    expect(whole.text.startsWith(cut.text)).toBe(true)
    expect(cut.text.endsWith('\n')).toBe(true)
    const one = await repository.diff(first, second, { paths: ['a.txt'] })
    expect(one.text).not.toContain('long.txt')
    expect(await repository.diff(first, second, { paths: [] })).toEqual({ text: '', cut: false })
    expect((await repository.diff(first, second, { paths: ['*.txt'] })).text).toBe('')
  })

  it('returns output of many megabytes in full', async () => {
    const text = 'x'.repeat(30_000_000)
    const { repository, first } = await newRepository({ 'big.txt': text })
    expect((await repository.readFiles(first, ['big.txt'])).get('big.txt')?.length).toBe(text.length)
  })

  it('combines a tree from several, and removes what is absent there', async () => {
    const { folder, repository, first } = await newRepository({
      'a.txt': 'one\n',
      'src/b.txt': 'b\n',
      'src/c.txt': 'c\n',
    })
    const second = commitFiles(folder, { 'a.txt': 'two\n', 'src/b.txt': null, 'neu/d.txt': 'd\n', src: null })
    const third = commitFiles(folder, { src: 'a file now\n' })
    const tree = await repository.treeWith(first, [
      { path: 'a.txt', from: second },
      { path: 'src/b.txt', from: second },
      { path: 'neu/d.txt', from: await repository.treeOf(second) },
    ])
    expect(git(folder, 'ls-tree', '-r', '--name-only', tree).split('\n')).toEqual(['a.txt', 'neu/d.txt', 'src/c.txt'])
    expect(git(folder, 'cat-file', 'blob', `${tree}:a.txt`)).toBe('two')
    const folderGone = await repository.treeWith(await repository.treeOf(first), [{ path: 'src', from: third }])
    expect(git(folder, 'ls-tree', '-r', '--name-only', folderGone).split('\n')).toEqual(['a.txt', 'src'])
    const rewritten = await repository.treeWith(first, [{ path: 'src/b.txt', content: 'other\n' }])
    expect(git(folder, 'cat-file', 'blob', `${rewritten}:src/b.txt`)).toBe('other')
    expect(await repository.treeWith(first, [])).toBe(await repository.treeOf(first))
    expect(git(folder, 'status', '--porcelain')).toBe('')
  })
})

describe('merges', () => {
  async function diverged() {
    const opened = await newRepository({ 'a.txt': 'one\n', 'ü.txt': 'u\n' })
    const { folder } = opened
    const branch = (name: string, files: Record<string, string>) => {
      git(folder, 'checkout', '--quiet', '-b', name, opened.first)
      return commitFiles(folder, files, name)
    }
    const left = branch('left', { 'a.txt': 'left\n', 'ü.txt': 'left\n' })
    const right = branch('right', { 'a.txt': 'right\n', 'ü.txt': 'right\n' })
    const apart = branch('apart', { 'b.txt': 'b\n' })
    return { ...opened, left, right, apart }
  }

  it('are computed without a worktree, conflicts with their markers', async () => {
    const { folder, repository, left, right, apart } = await diverged()
    const clean = await repository.merge(left, apart)
    expect(clean.conflicts).toEqual([])
    expect(git(folder, 'ls-tree', '--name-only', clean.tree).split('\n')).toContain('b.txt')
    const conflict = await repository.merge(left, right)
    expect(conflict.conflicts).toEqual(['a.txt', 'ü.txt'])
    expect(conflict.messages).toContain('CONFLICT (content): Merge conflict in a.txt')
    expect(git(folder, 'cat-file', 'blob', `${conflict.tree}:a.txt`)).toMatch(
      /<<<<<<< .*\nleft\n=======\nright\n>>>>>>> /,
    )
  })

  it('are forecast for many at once, in order', async () => {
    const { repository, left, right, apart, first } = await diverged()
    const others = Array.from({ length: 9 }, (_, index) => ({ name: `n${index}`, commit: index % 2 ? right : apart }))
    expect(await repository.forecast(left, others)).toEqual(
      ['n1', 'n3', 'n5', 'n7'].map((name) => ({ name, files: ['a.txt', 'ü.txt'] })),
    )
    expect(await repository.forecast(first, others)).toEqual([])
    expect(await repository.forecast(left, [])).toEqual([])
  })

  it('know ancestors and common bases', async () => {
    const { repository, first, left, right } = await diverged()
    expect(await repository.isAncestor(first, left)).toBe(true)
    expect(await repository.isAncestor(left, right)).toBe(false)
    expect(await repository.mergeBase(left, right)).toBe(first)
    const unrelated = await repository.commit({
      tree: await repository.treeOf(first),
      parents: [],
      message: 'x',
      at: 1,
    })
    expect(await repository.mergeBase(left, unrelated)).toBe(null)
    await expect(repository.isAncestor('0'.repeat(40), left)).rejects.toThrow(GitFailed)
  })
})

describe('keeping a path out of git', () => {
  it('adds it to the exclude file once, also from a linked worktree', async () => {
    const { folder, repository } = await newRepository()
    const file = join(folder, '.git/info/exclude')
    writeFileSync(file, '# mine')
    await repository.excludeFromGit('.convene/')
    await repository.excludeFromGit('.convene/')
    expect(readFileSync(file, 'utf8')).toBe('# mine\n.convene/\n')
    mkdirSync(join(folder, '.convene'))
    writeFileSync(join(folder, '.convene/x'), '')
    expect(git(folder, 'status', '--porcelain')).toBe('')
  })
})

it('works with sha256 objects', async () => {
  const { folder, repository, first } = await newRepository(
    { 'a.txt': 'one\n', 'd/b.txt': 'b\n' },
    '--object-format=sha256',
  )
  expect(first).toHaveLength(64)
  const second = commitFiles(folder, { 'a.txt': 'two\n' })
  expect(await repository.updateRef('convene/x', second, null)).toBe(true)
  expect(await repository.updateRef('convene/x', first, null)).toBe(false)
  expect((await repository.readFiles(first, ['d/b.txt'])).get('d/b.txt')?.toString()).toBe('b\n')
  expect(await repository.changes(first, second)).toHaveLength(1)
  expect((await repository.merge(first, second)).conflicts).toEqual([])
  const tree = await repository.treeWith(second, [
    { path: 'nowhere', from: first },
    { path: 'a.txt', from: first },
  ])
  expect(tree).toBe(await repository.treeOf(first))
})
