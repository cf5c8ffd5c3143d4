/** Folders of no project, for asks that need none. */
import { mkdtempSync } from 'node:fs'
import { readdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface WorkFolder {
  folder: string
  release(): Promise<void>
}

/** The folders of one agent. The next ask gets the same one if nothing was written there: a session may wait in it. */
export class EmptyFolders {
  readonly #free: string[] = []
  #closed = false

  async take(): Promise<WorkFolder> {
    const folder = (await this.#unused()) ?? (await realpath(mkdtempSync(join(tmpdir(), 'convene-empty-'))))
    return { folder, release: () => this.#release(folder) }
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(this.#free.splice(0).map(removeFolder))
  }

  async #unused(): Promise<string | undefined> {
    for (let folder = this.#free.pop(); folder !== undefined; folder = this.#free.pop()) {
      if (await isEmpty(folder)) return folder
      await removeFolder(folder)
    }
    return undefined
  }

  async #release(folder: string): Promise<void> {
    if (this.#closed) await removeFolder(folder)
    else this.#free.push(folder)
  }
}

async function isEmpty(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => null)
  return names?.length === 0
}

/** Never rejects: an agent that is about to end may still write there. */
export function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
}
