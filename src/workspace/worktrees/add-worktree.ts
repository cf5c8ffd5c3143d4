/** Adds a worktree that holds nothing yet: git's record of it is written by hand, which takes none of git's processes. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isAlive } from '../commands/is-alive.ts'
import type { WorktreeRecord } from '../git/worktree-records.ts'

export interface NewWorktree {
  gitFolder: string
  folder: string
  commit: string
  /** Of the record; with a number where it is taken. */
  name: string
}

/** Null where the repository has settings that git alone knows to carry over, and where another process is in the way. */
export async function addWorktree({ gitFolder, folder, commit, name }: NewWorktree): Promise<WorktreeRecord | null> {
  if (!(await isPlain(gitFolder))) return null
  // Whole before it is seen: a git that lists worktrees stumbles over half a record.
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
    // A worktree without its own file would be taken for gone, and its record removed.
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

/** Removes what processes that are gone have left half made. */
export async function sweepUnfinished(gitFolder: string): Promise<void> {
  for (const name of await readdir(gitFolder).catch(() => [])) {
    const id = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : Number.NaN
    if (id > 0 && !isAlive(id)) await rm(join(gitFolder, name), { recursive: true, force: true })
  }
}

/** With settings per worktree, or another store of refs, a record holds more than three files. */
async function isPlain(gitFolder: string): Promise<boolean> {
  const config = await readFile(join(gitFolder, 'config'), 'utf8').catch(() => '')
  return !/worktreeConfig|refStorage|includeIf|\binclude\b/i.test(config)
}
