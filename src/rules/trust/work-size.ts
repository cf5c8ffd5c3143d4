/** How large work may be before a person is asked, and folders that are never part of it. SPEC.md § TR11. */
import type { BuildLimits } from './limits.ts'

export interface WorkSize {
  /** Files that the work adds, changes or deletes. */
  files: number
  /** The bytes of added and changed files. */
  bytes: number
}

/** Null while the work is within its limits; otherwise what exceeds them, in words. */
export function beyondWorkSize(
  { files, bytes }: WorkSize,
  limits: Pick<BuildLimits, 'files' | 'bytes'>,
): string | null {
  const parts = [
    ...(files > limits.files ? [`${files} files (build.limits.files: ${limits.files})`] : []),
    ...(bytes > limits.bytes ? [`${bytes} bytes (build.limits.bytes: ${limits.bytes})`] : []),
  ]
  return parts.length === 0 ? null : parts.join(' and ')
}

/** Folders that a package manager fills. */
const installed = new Set([
  'node_modules',
  'bower_components',
  'jspm_packages',
  '.pnpm-store',
  'venv',
  '.venv',
  'site-packages',
])

/** Folders that tools fill by the way, when somebody merely runs the tests. */
const caches = new Set([
  '__pycache__',
  '.tox',
  '.nox',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
  '.hypothesis',
  '.gradle',
  '.nyc_output',
  '.eslintcache',
  '.parcel-cache',
  '.turbo',
])
const leftovers = /(?:\.py[co]|(?:^|\/)(?:\.coverage|\.eslintcache|\.DS_Store|npm-debug\.log|[^/]+\.tsbuildinfo))$/

/** The installed folder that a path lies in, or null. */
export function installedFolder(path: string): string | null {
  return folderAmong(installed, path)
}

/**
 * New files that tools left by the way: they are dropped from the work without a word. `isKnown` tells whether the project
 * has files in that folder, or of that path, already.
 */
export function byProducts(added: readonly string[], isKnown: (path: string) => boolean): string[] {
  return added.filter((path) => {
    const folder = folderAmong(caches, path)
    if (folder !== null) return !isKnown(folder)
    return leftovers.test(path)
  })
}

/** The folders that decide whether paths are by-products. */
export function cacheFolders(paths: readonly string[]): string[] {
  return [...new Set(paths.flatMap((path) => folderAmong(caches, path) ?? []))]
}

function folderAmong(names: ReadonlySet<string>, path: string): string | null {
  const parts = path.split('/')
  const index = parts.slice(0, -1).findIndex((part) => names.has(part.toLowerCase()))
  return index === -1 ? null : parts.slice(0, index + 1).join('/')
}

/** New paths in installed folders that the base does not have; `known` are the folders that the base tracks. */
export function strayInstalls(added: readonly string[], known: (folder: string) => boolean): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const path of added) {
    const folder = installedFolder(path)
    if (folder === null || known(folder)) continue
    found.set(folder, [...(found.get(folder) ?? []), path])
  }
  return found
}
