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
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type MergeOutcome, mergeIntoTarget } from '../../src/workspace/merge/merge-into-target.ts'
import {
  commitFiles,
  contents,
  git,
  listedWorktrees,
  newRepository,
  script,
  stateOf,
  temporaryFolder,
  write,
} from './git-repositories.ts'

/** A result on `convene/x/main`, one commit ahead of `main`, which is checked out. */
async function withResult(files: Record<string, string | null> = { 'a.txt': 'result\n', 'neu/ü.txt': 'n\n' }) {
  const opened = await newRepository({ 'a.txt': 'one\n', 'b.txt': 'b\n', '.gitignore': '.env\n' })
  const { folder } = opened
  git(folder, 'checkout', '--quiet', '-b', 'convene/x/main')
  const commit = commitFiles(folder, files, 'Result')
  git(folder, 'checkout', '--quiet', 'main')
  const merge = (target: string | null = 'main') =>
    mergeIntoTarget(opened.repository, { commit, target, message: 'Merge x\n\nConvene-Run: r1' })
  /** Adds a commit to the target, so that only a merge commit joins the two. */
  const moveOn = (more: Record<string, string> = { 'c.txt': 'c\n' }) => commitFiles(folder, more, 'Meanwhile')
  const leave = () => git(folder, 'checkout', '--quiet', '-b', 'elsewhere')
  return { ...opened, commit, merge, moveOn, leave }
}

function refused(outcome: MergeOutcome): string {
  return outcome.merged ? 'merged' : outcome.reason
}

/** A fake gpg: signs everything, or fails. */
function fakeSigning(folder: string, works: boolean): void {
  const program = join(folder, '.git', 'fake-gpg')
  const signature = '-----BEGIN PGP SIGNATURE-----\\n\\nfake\\n-----END PGP SIGNATURE-----\\n'
  script(
    program,
    works
      ? `cat > /dev/null; printf '\\n[GNUPG:] SIG_CREATED ' >&2; printf -- '${signature}'`
      : 'echo "gpg: no key" >&2; exit 2',
  )
  git(folder, 'config', 'gpg.program', program)
  git(folder, 'config', 'commit.gpgSign', 'true')
}

