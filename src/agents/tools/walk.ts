/** Walks the files of a workspace in a stable order. Lists links without following them. */
import { type Dirent, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Walked {
  /** Relative to the workspace's root, separated by `/`. */
  path: string
  depth: number
  kind: 'file' | 'folder' | 'link' | 'other'
  /** A folder that the walk skips: .git, installed packages, or one that the root's .gitignore names. */
  skipped: boolean
}

/** Walks below `start` (`''` for the root); yields folders before their contents. */
export function* walk(root: string, start: string, maxDepth = Number.POSITIVE_INFINITY): Generator<Walked> {
  yield* below(root, start, 1, maxDepth, ignoredFolders(root))
}

function* below(
  root: string,
  folder: string,
  depth: number,
  maxDepth: number,
  ignored: ReadonlySet<string>,
): Generator<Walked> {
  for (const entry of entriesOf(join(root, folder))) {
    if (entry.name.toLowerCase() === '.git') continue
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    const kind = kindOf(entry)
    const skipped = kind === 'folder' && (ignored.has(entry.name) || ignored.has(`/${path}`))
    yield { path, depth, kind, skipped }
    if (kind === 'folder' && !skipped && depth < maxDepth) yield* below(root, path, depth + 1, maxDepth, ignored)
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}

function kindOf(entry: Dirent): Walked['kind'] {
  if (entry.isSymbolicLink()) return 'link'
  if (entry.isDirectory()) return 'folder'
  return entry.isFile() ? 'file' : 'other'
}

/** Uses only the lines that name one folder plainly: they cover nearly everything that matters here. */
function ignoredFolders(root: string): Set<string> {
  const always = ['node_modules']
  try {
    const lines = readFileSync(join(root, '.gitignore'), 'utf8').split(/\r?\n/)
    const plain = lines.map((line) => line.trim()).filter((line) => /^\/?[\w.@-][\w.@/-]*\/$/.test(line))
    return new Set([...always, ...plain.map((line) => asRule(line.slice(0, -1)))])
  } catch {
    return new Set(always)
  }
}

/** A bare name matches anywhere; one with a slash matches from the root. */
function asRule(line: string): string {
  return line.includes('/') ? `/${line.replace(/^\//, '')}` : line
}
