/** Caches what set-ups produced, so that the next worktree copies it instead of running the set-up. */
import { mkdir, readdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isAlive } from '../commands/is-alive.ts'
import { removeTree } from '../remove-tree.ts'
import { copyTree } from './copy-tree.ts'
import { relocateSetup } from './relocate-setup.ts'
import type { SetupFiles } from './setup-files.ts'

export interface CachedSetup {
  key: string
  bytes: number
  usedAt: number
}

interface CachedCopy {
  made: string[]
  files: string
  /** The slot in which the set-up ran. */
  from: string
}

/** `<folder>/<key>/files` holds the files, `made.json` lists them. Incomplete copies have another name. */
export class SetupCache {
  readonly #folder: string
  readonly #inUse = new Map<string, number>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The complete copy for a key. */
  async find(key: string): Promise<CachedCopy | null> {
    const place = join(this.#folder, key)
    try {
      const { made, from } = JSON.parse(await readFile(join(place, 'made.json'), 'utf8')) as CachedCopy
      const now = new Date()
      await utimes(place, now, now)
      return { made, from: from ?? '', files: join(place, 'files') }
    } catch {
      return null
    }
  }

  async store(key: string, slot: string, { made, bytes }: SetupFiles): Promise<void> {
    const place = join(this.#folder, key)
    const unfinished = join(this.#folder, `.${key}-${process.pid}`)
    await removeTree(unfinished)
    await copyAll(slot, join(unfinished, 'files'), made)
    await writeFile(join(unfinished, 'made.json'), JSON.stringify({ made, bytes, from: slot }))
    // Another process may have stored the same copy meanwhile.
    await rename(unfinished, place).catch(() => removeTree(unfinished))
  }

  /** The paths copied, or null if there is no copy. */
  async copyTo(key: string, slot: string): Promise<string[] | null> {
    this.#inUse.set(key, (this.#inUse.get(key) ?? 0) + 1)
    try {
      const found = await this.find(key)
      if (found === null) return null
      await removeAll(slot, found.made)
      const isWhole = await copyAll(found.files, slot, found.made).then(
        () => true,
        () => false,
      )
      if (isWhole) {
        await relocateSetup(found.made, { from: found.from, to: slot })
        return found.made
      }
      await removeAll(slot, found.made)
      return null
    } finally {
      this.#inUse.set(key, this.#inUse.get(key)! - 1)
    }
  }

  /** Removes incomplete copies of dead processes: their names end with the process id. */
  async sweep(): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const process = /^\..*-(\d+)$/.exec(name)?.[1]
      if (process !== undefined && !isAlive(Number(process))) await removeTree(join(this.#folder, name))
    }
  }

  /** Copies that can be removed: none that is in use. */
  async list(): Promise<CachedSetup[]> {
    const names = await readdir(this.#folder).catch(() => [])
    const found = await Promise.all(names.map((name) => this.#describe(name)))
    return found.filter((cached) => cached !== null)
  }

  async remove(key: string): Promise<void> {
    // Rename first, so that no reader finds half a copy.
    const gone = join(this.#folder, `.gone-${key}-${process.pid}`)
    await rename(join(this.#folder, key), gone).catch(() => undefined)
    await removeTree(gone)
  }

  async #describe(key: string): Promise<CachedSetup | null> {
    if ((this.#inUse.get(key) ?? 0) > 0) return null
    try {
      const { bytes } = JSON.parse(await readFile(join(this.#folder, key, 'made.json'), 'utf8')) as { bytes: number }
      return { key, bytes, usedAt: (await stat(join(this.#folder, key))).mtimeMs }
    } catch {
      return null
    }
  }
}

async function removeAll(folder: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) await removeTree(join(folder, path))
}

async function copyAll(from: string, to: string, paths: readonly string[]): Promise<void> {
  await mkdir(to, { recursive: true })
  for (const path of paths) {
    await mkdir(dirname(join(to, path)), { recursive: true })
    await copyTree(join(from, path), join(to, path))
  }
}