describe('a target that is not checked out anywhere', () => {
  it('is fast-forwarded if it has not moved, without touching the checkout', async () => {
    const { folder, commit, merge, leave } = await withResult()
    leave()
    write(folder, { 'a.txt': 'not committed\n' })
    const before = { ...(stateOf(folder) as object), refs: '' }
    expect(await merge()).toEqual({ merged: true, commit, how: 'fast-forward' })
    expect(git(folder, 'rev-parse', 'main')).toBe(commit)
    expect({ ...(stateOf(folder) as object), refs: '' }).toEqual(before)
    expect(await merge()).toEqual({ merged: true, commit, how: 'fast-forward' })
  })

  it('[MG2] is verified before it is fast-forwarded to commits of a person', async () => {
    const { folder, commit, repository, leave } = await withResult()
    leave()
    const before = git(folder, 'rev-parse', 'main')
    const seen: unknown[] = []
    const merge = (detail: string | null) =>
      mergeIntoTarget(repository, {
        commit,
        target: 'main',
        message: 'Merge x',
        isUnverified: true,
        verify: async (joined) => {
          seen.push(joined)
          return detail === null ? null : { reason: 'merge_red', detail }
        },
      })
    expect(await merge('red')).toEqual({ merged: false, reason: 'merge_red', detail: 'red' })
    expect(git(folder, 'rev-parse', 'main')).toBe(before)
    expect(await merge(null)).toEqual({ merged: true, commit, how: 'fast-forward' })
    expect(git(folder, 'rev-parse', 'main')).toBe(commit)
    expect(seen).toEqual(Array(2).fill({ commit, head: before }))
  })

  it('gets a merge commit if it has moved', async () => {
    const { folder, commit, merge, moveOn, leave } = await withResult()
    const meanwhile = moveOn()
    leave()
    const outcome = await merge()
    expect(outcome).toMatchObject({ merged: true, how: 'merge-commit', commit: git(folder, 'rev-parse', 'main') })
    expect(git(folder, 'log', '-1', '--format=%P|%an|%B', 'main')).toBe(
      `${meanwhile} ${commit}|Ada Löwe|Merge x\n\nConvene-Run: r1`,
    )
    expect(git(folder, 'ls-tree', '-r', '--name-only', '-z', 'main').split('\0')).toEqual(
      expect.arrayContaining(['c.txt', 'neu/ü.txt']),
    )
    expect(listedWorktrees(folder)).toEqual([folder])
  })

  it('stays where it was on a conflict', async () => {
    const { folder, merge, moveOn, leave } = await withResult()
    moveOn({ 'a.txt': 'other\n' })
    leave()
    const before = stateOf(folder)
    const outcome = await merge()
    expect(outcome).toMatchObject({ merged: false, reason: 'conflict', detail: expect.stringContaining('a.txt') })
    expect(stateOf(folder)).toEqual(before)
  })

  it('gets a merge commit with hooks and signature in a temporary worktree', async () => {
    const { folder, merge, leave } = await withResult()
    leave()
    script(join(folder, '.git/hooks/commit-msg'), 'echo "Checked: yes" >> "$1"')
    fakeSigning(folder, true)
    const before = contents(folder)
    expect(await merge()).toMatchObject({ merged: true, how: 'merge-commit' })
    expect(git(folder, 'cat-file', 'commit', 'main')).toMatch(/gpgsig -----BEGIN PGP SIGNATURE-----[\s\S]*Checked: yes/)
    expect(contents(folder)).toEqual(before)
    expect(listedWorktrees(folder)).toEqual([folder])
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`convene-merge-${process.pid}-`))).toEqual([])
  })

  it('stays where it was if a hook or a signature fails', async () => {
    const { folder, merge, leave } = await withResult()
    leave()
    script(join(folder, '.git/hooks/pre-merge-commit'), 'echo "not on my watch" >&2; exit 1')
    const before = stateOf(folder)
    expect(await merge()).toMatchObject({
      merged: false,
      reason: 'hook_failed',
      detail: expect.stringContaining('not on my watch'),
    })
    rmSync(join(folder, '.git/hooks/pre-merge-commit'))
    fakeSigning(folder, false)
    expect(refused(await merge())).toBe('signing_failed')
    expect(stateOf(folder)).toEqual(before)
  })

  it('recovers from a temporary worktree that a killed process left', async () => {
    const { folder, merge, leave } = await withResult()
    leave()
    const left = join(temporaryFolder('convene-merge-999999999-x'), 'checkout')
    git(folder, 'worktree', 'add', '--quiet', '--detach', left)
    fakeSigning(folder, true)
    expect(await merge()).toMatchObject({ merged: true })
    expect(listedWorktrees(folder)).toEqual([folder])
    expect(existsSync(left)).toBe(false)
  })
})

describe('a target that is checked out and clean', () => {
  it('is fast-forwarded with its files', async () => {
    const { folder, commit, merge } = await withResult({ 'a.txt': 'result\n', 'b.txt': null })
    write(folder, { 'untracked.txt': 'u\n' })
    expect(await merge()).toEqual({ merged: true, commit, how: 'fast-forward' })
    expect(contents(folder)).toMatchObject({ 'a.txt': 'result\n', 'untracked.txt': 'u\n' })
    expect(existsSync(join(folder, 'b.txt'))).toBe(false)
    expect(git(folder, 'status', '--porcelain')).toBe('?? untracked.txt')
    expect(git(folder, 'rev-parse', '--abbrev-ref', 'HEAD')).toBe('main')
  })

  it("gets a merge commit if it has moved, whatever the user's merge settings", async () => {
    const { folder, commit, merge, moveOn } = await withResult()
    const meanwhile = moveOn()
    git(folder, 'config', 'merge.ff', 'only')
    git(folder, 'config', 'branch.main.mergeOptions', '--squash --no-commit')
    git(folder, 'config', 'core.editor', 'false')
    expect(await merge()).toMatchObject({ merged: true, how: 'merge-commit' })
    expect(git(folder, 'log', '-1', '--format=%P %s')).toBe(`${meanwhile} ${commit} Merge x`)
    expect(contents(folder)).toMatchObject({ 'a.txt': 'result\n', 'c.txt': 'c\n' })
    expect(git(folder, 'status', '--porcelain')).toBe('')
  })

  it('gets a merge commit for a hook or a signature', async () => {
    for (const prepare of [
      (folder: string) => script(join(folder, '.git/hooks/commit-msg'), 'echo "Checked: yes" >> "$1"'),
      (folder: string) => {
        git(folder, 'config', 'core.hooksPath', '.husky')
        script(join(folder, '.husky/prepare-commit-msg'), 'echo "Checked: yes" >> "$1"')
        writeFileSync(join(folder, '.git/info/exclude'), '.husky\n')
      },
      (folder: string) => fakeSigning(folder, true),
    ]) {
      const { folder, commit, first, merge } = await withResult()
      prepare(folder)
      expect(await merge()).toMatchObject({ merged: true, how: 'merge-commit' })
      expect(git(folder, 'log', '-1', '--format=%P')).toBe(`${first} ${commit}`)
      expect(git(folder, 'cat-file', 'commit', 'HEAD')).toMatch(/Checked: yes|gpgsig/)
    }
  })

  it('ignores hooks that are not executable', async () => {
    const { folder, commit, merge } = await withResult()
    script(join(folder, '.git/hooks/commit-msg'), 'exit 1')
    chmodSync(join(folder, '.git/hooks/commit-msg'), 0o644)
    expect(await merge()).toEqual({ merged: true, commit, how: 'fast-forward' })
  })

  it('is merged in the linked worktree that has it', async () => {
    const { folder, commit, merge, leave } = await withResult()
    leave()
    const linked = join(temporaryFolder(), 'linked')
    git(folder, 'worktree', 'add', '--quiet', linked, 'main')
    const before = contents(folder)
    expect(await merge()).toEqual({ merged: true, commit, how: 'fast-forward' })
    expect(contents(linked)).toMatchObject({ 'a.txt': 'result\n', 'neu/ü.txt': 'n\n' })
    expect(contents(folder)).toEqual(before)
  })

  it("is merged in Convene's name if git knows no user", async () => {
    const { folder, merge, moveOn } = await withResult()
    moveOn()
    const known = process.env.GIT_CONFIG_GLOBAL
    process.env.GIT_CONFIG_GLOBAL = '/dev/null'
    try {
      expect(await merge()).toMatchObject({ merged: true })
      expect(git(folder, 'log', '-1', '--format=%an')).toBe('Convene')
    } finally {
      process.env.GIT_CONFIG_GLOBAL = known
    }
  })
})

