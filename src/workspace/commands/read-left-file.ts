/**
 * TR5: reads a text file that a command may have left. The command could have put a pipe there, which would be waited for
 * without end, a device, a link to something else, or more than fits into memory.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs'
import { open } from 'node:fs/promises'

const maxBytes = 64_000_000

/** `links`: a file of the project, which may be a link. */
interface LeftFileOptions {
  links?: boolean
}

/** Empty if there is no such regular file, or it is too large. */
export async function readLeftFile(path: string, options: LeftFileOptions = {}): Promise<string> {
  const file = await open(path, flagsOf(options)).catch(() => null)
  if (file === null) return ''
  try {
    return isReadable(await file.stat()) ? await file.readFile('utf8') : ''
  } catch {
    return ''
  } finally {
    await file.close()
  }
}

/** The same without a hop to another thread, for small files. */
export function readLeftFileSync(path: string, options: LeftFileOptions = {}): string {
  let file: number | undefined
  try {
    file = openSync(path, flagsOf(options))
    return isReadable(fstatSync(file)) ? readFileSync(file, 'utf8') : ''
  } catch {
    return ''
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

function flagsOf({ links = false }: LeftFileOptions): number {
  return constants.O_RDONLY | constants.O_NONBLOCK | (links ? 0 : constants.O_NOFOLLOW)
}

function isReadable(stats: Stats): boolean {
  return stats.isFile() && stats.size <= maxBytes
}
