/** TR8: toolchains outside the system's folders that sandboxed commands may read: what the PATH and Convene's own Node need. */
import { accessSync, constants, existsSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { isWithin } from '../../rules/build/path-confinement.ts'
import { isOfProject, toolchainFolders } from '../../rules/trust/toolchain-folder.ts'
import { systemFolders } from './system-folders.ts'

const known = new Map<string, string[]>()

/** Read once for each PATH. A folder that this user may not read is left out. */
export function toolchains(env: NodeJS.ProcessEnv): string[] {
  const key = `${env.PATH}\n${env.HOME}`
  const kept = known.get(key)
  if (kept) return kept
  const folders = [
    ...(env.PATH ?? '').split(delimiter).filter((path) => path.startsWith('/')),
    dirname(process.execPath),
  ]
  const shown = new Set<string>()
  for (const folder of folders.filter((path) => !isOfProject(path))) {
    for (const place of [folder, ...linkedFolders(folder)])
      for (const path of installationOf(place, env.HOME)) shown.add(path)
  }
  const found = [...shown].filter((path) => !isSystem(path))
  known.set(key, found)
  return found
}

/** What a program in this folder needs, as far as this user may read it. */
export function installationOf(folder: string, home: string | undefined): string[] {
  const real = readable(folder)
  if (real === undefined || real === '/' || real === home) return []
  const paths = toolchainFolders({
    folder: real,
    beside: namesIn(dirname(real)),
    ...(home ? { home: realOr(home) } : {}),
  })
  // A link on the PATH is found by its own name too.
  return [...new Set([...paths, ...(folder === real ? [] : [folder])])].filter((path) => readable(path) !== undefined)
}

/** Folders of programs to which links in this folder lead, such as those of pipx in `~/.local/bin`. */
function linkedFolders(folder: string): string[] {
  if (isSystemProgram(folder)) return []
  const targets = namesIn(folder).flatMap((name) => {
    try {
      readlinkSync(join(folder, name))
      return [dirname(realpathSync(join(folder, name)))]
    } catch {
      return []
    }
  })
  return [...new Set(targets)].filter((path) => path !== folder)
}

const isSystemProgram = (folder: string) => /^(?:\/usr)?\/s?bin$/.test(folder)

function isSystem(path: string): boolean {
  return systemFolders().visible.some((visible) => isWithin(path, visible))
}

function readable(path: string): string | undefined {
  try {
    const real = realpathSync(path)
    const isFolder = statSync(real).isDirectory()
    accessSync(real, constants.R_OK | (isFolder ? constants.X_OK : 0))
    return real
  } catch {
    return undefined
  }
}

function realOr(path: string): string {
  return existsSync(path) ? (readable(path) ?? path) : path
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
