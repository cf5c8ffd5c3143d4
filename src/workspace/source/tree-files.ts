/** The files of one tree, listed once, and the paths that agents give for them. SPEC.md § VF6. */

import type { SourceEntry } from '../../kernel/project-source.ts'
import { confineLink, confinePath } from '../../rules/build/path-confinement.ts'
import { isBinary } from '../../rules/text/is-binary.ts'
import { gitBytes } from '../git/git.ts'

export interface TreeFile {
  path: string
  hash: string
  kind: 'file' | 'link' | 'submodule'
  bytes: number
}

/** Reads an object by its hash. */
export type ReadObject = (hash: string) => Promise<Buffer | null>

const maxFileSize = 4_000_000
const maxLinks = 20

export class TreeFiles {
  readonly files: readonly TreeFile[]
  readonly #byPath: ReadonlyMap<string, TreeFile>
  /** How many files are below each folder. */
  readonly #folders = new Map<string, number>()
  readonly #readObject: ReadObject

  constructor(files: readonly TreeFile[], readObject: ReadObject) {
    this.files = files.filter(({ path }) => !isHidden(path))
    this.#byPath = new Map(this.files.map((file) => [file.path, file]))
    this.#readObject = readObject
    for (const { path } of this.files)
      for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
        const folder = path.slice(0, end)
        this.#folders.set(folder, (this.#folders.get(folder) ?? 0) + 1)
      }
  }

  /** `tree` is the hash of the project's folder. */
  static async read(repository: string, tree: string, readObject: ReadObject): Promise<TreeFiles> {
    const output = await gitBytes(['ls-tree', '-r', '-l', '-z', '--full-tree', tree], { folder: repository })
    return new TreeFiles(readEntries(output.toString('utf8')), readObject)
  }

  /** A folder in normal form; `''` is the project. */
  async folder(path: string): Promise<string> {
    if (/^(\.\/?)?$/.test(path)) return ''
    const resolved = await this.#resolve(path)
    if (resolved === '' || this.#folders.has(resolved)) return resolved
    throw new Error(this.#byPath.has(resolved) ? `"${path}" is a file; use read` : `there is no folder "${path}"`)
  }

  async file(path: string): Promise<TreeFile> {
    const resolved = await this.#resolve(path)
    const file = this.#byPath.get(resolved)
    if (!file) throw new Error(this.#folders.has(resolved) ? `"${path}" is a folder; use list` : missing(path))
    if (file.kind === 'submodule') throw new Error(`"${path}" is a submodule, whose files are not in this repository`)
    return file
  }

  async text(path: string): Promise<{ file: TreeFile; text: string }> {
    const file = await this.file(path)
    if (file.bytes > maxFileSize)
      throw new Error(`"${path}" is too large to read (${file.bytes} bytes, at most ${maxFileSize})`)
    const bytes = await this.#readObject(file.hash)
    if (!bytes) throw new Error(`"${path}" cannot be read: its object is missing from the repository`)
    if (isBinary(bytes)) throw new Error(`"${path}" is a binary file (${bytes.length} bytes)`)
    return {
      file,
      text: bytes
        .toString('utf8')
        .replace(/^\uFEFF/, '')
        .toWellFormed(),
    }
  }

  list(folder: string, depth: number): SourceEntry[] {
    const start = folder === '' ? '' : `${folder}/`
    const entries = new Map<string, SourceEntry>()
    for (const { path, kind, bytes } of this.files) {
      if (!path.startsWith(start)) continue
      const segments = path.slice(start.length).split('/')
      for (let level = 1; level < Math.min(segments.length, depth + 1); level++) {
        const above = start + segments.slice(0, level).join('/')
        const closed = level === depth ? { closed: true as const } : {}
        if (!entries.has(above))
          entries.set(above, { path: above, kind: 'folder', size: this.#folders.get(above)!, ...closed })
      }
      if (segments.length <= depth) entries.set(path, { path, kind, size: bytes })
    }
    return [...entries.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  /** Follows links inside the tree; a link that leads out of it is refused. */
  async #resolve(given: string): Promise<string> {
    let path = confinedPath(given)
    for (let links = 0; links < maxLinks; links++) {
      const link = this.#linkIn(path)
      if (!link) return path
      const target = (await this.#readObject(link.hash))?.toString('utf8') ?? ''
      const to = confineLink(link.path, target)
      if (!to.inside) throw new Error(`the path "${given}" leads out of the project through a link`)
      path = [to.path, path.slice(link.path.length + 1)].filter(Boolean).join('/')
      if (isHidden(path)) throw new Error(`the path "${given}" leads into a folder that agents may not read`)
    }
    throw new Error(`the path "${given}" goes through too many links`)
  }

  #linkIn(path: string): TreeFile | undefined {
    for (let end = path.indexOf('/'); ; end = path.indexOf('/', end + 1)) {
      const file = this.#byPath.get(end < 0 ? path : path.slice(0, end))
      if (file?.kind === 'link') return file
      if (end < 0) return undefined
    }
  }
}

/** The path in normal form. Throws if it leaves the project or leads into git's or Convene's own files. */
export function confinedPath(given: string): string {
  const confined = confinePath(given)
  if (!confined.inside) throw new Error(`the path "${given}" ${confined.why}`)
  if (isHidden(confined.path)) throw new Error(`the path "${given}" leads into a folder that agents may not read`)
  return confined.path
}

/** Convene's own state is never shown, even if somebody committed it. */
export function isHidden(path: string): boolean {
  return path.split('/').some((segment) => segment.toLowerCase() === '.convene' || segment.toLowerCase() === '.git')
}

function missing(path: string): string {
  return `"${path}" does not exist in the last commit; use list or search to find it`
}

/** Of `ls-tree -r -l -z`: `<mode> <type> <hash> <size>\t<path>`. */
function readEntries(output: string): TreeFile[] {
  return output.split('\0').flatMap((line): TreeFile[] => {
    const tab = line.indexOf('\t')
    if (tab < 0) return []
    const [mode = '', type = '', hash = '', size = ''] = line.slice(0, tab).split(/ +/)
    const kind = type === 'commit' ? 'submodule' : mode === '120000' ? 'link' : 'file'
    return [{ path: line.slice(tab + 1), hash, kind, bytes: Number(size) || 0 }]
  })
}
