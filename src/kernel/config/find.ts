/** Finds the project's folder and its `convene.yaml`. */
import { lstatSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { ConveneError } from '../errors.ts'

export const configFileName = 'convene.yaml'

export interface ProjectLocation {
  /** Where `.convene/` lives and what relative paths are relative to. */
  folder: string
  file?: string
}

/**
 * Uses `CONVENE_CONFIG`, else the nearest `convene.yaml` from the folder up to the top of the repository. Without one, the
 * project is the repository's top, or the folder itself outside a repository.
 */
export function findConfig(from: string, env: Record<string, string | undefined>): ProjectLocation {
  const start = resolve(from)
  const named = env.CONVENE_CONFIG?.trim()
  if (named) return namedFile(resolve(start, named))
  for (let folder = start; ; folder = dirname(folder)) {
    const file = join(folder, configFileName)
    if (kindOf(file) !== undefined) return { folder, file: readableFile(file, file) }
    refuseOtherName(folder)
    const isTop = kindOf(join(folder, '.git')) !== undefined
    if (isTop) return { folder }
    if (folder === dirname(folder)) return { folder: start }
  }
}

function namedFile(file: string): ProjectLocation {
  if (kindOf(file) === undefined) {
    throw new ConveneError(
      'invalid_config',
      `the environment variable CONVENE_CONFIG names ${file}, which does not exist; correct or unset it`,
      {
        path: 'CONVENE_CONFIG',
      },
    )
  }
  return { folder: dirname(file), file: readableFile(file, `CONVENE_CONFIG (${file})`) }
}

function readableFile(file: string, label: string): string {
  if (kindOf(file) === 'file') return file
  throw new ConveneError(
    'invalid_config',
    `${label} is not a file that can be read; move it away and run 'convene init'`,
  )
}

/** Refuses a file with nearly the right name, which would otherwise be ignored silently. */
function refuseOtherName(folder: string): void {
  const other = ['convene.yml', '.convene.yaml', '.convene.yml'].find((name) => kindOf(join(folder, name)) === 'file')
  if (!other) return
  throw new ConveneError(
    'invalid_config',
    `${join(folder, other)} is ignored: the file must be called ${configFileName}; rename it`,
  )
}

/** A broken link counts as present: skipping it would hide a mistake. */
function kindOf(path: string): 'file' | 'other' | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found?.isFile()) return 'file'
    return found || lstatSync(path, { throwIfNoEntry: false }) ? 'other' : undefined
  } catch {
    return 'other'
  }
}