it.each(['fast-forward', 'merge-commit'])(
  '[MG4] a %s leaves uncommitted files alone that it does not touch',
  async (how) => {
    const { folder, merge, moveOn } = await withResult()
    if (how === 'merge-commit') moveOn()
    write(folder, { 'b.txt': 'mine\n', 'notes.txt': 'untracked\n' })
    expect(await merge()).toMatchObject({ merged: true, how })
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('result\n')
    expect(readFileSync(join(folder, 'b.txt'), 'utf8')).toBe('mine\n')
    expect(git(folder, 'status', '--porcelain', '--untracked-files=no').trim()).toBe('M b.txt')
  },
)

describe('a merge is refused and everything left unchanged', () => {
  const situations: [string, string, (folder: string, first: string) => void][] = [
    ['a changed file that it touches', 'dirty_checkout', (folder) => write(folder, { 'a.txt': 'mine\n' })],
    ['a deleted file that it touches', 'dirty_checkout', (folder) => write(folder, { 'a.txt': null })],
    [
      'a staged file',
      'dirty_checkout',
      (folder) => {
        write(folder, { 'staged.txt': 's\n' })
        git(folder, 'add', 'staged.txt')
      },
    ],
    ['an untracked file in the way', 'dirty_checkout', (folder) => write(folder, { 'neu/ü.txt': 'mine\n' })],
    ['a file where a folder is to be', 'dirty_checkout', (folder) => write(folder, { neu: 'mine\n' })],
    ['a conflict', 'conflict', (folder) => void commitFiles(folder, { 'a.txt': 'other\n' })],
    [
      'a merge in progress',
      'dirty_checkout',
      (folder, first) => {
        git(folder, 'checkout', '--quiet', '-b', 'side', first)
        commitFiles(folder, { 'b.txt': 'side\n' })
        git(folder, 'checkout', '--quiet', 'main')
        git(folder, 'merge', '--no-commit', '--no-ff', 'side')
      },
    ],
    [
      'a rebase in progress',
      'dirty_checkout',
      (folder, first) => {
        commitFiles(folder, { 'b.txt': 'mine\n' })
        git(folder, 'branch', 'base', first)
        git(folder, 'checkout', '--quiet', 'base')
        commitFiles(folder, { 'b.txt': 'base\n' })
        git(folder, 'checkout', '--quiet', 'main')
        expect(() => git(folder, 'rebase', 'base')).toThrow()
      },
    ],
    [
      'a failing pre-merge-commit hook',
      'hook_failed',
      (folder) => script(join(folder, '.git/hooks/pre-merge-commit'), 'exit 1'),
    ],
    ['a failing commit-msg hook', 'hook_failed', (folder) => script(join(folder, '.git/hooks/commit-msg'), 'exit 1')],
    [
      'a hook that edits merged files and fails',
      'hook_failed',
      (folder) =>
        script(
          join(folder, '.git/hooks/pre-merge-commit'),
          'echo formatted >> a.txt; echo formatted >> neu/ü.txt; exit 1',
        ),
    ],
    [
      'a hook that stages its edits and fails',
      'hook_failed',
      (folder) =>
        script(
          join(folder, '.git/hooks/pre-merge-commit'),
          'echo formatted >> a.txt; git add a.txt; echo more >> a.txt; exit 1',
        ),
    ],
    ['a signature that fails', 'signing_failed', (folder) => fakeSigning(folder, false)],
    ['a held index', 'busy', (folder) => writeFileSync(join(folder, '.git/index.lock'), '')],
  ]

  it.each(situations)('on %s', async (name, reason, prepare) => {
    const { folder, first, merge } = await withResult()
    prepare(folder, first)
    const before = stateOf(folder)
    const outcome = await merge()
    expect(refused(outcome)).toBe(reason)
    expect(outcome.merged ? '' : outcome.detail).not.toBe('')
    expect(stateOf(folder)).toEqual(before)
    expect(existsSync(join(folder, '.git/MERGE_HEAD'))).toBe(name === 'a merge in progress')
  })

  it('on an ignored file in the way, which git would silently overwrite', async () => {
    const { folder, repository, merge } = await withResult()
    git(folder, 'checkout', '--quiet', 'convene/x/main')
    write(folder, { '.env': 'from the agent\n' })
    git(folder, 'add', '--force', '.env')
    git(folder, 'commit', '--quiet', '-m', 'Adds .env')
    const commit = git(folder, 'rev-parse', 'HEAD')
    git(folder, 'checkout', '--quiet', 'main')
    write(folder, { '.env': "the user's own\n" })
    const outcome = await mergeIntoTarget(repository, { commit, target: 'main', message: 'x' })
    expect(outcome).toMatchObject({ merged: false, reason: 'dirty_checkout', detail: expect.stringContaining('.env') })
    expect(readFileSync(join(folder, '.env'), 'utf8')).toBe("the user's own\n")
    expect(await merge()).toMatchObject({ merged: true })
  })

  it('on no branch, and on one that does not exist', async () => {
    const { merge } = await withResult()
    expect(refused(await merge(null))).toBe('detached')
    expect(refused(await merge('nowhere'))).toBe('unknown_branch')
  })

  it('on a branch that is checked out in a missing folder', async () => {
    const { folder, merge, leave } = await withResult()
    leave()
    const linked = join(temporaryFolder(), 'linked')
    git(folder, 'worktree', 'add', '--quiet', linked, 'main')
    rmSync(linked, { recursive: true })
    expect(refused(await merge())).toBe('busy')
  })
})

