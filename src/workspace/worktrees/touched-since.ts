/** Whether a file was written since a moment, by what the kernel notes: no program can set that time. */
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Times of files may lag behind the clock. */
const lagMs = 20

export interface WatchedFiles {
  /** Folders to look at with everything below them, and without; relative to the root. */
  whole: readonly string[]
  flat: readonly string[]
  /** Which files of these folders count. */
  counts(path: string): boolean
}

/** A few quick calls, instead of a process that compares every file of the worktree. */
export function touchedSince(root: string, { whole, flat, counts }: WatchedFiles, since: number): boolean {
  const isTouched = (path: string) =>
    (lstatSync(join(root, path), { throwIfNoEntry: false })?.ctimeMs ?? since) >= since - lagMs
  const isAny = (folder: string, recursive: boolean) =>
    namesIn(join(root, folder), recursive)
      .map((name) => join(folder, name))
      .some((path) => counts(path) && isTouched(path))
  return flat.some((folder) => isAny(folder, false)) || whole.some((folder) => isAny(folder, true))
}

/** The files that were certainly written after that moment. Others may have been, a few milliseconds after it. */
export function writtenAfter(root: string, files: readonly string[], since: number): string[] {
  return files.filter((file) => (lstatSync(join(root, file), { throwIfNoEntry: false })?.ctimeMs ?? 0) > since + 1)
}

/** A folder that is gone has no files: its tests did not run, which is seen elsewhere. */
function namesIn(folder: string, recursive: boolean): string[] {
  try {
    return readdirSync(folder, { recursive }) as string[]
  } catch {
    return []
  }
}
