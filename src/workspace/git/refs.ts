/** Updates refs; waits for the user's own git, and removes locks that a killed git left. */
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { removeAbandonedLock } from './abandoned-lock.ts'
import { type GitAnswer, GitFailed, runGit } from './git.ts'
import { runGitPatiently } from './patient-git.ts'

interface GitFolders {
  root: string
  /** The git folder that all worktrees share. */
  gitFolder: string
}

/** False if the ref is at another commit. */
export async function moveRef(folders: GitFolders, ref: string, to: string, from: string | null): Promise<boolean> {
  const args = ['update-ref', ref, to, from ?? '0'.repeat(to.length)]
  const answer = await change(folders, args, [ref])
  if (answer.code === 0) return true
  if (/but expected|reference already exists|unable to resolve reference/.test(answer.complaint))
    return (await standsAt(folders, ref)) === to
  throw new GitFailed(args, folders.root, answer)
}

/** A git process whose answer was lost may have moved it already. */
async function standsAt({ root }: GitFolders, ref: string): Promise<string | null> {
  const answer = await runGit(['rev-parse', '--verify', '--quiet', '--end-of-options', ref], { folder: root })
  return answer.code === 0 ? answer.output.toString('utf8').trim() : null
}

export async function setRef(folders: GitFolders, ref: string, to: string): Promise<void> {
  const args = ['update-ref', ref, to]
  const answer = await change(folders, args, [ref])
  if (answer.code !== 0) throw new GitFailed(args, folders.root, answer)
}

/** Deletes all or none; missing refs are ignored. */
export async function deleteRefs(folders: GitFolders, refs: readonly string[]): Promise<void> {
  if (refs.length === 0) return
  const args = ['update-ref', '--stdin']
  const answer = await change(folders, args, refs, refs.map((ref) => `delete ${ref}\n`).join(''))
  if (answer.code !== 0) throw new GitFailed(args, folders.root, answer)
}

function change(
  { root, gitFolder }: GitFolders,
  args: readonly string[],
  refs: readonly string[],
  input?: string,
): Promise<GitAnswer> {
  const removeStale = async () => {
    await Promise.all(refs.map((ref) => removeStaleLock(gitFolder, ref)))
    if (refs.every((ref) => own.test(ref))) await removeAbandonedLock(join(gitFolder, 'packed-refs.lock'), root)
  }
  return runGitPatiently(args, { folder: root, ...(input === undefined ? {} : { input }) }, removeStale)
}

/** Git holds a ref lock only briefly. A lock is treated as abandoned only for refs that Convene alone writes. */
const staleMs = 1500
const own = /^refs\/(?:heads\/)?convene\//

async function removeStaleLock(gitFolder: string, ref: string): Promise<void> {
  if (!own.test(ref)) return
  const file = join(gitFolder, `${ref}.lock`)
  const stats = await stat(file).catch(() => null)
  if (stats && Date.now() - stats.mtimeMs > staleMs) await rm(file, { force: true })
}