it('runs concurrent merges one after the other', async () => {
  const { folder, repository, first } = await newRepository()
  const commits = ['x', 'y', 'z'].map((name) => {
    git(folder, 'checkout', '--quiet', '-b', name, first)
    return commitFiles(folder, { [`${name}.txt`]: name }, name)
  })
  git(folder, 'checkout', '--quiet', 'main')
  mkdirSync(join(folder, 'untracked'))
  const outcomes = await Promise.all(
    commits.map((commit) => mergeIntoTarget(repository, { commit, target: 'main', message: 'm' })),
  )
  expect(outcomes.every(({ merged }) => merged)).toBe(true)
  expect(Object.keys(contents(folder)).sort()).toEqual(['a.txt', 'x.txt', 'y.txt', 'z.txt'])
})

describe('hooks and agents’ work', () => {
  const hooks = ['post-merge', 'pre-merge-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit', 'post-checkout']
  const evil = (ran: string) => `#!/bin/sh\nenv > "${ran}"\n`

  it.each([
    ['the folder of core.hooksPath', '.husky', (name: string) => `.husky/${name}`],
    ['the files that Husky calls', '.husky/_', (name: string) => `.husky/${name}`],
    ['a hooks folder of the project', 'tools/hooks', (name: string) => `tools/hooks/${name}`],
  ])('[TR1] that the work brings into %s do not run', async (_title, hooksPath, place) => {
    const ran = join(temporaryFolder(), 'ran')
    const { folder, repository } = await newRepository({ 'a.txt': 'one\n' })
    git(folder, 'config', 'core.hooksPath', hooksPath)
    for (const name of hooks)
      script(join(folder, '.husky/_', name), `[ -f .husky/${name} ] && sh .husky/${name}; exit 0`)
    writeFileSync(join(folder, '.git/info/exclude'), '.husky/_\n')
    git(folder, 'checkout', '--quiet', '-b', 'work')
    for (const name of hooks) {
      mkdirSync(join(folder, place(name), '..'), { recursive: true })
      writeFileSync(join(folder, place(name)), evil(ran), { mode: 0o755 })
    }
    git(folder, '-c', 'core.hooksPath=/dev/null', 'add', '--all')
    git(folder, '-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '-m', 'work')
    const commit = git(folder, 'rev-parse', 'HEAD')
    git(folder, '-c', 'core.hooksPath=/dev/null', 'checkout', '--quiet', 'main')
    const outcome = await mergeIntoTarget(repository, { commit, target: 'main', message: 'Merge' })
    expect(outcome).toMatchObject({ merged: true, withoutHooks: expect.arrayContaining([place('post-merge')]) })
    expect(existsSync(ran)).toBe(false)
    expect(existsSync(join(folder, place('post-merge')))).toBe(true)
  })

  it('[TR1] the user’s own hooks run as they were, and see no secret', async () => {
    const { folder, merge, repository, commit } = await withResult({
      'a.txt': 'result\n',
      'check.sh': 'echo changed\n',
    })
    const seen = join(temporaryFolder(), 'seen')
    script(join(folder, '.git/hooks/post-merge'), `env > "${seen}"`)
    process.env.CONVENE_TEST_API_KEY = 'sk-0123456789abcdefghij'
    process.env.PLAIN_NAME = 'of-the-configuration'
    try {
      expect(
        await mergeIntoTarget(repository, { commit, target: 'main', message: 'Merge', secretNames: ['PLAIN_NAME'] }),
      ).toMatchObject({ merged: true })
    } finally {
      delete process.env.CONVENE_TEST_API_KEY
      delete process.env.PLAIN_NAME
    }
    const environment = readFileSync(seen, 'utf8')
    expect(environment).toContain('PATH=')
    expect(environment).not.toMatch(/sk-0123|of-the-configuration/)
    expect(await merge()).toMatchObject({ merged: true })
  })

  it('[TR1] a hook that runs the tests does not run what the work brings', async () => {
    const ran = join(temporaryFolder(), 'ran')
    const manifest = JSON.stringify({ scripts: { test: 'node --test' } })
    const { folder, repository } = await newRepository({ 'package.json': manifest, 'a.js': '' })
    script(join(folder, '.git/hooks/post-merge'), `npm test > "${ran}"`)
    git(folder, 'checkout', '--quiet', '-b', 'work')
    const commit = commitFiles(folder, { 'a.test.js': `require('fs').writeFileSync(${JSON.stringify(ran)}, '')\n` })
    git(folder, '-c', 'core.hooksPath=/dev/null', 'checkout', '--quiet', 'main')
    const outcome = await mergeIntoTarget(repository, { commit, target: 'main', message: 'Merge' })
    expect(outcome).toMatchObject({ merged: true, withoutHooks: ['a.test.js'] })
    expect(existsSync(ran)).toBe(false)
  })

  it('[TR1] a hook that is a link into the repository counts as part of the work that changes it', async () => {
    const { folder, repository } = await newRepository({ 'scripts/hook.sh': '#!/bin/sh\nexit 0\n' })
    const ran = join(temporaryFolder(), 'ran')
    symlinkSync('../../scripts/hook.sh', join(folder, '.git/hooks/post-merge'))
    git(folder, 'checkout', '--quiet', '-b', 'work')
    const commit = commitFiles(folder, { 'scripts/hook.sh': evil(ran) })
    chmodSync(join(folder, 'scripts/hook.sh'), 0o755)
    git(folder, 'commit', '--quiet', '--all', '--amend', '--no-edit')
    const amended = git(folder, 'rev-parse', 'HEAD')
    git(folder, 'checkout', '--quiet', 'main')
    const outcome = await mergeIntoTarget(repository, { commit: amended, target: 'main', message: 'Merge' })
    expect(outcome).toMatchObject({ merged: true, withoutHooks: ['scripts/hook.sh'] })
    expect(commit).not.toBe(amended)
    expect(existsSync(ran)).toBe(false)
  })
})
