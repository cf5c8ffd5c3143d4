/** A folder of no project, for asks that need none. */
import { mkdtempSync } from 'node:fs'
import { realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface WorkFolder {
  folder: string
  release(): Promise<void>
}

export async function emptyFolder(): Promise<WorkFolder> {
  const folder = await realpath(mkdtempSync(join(tmpdir(), 'convene-empty-')))
  return { folder, release: () => removeFolder(folder) }
}

/** Never rejects: an agent that is about to end may still write there. */
export function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
}
