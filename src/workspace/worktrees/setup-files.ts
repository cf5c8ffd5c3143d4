/** Records what a set-up produced in a slot, and restores it before the slot is used again. */
import { lstatSync, readlinkSync } from 'node:fs'
import { lstat, mkdir, readdir } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import { removeTree } from '../remove-tree.ts'
import { copyTree } from './copy-tree.ts'
import { relocateSetup } from './relocate-setup.ts'

export interface SetupFiles {
  /** The topmost paths, from the slot's top. */
  made: readonly string[]
  /** Every file, link and folder below them, with metadata that changes if it is modified. */
  entries: Map<string, string>
  bytes: number
  /** Whether a copy works elsewhere: not if a link in it names its own place. */
  movable: boolean
}

export async function recordSetupFiles(slot: string, made: readonly string[]): Promise<SetupFiles> {
  const files: SetupFiles = { made, entries: new Map(), bytes: 0, movable: true }
  await walk(slot, made, (path, mark, { size, namesOwnPlace }) => {
    files.entries.set(path, mark)
    files.bytes += size
    if (namesOwnPlace) files.movable = false
  })
  return files
}

/**
 * Removes additions, and restores changed or missing files from the copy: tests must never run on dependencies that
 * an agent edited. `lost` if something cannot be restored; then the set-up has to run again.
 */
export async function restoreSetupFiles(
  slot: string,
  files: SetupFiles,
  findCopy: () => Promise<{ files: string; from: string } | null>,
): Promise<'untouched' | 'restored' | 'lost'> {
  const found = new Map<string, string>()
  await walk(slot, files.made, (path, mark) => void found.set(path, mark))
  const added = [...found.keys()].filter((path) => !files.entries.has(path))
  const damaged = [...files.entries].filter(([path, mark]) => found.get(path) !== mark).map(([path]) => path)
  if (added.length + damaged.length === 0) return 'untouched'
  const copy = damaged.length > 0 ? await findCopy() : null
  for (const path of outermost(added)) await removeTree(join(slot, path))
  for (const path of outermost(damaged)) {
    if (copy === null || !(await isThere(join(copy.files, path)))) return 'lost'
    await removeTree(join(slot, path))
    await mkdir(dirname(join(slot, path)), { recursive: true })
    await copyTree(join(copy.files, path), join(slot, path))
  }
  if (copy !== null) await relocateSetup(files.made, { from: copy.from, to: slot })
  await walk(slot, outermost(damaged), (path, mark) => void files.entries.set(path, mark))
  return 'restored'
}

type Visit = (path: string, mark: string, about: { size: number; namesOwnPlace: boolean }) => void

/** Reads folders one at a time, so that a large tree does not block everything else. */
async function walk(slot: string, paths: readonly string[], visit: Visit): Promise<void> {
  for (const path of paths) {
    const stats = lstatSync(join(slot, path), { throwIfNoEntry: false })
    if (!stats) continue
    const isLink = stats.isSymbolicLink()
    const target = isLink ? readlinkSync(join(slot, path)) : ''
    const namesOwnPlace = isAbsolute(target) && target.startsWith(slot)
    // ctime cannot be set back, but changes when a hard link is added elsewhere. mtime can be: a file that gets its first
    // second link counts as changed, or an agent could edit it unseen.
    const time = stats.nlink > 1 ? `linked ${stats.mtimeMs}` : stats.ctimeMs
    const mark = stats.isDirectory()
      ? 'folder'
      : isLink
        ? `link ${target}`
        : `${stats.ino} ${stats.size} ${time} ${stats.mode}`
    visit(path, mark, { size: stats.isFile() ? stats.size : 0, namesOwnPlace })
    if (!stats.isDirectory()) continue
    const names = await readdir(join(slot, path))
    await walk(
      slot,
      names.map((name) => `${path}/${name}`),
      visit,
    )
  }
}

/** Without those below another of them; given in any order. */
function outermost(paths: readonly string[]): string[] {
  const kept: string[] = []
  for (const path of [...paths].sort(byPath)) {
    const last = kept.at(-1)
    if (last === undefined || !path.startsWith(`${last}/`)) kept.push(path)
  }
  return kept
}

/** `a/b` right after `a`, before `a-b`. */
function byPath(a: string, b: string): number {
  const [x, y] = [a.replaceAll('/', '\0'), b.replaceAll('/', '\0')]
  return x < y ? -1 : x > y ? 1 : 0
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
