/** The files and links of a commit at and below some paths. */
import type { ObjectReader } from './object-reader.ts'
import { isFolder, isSubmodule, type TreeReader } from './tree-reader.ts'

export async function filesBelow(
  objects: ObjectReader,
  trees: TreeReader,
  commit: string,
  paths: readonly string[],
): Promise<string[]> {
  const found = await Promise.all(
    paths.map(async (given) => {
      const path = given.replace(/\/+$/, '')
      const object = await objects.find(`${commit}:${path}`)
      if (object?.type === 'blob') return [path]
      return object?.type === 'tree' ? filesOf(trees, object.hash, path === '' ? '' : `${path}/`) : []
    }),
  )
  return [...new Set(found.flat())].sort()
}

async function filesOf(trees: TreeReader, hash: string, folder: string): Promise<string[]> {
  const parts = [...((await trees.parts(hash)) ?? [])]
  const found = await Promise.all(
    parts.map(async ([name, part]) => {
      if (isFolder(part)) return filesOf(trees, part.hash, `${folder}${name}/`)
      return isSubmodule(part) ? [] : [folder + name]
    }),
  )
  return found.flat()
}
