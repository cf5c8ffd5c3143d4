/** Reads files of one commit. */
import { posix } from 'node:path'
import { readTree } from './git-output.ts'
import type { ObjectReader } from './object-reader.ts'

/** Reads the folders too: only tree entries tell a file from a link. */
export async function readFilesOf(
  reader: ObjectReader,
  commit: string,
  paths: readonly string[],
): Promise<Map<string, Buffer>> {
  const wanted = [...new Set(paths)].filter((path) => path !== '' && !path.includes('\0'))
  const parents = [...new Set(wanted.map(parentOf))]
  const [trees, objects] = await Promise.all(
    [parents, wanted].map((some) => Promise.all(some.map((path) => reader.read(`${commit}:${path}`)))),
  )
  const folders = new Map(
    parents.map((path, index) => {
      const tree = trees![index]
      return [path, tree?.type === 'tree' ? readTree(tree.content, tree.hash.length / 2) : undefined]
    }),
  )
  const files = new Map<string, Buffer>()
  for (const [index, path] of wanted.entries()) {
    const object = objects![index]
    const isFile = folders.get(parentOf(path))?.get(posix.basename(path))?.mode.startsWith('100')
    if (isFile && object?.type === 'blob') files.set(path, object.content)
  }
  return files
}

function parentOf(path: string): string {
  const parent = posix.dirname(path)
  return parent === '.' ? '' : parent
}
