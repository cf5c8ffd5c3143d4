/** TR13: a lock belongs to a file, not to its name: removing the file frees the name, not the project. */

export interface LockRecord {
  pid: number
  /** When that process started; another process may get the same id later. */
  started: string | null
  /** The inode of the lock file that it holds. */
  lock?: string
}

/**
 * Whether the recorded process still owns the project although this one just locked the lock file: the file was removed
 * and created anew. `started` is when the recorded process started, as it is now; null if there is none.
 */
export function stillOwns(
  record: LockRecord | null,
  now: { pid: number; lock: string; started: string | null; alive: boolean },
): boolean {
  if (!record?.lock || record.lock === now.lock || record.pid === now.pid) return false
  return isSameProcess(record, now)
}

/** Whether a process is the one that was recorded, and not a later one with the same id. */
export function isSameProcess(
  record: Pick<LockRecord, 'started'>,
  now: { started: string | null; alive: boolean },
): boolean {
  return now.alive && (record.started === null || now.started === null || record.started === now.started)
}
