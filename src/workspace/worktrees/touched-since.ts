/** Whether a file was written since a moment, by what the kernel notes: no program can set that time. */
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Times of files may lag behind the clock. */
const lagMs = 20

/** A few hundred quick calls, instead of a process that compares every file of the worktree. */
export function touchedSince(
  root: string,
  { whole, flat }: { whole: readonly string[]; flat: readonly string[] },
  since: number,
): boolean {
  const isTouched = (path: string) => (lstatSync(path, { throwIfNoEntry: false })?.ctimeMs ?? since) >= since - lagMs
  const isIn = (folder: string, recursive: boolean) =>
    filesIn(join(root, folder), recursive).some((path) => isTouched(path))
  return flat.some((folder) => isIn(folder, false)) || whole.some((folder) => isIn(folder, true))
}

/** A folder that is gone, or unreadable, counts as touched. */
function filesIn(folder: string, recursive: boolean): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true, recursive })
      .filter((entry) => !entry.isDirectory() && !entry.parentPath.includes('/node_modules'))
      .map((entry) => join(entry.parentPath, entry.name))
  } catch {
    return [folder]
  }
}
