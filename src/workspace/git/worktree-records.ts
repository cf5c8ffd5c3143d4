/** Reads and removes git's worktree records (`<git folder>/worktrees/<name>`) without starting git. */
import { readdir, readFile, rmdir } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { removeTree } from '../remove-tree.ts'

export interface WorktreeRecord {
  /** The record's own folder. */
  record: string
  /** Top of its worktree. */
  folder: string
}

export async function worktreeRecords(gitFolder: string): Promise<WorktreeRecord[]> {
  const all = join(gitFolder, 'worktrees')
  const names = await readdir(all).catch(() => [])
  const records = await Promise.all(
    names.map(async (name) => {
      const record = join(all, name)
      const pointer = (await readFile(join(record, 'gitdir'), 'utf8').catch(() => '')).trim()
      return pointer === '' ? null : { record, folder: dirname(resolve(record, pointer)) }
    }),
  )
  return records.filter((record) => record !== null)
}

export async function recordsBelow(gitFolder: string, folder: string): Promise<WorktreeRecord[]> {
  const records = await worktreeRecords(gitFolder)
  return records.filter((record) => record.folder.startsWith(folder + sep))
}

/**
 * Removes a worktree and its record. Not by `git worktree remove`, which refuses half-made ones, and not by `prune`, which
 * would also drop the user's worktrees on a disk that is not mounted.
 */
export async function removeWorktree(gitFolder: string, { record, folder }: WorktreeRecord): Promise<void> {
  await removeTree(folder)
  await removeTree(record)
  await rmdir(join(gitFolder, 'worktrees')).catch(() => undefined)
}
