/** Everything below `.convene/` is for its user alone. SPEC.md § TR13. */
import { chmodSync, writeFileSync } from 'node:fs'

export const privateFolder = { recursive: true, mode: 0o700 } as const
export const privateFile = { mode: 0o600 } as const

/**
 * For a file that a library creates, such as a database: it takes over the mode it finds. Never opens an existing file:
 * closing it would free a lock that this process holds on it.
 */
export function keepPrivate(file: string): void {
  try {
    writeFileSync(file, '', { flag: 'wx', ...privateFile })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    restrict(file, privateFile.mode)
  }
}

/** Tightens what an older version created. A file of another user stays as it is. */
export function restrict(path: string, mode: number): void {
  try {
    chmodSync(path, mode)
  } catch {
    // Not ours to change; reading and writing it will say what is wrong.
  }
}
