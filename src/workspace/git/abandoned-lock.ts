/** Removes locks that a killed git left where the user's own git works too, once no process can hold them. */
import { readdir, readFile, readlink, rm, stat } from 'node:fs/promises'
import { sep } from 'node:path'
import { isRunning } from '../commands/is-alive.ts'

/** No git holds a lock longer than this without a visible process. */
const staleMs = 1500

/** True if it removed the lock. `root` is the top of the checkout that git would work in. */
export async function removeAbandonedLock(file: string, root: string): Promise<boolean> {
  const before = await stat(file).catch(() => null)
  if (!before || Date.now() - before.mtimeMs < staleMs) return false
  if (await isGitAtWork(root)) return false
  // Another process may have replaced it meanwhile: then it is a different file.
  const now = await stat(file).catch(() => null)
  if (now?.ino !== before.ino || now.mtimeMs !== before.mtimeMs) return false
  await rm(file, { force: true })
  return true
}

/** Whether git may be running in the checkout; true if processes cannot be inspected. */
async function isGitAtWork(root: string): Promise<boolean> {
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  if (ids.length === 0) return true
  const seen = await Promise.all(ids.map((id) => isGitIn(id, root)))
  return seen.includes(true)
}

async function isGitIn(id: string, root: string): Promise<boolean> {
  const name = (await readFile(`/proc/${id}/comm`, 'utf8').catch(() => '')).trim()
  if (!name.startsWith('git')) return false
  // Git processes that only read objects hold no lock.
  const words = (await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')).split('\0')
  if (words.includes('cat-file')) return false
  const folder = await readlink(`/proc/${id}/cwd`).catch(() => null)
  // The folder of another user's process cannot be read.
  if (folder === null) return isRunning(Number(id))
  return folder === root || folder.startsWith(root + sep)
}
