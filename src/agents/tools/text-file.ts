/** Reads and writes one text file of a workspace, by a path that a model gave. */
import { constants } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { AgentWorkspace } from '../../kernel/agent.ts'
import { isBinary } from '../../rules/text/is-binary.ts'
import { locate } from './workspace-files.ts'

/** Larger files are not source files; commands can still read them. */
const maxFileSize = 4_000_000

/** `code`: the system's, such as `ENOENT`. */
export class UnreadableFile extends Error {
  readonly code: string | undefined
  constructor(message: string, code: string | undefined) {
    super(message)
    this.code = code
  }
}

export async function readText({ folder }: AgentWorkspace, path: string): Promise<string> {
  const located = await locate(folder, path)
  if (!located.ok) throw new Error(located.problem)
  // Non-blocking: opening a pipe without a writer would wait forever.
  const file = await open(located.target, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error) => {
      throw new UnreadableFile(sayWhy(error, located.path), error.code)
    },
  )
  try {
    const stats = await file.stat()
    if (stats.isDirectory()) throw new Error(`"${located.path}" is a folder; use list`)
    if (!stats.isFile()) throw new Error(`"${located.path}" is not a regular file`)
    if (stats.size > maxFileSize)
      throw new Error(`"${located.path}" is too large to read (${stats.size} bytes, at most ${maxFileSize})`)
    const bytes = await file.readFile()
    if (isBinary(bytes)) throw new Error(`"${located.path}" is a binary file (${bytes.length} bytes)`)
    return bytes.toString('utf8')
  } finally {
    await file.close()
  }
}

export async function writeText({ folder }: AgentWorkspace, path: string, text: string): Promise<void> {
  const located = await locate(folder, path)
  if (!located.ok) throw new Error(located.problem)
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK
  try {
    await mkdir(dirname(located.target), { recursive: true })
    const file = await open(located.target, flags)
    try {
      if (!(await file.stat()).isFile()) throw new Error(`"${located.path}" is not a regular file`)
      await file.truncate(0)
      await file.writeFile(text)
    } finally {
      await file.close()
    }
  } catch (error) {
    throw new Error(sayWhy(error, located.path))
  }
}

/** The system's message would reveal where on this machine the workspace is. */
function sayWhy(error: unknown, path: string): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === undefined) return message
  const why = reasons[code] ?? `cannot be opened (${code})`
  return `"${path}" ${why}`
}

const reasons: Record<string, string> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a folder',
  ENOTDIR: 'lies below something that is no folder',
  EEXIST: 'lies below something that is no folder',
  EACCES: 'may not be opened',
  EPERM: 'may not be opened',
  ENAMETOOLONG: 'has a name that is too long',
  ENOSPC: 'does not fit: the disk is full',
  ELOOP: 'is a link that was changed meanwhile',
  ENXIO: 'is not a regular file',
}
