/** Reads many files of one commit with one git process. */
import { posix } from 'node:path'
import { gitBytes } from './git.ts'
import { readBatch, readTreeModes } from './git-output.ts'

/** The folders are read along with the files: their entries tell a file from a link, which git's answer does not. */
export async function readFilesOf(
  folder: string,
  commit: string,
  paths: readonly string[],
): Promise<Map<string, Buffer>> {
  const wanted = [...new Set(paths)].filter((path) => path !== '' && !path.includes('\0'))
  if (wanted.length === 0) return new Map()
  const parents = [...new Set(wanted.map(parentOf))]
  const requests = [...parents, ...wanted].map((path) => `${commit}:${path}`)
  const output = await gitBytes(['cat-file', '--batch', '-z'], {
    folder,
    input: requests.map((each) => `${each}\0`).join(''),
  })
  const objects = readBatch(output, requests)
  const modes = new Map(
    parents.map((path, index) => {
      const tree = objects[index]
      return [
        path,
        tree?.type === 'tree' ? readTreeModes(tree.content, tree.hash.length / 2) : new Map<string, string>(),
      ]
    }),
  )
  const files = new Map<string, Buffer>()
  for (const [index, path] of wanted.entries()) {
    const object = objects[parents.length + index]
    const isFile = modes.get(parentOf(path))?.get(posix.basename(path))?.startsWith('100')
    if (isFile && object?.type === 'blob') files.set(path, Buffer.from(object.content))
  }
  return files
}

function parentOf(path: string): string {
  const parent = posix.dirname(path)
  return parent === '.' ? '' : parent
}
