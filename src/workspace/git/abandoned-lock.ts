/** Locks that a killed git left in places which the user's own git uses too: removed only where nobody can hold them. */
import { readdir, readFile, readlink, rm, stat } from 'node:fs/promises'
import { sep } from 'node:path'
import { isRunning } from '../commands/is-alive.ts'

/** Nobody writes a lock for so long without a process that could be seen at it. */
const staleMs = 1500

/** True where it was there and is gone. `root` is the top of the checkout that git would work in. */
export async function removeAbandonedLock(file: string, root: string): Promise<boolean> {
  const before = await stat(file).catch(() => null)
  if (!before || Date.now() - before.mtimeMs < staleMs) return false
  if (await isGitAtWork(root)) return false
  // Somebody may have come in between: then it is another file.
  const now = await stat(file).catch(() => null)
  if (now?.ino !== before.ino || now.mtimeMs !== before.mtimeMs) return false
  await rm(file, { force: true })
  return true
}

/** Whether any git works in the checkout, or may: where processes cannot be looked at, the answer is yes. */
async function isGitAtWork(root: string): Promise<boolean> {
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  if (ids.length === 0) return true
  const seen = await Promise.all(ids.map((id) => isGitIn(id, root)))
  return seen.includes(true)
}

async function isGitIn(id: string, root: string): Promise<boolean> {
  const name = (await readFile(`/proc/${id}/comm`, 'utf8').catch(() => '')).trim()
  if (!name.startsWith('git')) return false
  // One that only reads objects holds no lock.
  const words = (await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')).split('\0')
  if (words.includes('cat-file')) return false
  const folder = await readlink(`/proc/${id}/cwd`).catch(() => null)
  // Another user's cannot be followed to where it works.
  if (folder === null) return isRunning(Number(id))
  return folder === root || folder.startsWith(root + sep)
}
