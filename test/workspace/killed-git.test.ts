/** What a killed process leaves behind: unread results and stale locks. */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runGit } from '../../src/workspace/git/git.ts'
import { mergeIntoTarget } from '../../src/workspace/merge/merge-into-target.ts'
import { commitFiles, contents, git, newRepository, stateOf, write } from './git-repositories.ts'

/** The helper process that starts git for this one. */
function helper(): number | null {
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    try {
      const [, parent] = /^\d+ \(.*\) \w (\d+)/s.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))!
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8')
      if (Number(parent) === process.pid && command.includes('git-helper')) return Number(name)
    } catch {
      // It ended meanwhile.
    }
  }
  return null
}

describe.runIf(existsSync('/proc/self/stat'))('the helper that starts git, killed alone', () => {
  it('costs no result: work in flight is repeated once the orphaned git has ended', async () => {
    const { folder, repository, first } = await newRepository()
    // Enough of them to make the helper worthwhile, and until it is the one that starts git.
    const starter = ['-c', `alias.starter=!cut -d' ' -f4 /proc/$PPID/stat`, 'starter']
    for (let startedBy = 0; startedBy === 0 || startedBy !== helper(); )
      startedBy = Number((await runGit(starter, { folder })).output.toString('utf8'))
    const slowly = [
      '-c',
      'alias.slowly=!echo begun >> ../seen; while [ ! -e ../go ]; do sleep 0.05; done; echo ended >> ../seen; echo said',
      'slowly',
    ]
    const running = Array.from({ length: 6 }, () => runGit(slowly, { folder }))
    const moving = repository.updateRef('refs/heads/convene/x', first, null)
    const seen = join(folder, '../seen')
    while (!existsSync(seen) || readFileSync(seen, 'utf8').split('\n').length < 7) await pause(10)

    process.kill(helper()!, 'SIGKILL')
    writeFileSync(join(folder, '../go'), '')

    const answers = await Promise.all(running)
    expect(answers.map(({ code, output }) => [code, output.toString('utf8')])).toEqual(answers.map(() => [0, 'said\n']))
    expect(await moving).toBe(true)
    expect(git(folder, 'rev-parse', 'convene/x')).toBe(first)
    // Never two at once: each of the six had ended before it was started again.
    const marks = readFileSync(seen, 'utf8').trim().split('\n')
    expect(marks.filter((mark) => mark === 'begun')).toHaveLength(12)
    expect(marks.filter((mark) => mark === 'ended')).toHaveLength(12)
    expect((await runGit(['rev-parse', 'HEAD'], { folder })).code).toBe(0)
  })

  it('counts a ref that an orphaned git has moved as moved, and one that points elsewhere as not', async () => {
    const { folder, repository, first } = await newRepository()
    const second = commitFiles(folder, { 'a.txt': 'two\n' })
    await repository.setRef('refs/heads/convene/x', second)
    expect(await repository.updateRef('refs/heads/convene/x', second, first)).toBe(true)
    expect(await repository.updateRef('refs/heads/convene/x', first, null)).toBe(false)
    expect(git(folder, 'rev-parse', 'convene/x')).toBe(second)
  })
})

