/**
 * Removes folders that nobody needs any more, such as the home and temporary folders of a command that has ended, without letting
 * the next command wait: on a busy disk that takes longer than a short command. What is left when the process ends goes then.
 */
import { rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'

const left = new Set<string>()
let isWatching = false

/** Settles when it is gone, or cannot be removed. */
export async function removeLater(folder: string): Promise<void> {
  left.add(folder)
  if (!isWatching) process.once('exit', removeRest)
  isWatching = true
  await rm(folder, { recursive: true, force: true }).catch(() => undefined)
  left.delete(folder)
}

function removeRest(): void {
  for (const folder of left)
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // Something in it cannot be removed.
    }
}
