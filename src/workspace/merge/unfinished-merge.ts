/**
 * Cleans up after one of Convene's merges that was killed in the user's checkout: removes locks and the files
 * it had already written. Files that differ from what the merge writes are the user's and stay.
 */
import { lstat, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { removeAbandonedLock } from '../git/abandoned-lock.ts'
import { git, runGit } from '../git/git.ts'
import type { TreeChange } from '../git/git-output.ts'
import type { Repository } from '../git/repository.ts'

export interface UnfinishedMerge {
  /** Top of the checkout. */
  folder: string
  /** What is merged. */
  commit: string
  /** The branch's commit, and the merged tree. */
  head: string
  tree: string
}

export async function clearUnfinishedMerge(repository: Repository, merge: UnfinishedMerge): Promise<void> {
  const { folder, commit, head, tree } = merge
  await removeLocks(folder)
  const underWay = await runGit(['rev-parse', '--verify', '--quiet', 'MERGE_HEAD'], { folder })
  if (underWay.output.toString('utf8').trim() === commit) await runGit(['merge', '--abort'], { folder })
  const written: TreeChange[] = []
  for (const change of await repository.changes(head, tree)) {
    if (await isWritten(folder, tree, change)) written.push(change)
  }
  const known = written.filter(({ status }) => status !== 'added').map(({ path }) => path)
  const added = written.filter(({ status }) => status === 'added').map(({ path }) => path)
  if (known.length > 0) await onPaths(folder, ['restore', `--source=${head}`, '--staged', '--worktree'], known)
  if (added.length === 0) return
  await onPaths(folder, ['rm', '--cached', '--quiet', '--ignore-unmatch'], added)
  await Promise.all(added.map((path) => rm(join(folder, path), { force: true })))
}

/** Waits until locks are old enough to count as abandoned; locks that are held stay. */
async function removeLocks(folder: string): Promise<void> {
  const paths = ['index.lock', 'HEAD.lock']
  const locks = await Promise.all(
    paths.map((path) => git(['rev-parse', '--path-format=absolute', '--git-path', path], { folder })),
  )
  for (let tries = 0; tries < 20; tries++) {
    const there = await Promise.all(locks.map((lock) => lstat(lock).catch(() => null)))
    if (there.every((stats) => stats === null)) return
    await Promise.all(locks.map((lock) => removeAbandonedLock(lock, folder)))
    await sleep(100)
  }
}

/** Whether the checkout's file at this path is what the merge writes. */
async function isWritten(folder: string, tree: string, { path, status, mode }: TreeChange): Promise<boolean> {
  const stats = await lstat(join(folder, path)).catch(() => null)
  if (status === 'deleted') return stats === null
  if (!stats?.isFile() || !mode.startsWith('100')) return false
  const here = await runGit(['--literal-pathspecs', 'hash-object', '--', path], { folder })
  const wanted = await runGit(['rev-parse', '--verify', '--quiet', '--end-of-options', `${tree}:${path}`], { folder })
  return here.code === 0 && wanted.code === 0 && here.output.equals(wanted.output)
}

async function onPaths(folder: string, args: string[], paths: readonly string[]): Promise<void> {
  const input = paths.map((path) => `${path}\0`).join('')
  const all = ['--literal-pathspecs', ...args, '--pathspec-from-file=-', '--pathspec-file-nul']
  await git(all, { folder, input })
}
