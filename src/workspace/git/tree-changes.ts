/** Compares two trees, and reads only folders that differ. */
import type { TreeChange, TreePart } from './git-output.ts'
import type { TreeParts, TreeReader } from './tree-reader.ts'

/** By their hashes. Null if one is not a known tree. A move is a deletion and an addition. */
export async function treeChanges(reader: TreeReader, from: string, to: string): Promise<TreeChange[] | null> {
  const [before, after] = await Promise.all([partsOf(reader, from), partsOf(reader, to)])
  return before && after ? compare(reader, before, after, '') : null
}

async function partsOf(reader: TreeReader, hash: string | undefined): Promise<TreeParts | null> {
  return hash === undefined ? new Map() : reader.parts(hash)
}

async function compare(reader: TreeReader, before: TreeParts, after: TreeParts, folder: string): Promise<TreeChange[]> {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort()
  const found = await Promise.all(
    names.map(async (name): Promise<TreeChange[]> => {
      const [old, now] = [before.get(name), after.get(name)]
      if (old?.hash === now?.hash && old?.mode === now?.mode) return []
      const path = folder + name
      const [oldFolder, nowFolder] = [folderHash(old), folderHash(now)]
      const isFile = { old: old && oldFolder === undefined, now: now && nowFolder === undefined }
      const own =
        isFile.old || isFile.now ? [changeOf(path, isFile.old ? old : undefined, isFile.now ? now : undefined)] : []
      if (oldFolder === nowFolder) return own
      const parts = await Promise.all([partsOf(reader, oldFolder), partsOf(reader, nowFolder)])
      return [...own, ...(await compare(reader, parts[0] ?? new Map(), parts[1] ?? new Map(), `${path}/`))]
    }),
  )
  return found.flat()
}

function folderHash(part: TreePart | undefined): string | undefined {
  return part && kindOf(part.mode) === '04' ? part.hash : undefined
}

function changeOf(path: string, old: TreePart | undefined, now: TreePart | undefined): TreeChange {
  const modes = { mode: now?.mode ?? '000000', oldMode: old?.mode ?? '000000' }
  if (!old) return { path, status: 'added', ...modes }
  if (!now) return { path, status: 'deleted', ...modes }
  return { path, status: kindOf(old.mode) === kindOf(now.mode) ? 'modified' : 'type-changed', ...modes }
}

/** The first two digits of a mode give the type: folder, file, link or submodule. */
function kindOf(mode: string): string {
  return mode.slice(0, 2)
}
