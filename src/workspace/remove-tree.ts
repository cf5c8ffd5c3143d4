/** Removes a folder with all that is in it, also where parts of it are read-only. Links are removed, never followed. */
import { execFile } from 'node:child_process'
import { chmod, lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 2 })
  } catch {
    await makeWritable(path)
    await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
  }
}

/** Many large ones: the system's own tool is several times as quick as a walk by hand. */
export async function removeTrees(paths: readonly string[]): Promise<void> {
  const there = (await Promise.all(paths.map(async (path) => ((await isThere(path)) ? [path] : [])))).flat()
  if (there.length === 0) return
  await promisify(execFile)('rm', ['-rf', '--', ...there]).catch(() => undefined)
  for (const path of there) await removeTree(path)
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

/** What a folder holds can be removed only where the folder itself may be written. */
export async function makeWritable(path: string): Promise<void> {
  const stats = await lstat(path).catch(() => null)
  if (!stats?.isDirectory()) return
  if ((stats.mode & 0o700) !== 0o700) await chmod(path, stats.mode | 0o700)
  for (const entry of await readdir(path, { withFileTypes: true }))
    if (entry.isDirectory()) await makeWritable(join(path, entry.name))
}
