/** A lock on a file that the operating system frees when the process ends, however it ends. */
import { statSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { privateFile, restrict } from './private-files.ts'

export interface FileLock {
  /** The file that is locked: one of the same name may replace it. */
  inode: string
  release(): void
}

/** Null where the lock is held. A file that is replaced while it is being locked counts as held: the next try decides. */
export function lockFile(file: string): FileLock | null {
  const inode = inodeOf(file) ?? createLockFile(file)
  restrict(file, privateFile.mode)
  let database: DatabaseSync | undefined
  try {
    const held = new DatabaseSync(file, { timeout: 0 })
    database = held
    held.exec('BEGIN EXCLUSIVE')
    if (inode !== null && inodeOf(file) === inode) return { inode, release: () => held.close() }
    held.close()
    return null
  } catch (error) {
    database?.close()
    if (isBusy(error)) return null
    throw error
  }
}

/** Never opens an existing file: closing it would free the lock that this process may hold on it. */
function createLockFile(file: string): string | null {
  try {
    writeFileSync(file, '', { flag: 'wx', ...privateFile })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return inodeOf(file)
}

export function inodeOf(file: string): string | null {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found ? `${found.dev}:${found.ino}` : null
}

function isBusy(error: unknown): boolean {
  const code = (error as { errcode?: number }).errcode
  return typeof code === 'number' && ((code & 0xff) === 5 || (code & 0xff) === 6)
}