describe.runIf(existsSync('/proc/self/stat'))('a lock that a killed git left', () => {
  const old = (file: string) => {
    writeFileSync(file, '')
    const then = new Date(Date.now() - 60_000)
    utimesSync(file, then, then)
    return file
  }

  async function withPackedRefs() {
    const opened = await newRepository()
    // Git itself would wait a second for it, each time.
    git(opened.folder, 'config', 'core.packedRefsTimeout', '0')
    git(opened.folder, 'branch', 'convene/x')
    git(opened.folder, 'branch', 'mine')
    git(opened.folder, 'pack-refs', '--all')
    return { ...opened, lock: old(join(opened.folder, '.git/packed-refs.lock')) }
  }

  it('on packed refs is removed if Convene changes its own refs and nobody holds it', async () => {
    const { folder, repository, lock } = await withPackedRefs()
    await repository.deleteRef('refs/heads/convene/x')
    expect(existsSync(lock)).toBe(false)
    expect(git(folder, 'for-each-ref', '--format=%(refname:short)')).toBe('main\nmine')
  })

  it('on packed refs stays for other refs, and while a git is at work there', async () => {
    const { folder, repository, lock } = await withPackedRefs()
    await expect(repository.deleteRef('refs/heads/mine')).rejects.toThrow('packed-refs.lock')
    expect(existsSync(lock)).toBe(true)
    const other = spawn('git', ['hash-object', '--stdin'], { cwd: folder, stdio: ['pipe', 'ignore', 'ignore'] })
    onTestFinished(() => void other.kill())
    await expect(repository.deleteRef('refs/heads/convene/x')).rejects.toThrow('packed-refs.lock')
    expect(existsSync(lock)).toBe(true)
  })

  it("on the user's index is removed only by the merge that was killed", async () => {
    const { folder, repository } = await newRepository()
    git(folder, 'checkout', '--quiet', '-b', 'convene/x/main')
    const commit = commitFiles(folder, { 'a.txt': 'result\n' }, 'Result')
    git(folder, 'checkout', '--quiet', 'main')
    const lock = old(join(folder, '.git/index.lock'))
    const request = { commit, target: 'main', message: 'Merge x' }
    const before = stateOf(folder)
    expect(await mergeIntoTarget(repository, request)).toMatchObject({ merged: false, reason: 'busy' })
    expect(stateOf(folder)).toEqual(before)
    expect(existsSync(lock)).toBe(true)
    expect(await mergeIntoTarget(repository, { ...request, recovered: true })).toMatchObject({ merged: true })
    expect(git(folder, 'status', '--porcelain')).toBe('')
  })
})

describe("a merge into the user's branch that was killed in the middle", () => {
  const start = { 'a.txt': 'one\n', 'gone.txt': 'here\n', 'kept.txt': 'kept\n' }
  const result = { 'a.txt': 'result\n', 'gone.txt': null, 'neu/ü.txt': 'new\n' }

  async function halfMerged() {
    const opened = await newRepository(start)
    const { folder } = opened
    git(folder, 'checkout', '--quiet', '-b', 'convene/x/main')
    const commit = commitFiles(folder, result, 'Result')
    git(folder, 'checkout', '--quiet', 'main')
    const merge = (recovered: boolean) =>
      mergeIntoTarget(opened.repository, { commit, target: 'main', message: 'Merge x', recovered })
    return { ...opened, commit, merge }
  }

  it.each([
    ['before the index', (folder: string) => write(folder, result)],
    ['with some files only', (folder: string) => write(folder, { 'a.txt': 'result\n', 'neu/ü.txt': 'new\n' })],
    [
      'after the index',
      (folder: string) => {
        write(folder, result)
        git(folder, 'add', '--all')
      },
    ],
  ])('%s is repeated as if nothing had happened', async (_, leave) => {
    const { folder, commit, merge } = await halfMerged()
    leave(folder)
    expect(await merge(false)).toMatchObject({ merged: false, reason: 'dirty_checkout' })
    expect(await merge(true)).toMatchObject({ merged: true })
    expect(git(folder, 'rev-parse', 'HEAD')).toBe(commit)
    expect(git(folder, 'status', '--porcelain')).toBe('')
    expect(contents(folder)).toEqual({ 'a.txt': 'result\n', 'kept.txt': 'kept\n', 'neu/ü.txt': 'new\n' })
  })

  it('before its commit is repeated as well', async () => {
    const { folder, commit, merge } = await halfMerged()
    const meanwhile = commitFiles(folder, { 'other.txt': 'meanwhile\n' })
    git(folder, 'merge', '--no-ff', '--no-commit', '--quiet', commit)
    expect(await merge(false)).toMatchObject({ merged: false, reason: 'dirty_checkout' })
    expect(await merge(true)).toMatchObject({ merged: true, how: 'merge-commit' })
    expect(git(folder, 'rev-parse', 'HEAD^1', 'HEAD^2').split('\n')).toEqual([meanwhile, commit])
    expect(git(folder, 'status', '--porcelain')).toBe('')
  })

  it('never touches what the user has changed since', async () => {
    const { folder, merge } = await halfMerged()
    write(folder, { 'a.txt': 'result\n', 'kept.txt': 'mine\n', 'neu/ü.txt': 'mine too\n' })
    expect(await merge(true)).toMatchObject({ merged: false, reason: 'dirty_checkout' })
    expect(contents(folder)).toMatchObject({ 'kept.txt': 'mine\n', 'neu/ü.txt': 'mine too\n' })
  })
})
