/** Finds untracked files by comparing a worktree with its commit, without starting git. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isFolder, type TreeParts, type TreeReader } from '../git/tree-reader.ts'

const mostFolders = 3000

/**
 * Paths from the top, whole folders as one path, including ignored files and nested repositories; without `kept` and what
 * is below. Requires the commit's own files to be in place. Null if names may be spelled differently on disk than in
 * the commit, which only git can resolve, or if there are so many folders that git is faster.
 */
export async function untrackedFiles(
  trees: TreeReader,
  folder: string,
  commit: string,
  kept: readonly string[],
): Promise<string[] | null> {
  // Other systems fold case and normalise accents.
  if (process.platform !== 'linux') return null
  const root = await trees.parts(`${commit}^{tree}`)
  if (root === null) return null
  const found: string[] = []
  let folders = 0
  const isPlain = await look(folder, '', root)
  return isPlain ? found : null

  async function look(place: string, path: string, parts: TreeParts): Promise<boolean> {
    if (++folders > mostFolders) return false
    const entries = await readdir(place, { withFileTypes: true })
    const below: Promise<boolean>[] = []
    for (const entry of entries) {
      const { name } = entry
      // Names that are not valid text cannot be told apart.
      if (name.includes('\ufffd')) return false
      const own = path + name
      if (own === '.git' || kept.includes(own)) continue
      const part = parts.get(name)
      if (part && !isFolder(part)) continue
      if (part && !entry.isDirectory()) return false
      const isLookedInto = part || (entry.isDirectory() && kept.some((each) => each.startsWith(`${own}/`)))
      if (!isLookedInto) found.push(own)
      else below.push(lookBelow(join(place, name), `${own}/`, part?.hash))
    }
    return (await Promise.all(below)).every((isPlain) => isPlain)
  }

  async function lookBelow(place: string, path: string, hash: string | undefined): Promise<boolean> {
    const parts = hash === undefined ? new Map() : await trees.parts(hash)
    return parts !== null && look(place, path, parts)
  }
}
