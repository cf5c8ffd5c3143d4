/** Adds an empty worktree by writing git's record of it directly, without starting git. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isAlive } from '../commands/is-alive.ts'
import type { WorktreeRecord } from '../git/worktree-records.ts'

export interface NewWorktree {
  gitFolder: string
  folder: string
  commit: string
  /** The record's name; with a number if the name is taken. */
  name: string
}

/** Null if only git can carry over the repository's settings, or if another process is in the way. */
export async function addWorktree({ gitFolder, folder, commit, name }: NewWorktree): Promise<WorktreeRecord | null> {
  if (!(await isPlain(gitFolder))) return null
  // Complete before it is visible: `git worktree list` fails on a partial record.
  const unfinished = join(gitFolder, `${prefix}${process.pid}-${name}`)
  await rm(unfinished, { recursive: true, force: true })
  await Promise.all([mkdir(unfinished), mkdir(folder, { recursive: true })])
  await Promise.all([
    writeFile(join(unfinished, 'HEAD'), `${commit}\n`),
    writeFile(join(unfinished, 'commondir'), '../..\n'),
    writeFile(join(unfinished, 'gitdir'), `${join(folder, '.git')}\n`),
  ])
  for (let number = 0; number < 100; number++) {
    const record = join(gitFolder, 'worktrees', number === 0 ? name : `${name}-${number}`)
    await mkdir(join(gitFolder, 'worktrees'), { recursive: true })
    // Git prunes the record of a worktree without its `.git` file.
    await writeFile(join(folder, '.git'), `gitdir: ${record}\n`)
    const isDone = await rename(unfinished, record).then(
      () => true,
      () => false,
    )
    if (isDone) return { folder, record }
  }
  await rm(unfinished, { recursive: true, force: true })
  return null
}

const prefix = 'convene-unfinished-'

/** Removes partial records of dead processes. */
export async function sweepUnfinished(gitFolder: string): Promise<void> {
  for (const name of await readdir(gitFolder).catch(() => [])) {
    const id = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : Number.NaN
    if (id > 0 && !isAlive(id)) await rm(join(gitFolder, name), { recursive: true, force: true })
  }
}

/** With per-worktree settings, or another ref storage, a record has more than three files. */
async function isPlain(gitFolder: string): Promise<boolean> {
  const config = await readFile(join(gitFolder, 'config'), 'utf8').catch(() => '')
  return !/worktreeConfig|refStorage|includeIf|\binclude\b/i.test(config)
}
