/** The files that an agent reads and writes through Convene: those of its worktree, and no others. */
import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, sep } from 'node:path'
import type { ReadTextFileRequest, WriteTextFileRequest } from '@agentclientprotocol/sdk/unstable'
import { readText, UnreadableFile, writeText } from '../tools/text-file.ts'

export async function readForAgent(
  folder: string,
  { path, line, limit }: ReadTextFileRequest,
): Promise<{ content: string }> {
  const content = await readText({ folder }, await below(folder, path)).catch((error: unknown) => {
    // Some agents do not create a file if looking at it first is an error.
    if (error instanceof UnreadableFile && error.code === 'ENOENT') return ''
    throw error
  })
  if (!line && !limit) return { content }
  const from = Math.max(0, (line ?? 1) - 1)
  return {
    content: content
      .split('\n')
      .slice(from, limit ? from + limit : undefined)
      .join('\n'),
  }
}

export async function writeForAgent(folder: string, { path, content }: WriteTextFileRequest): Promise<object> {
  await writeText({ folder }, await below(folder, path), content)
  return {}
}

/** The path from the folder; a path outside of it stays as it is and is refused by the reader. */
async function below(folder: string, path: string): Promise<string> {
  if (!isAbsolute(path)) return path
  for (const root of [folder, await realpath(folder)]) {
    const inside = relative(root, path)
    if (inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`)) return inside
  }
  return path
}
