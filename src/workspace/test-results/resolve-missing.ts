/** Resolves a missing import to the path where it should be, relative to the project. */
import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, extname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readLeftFileSync } from '../commands/read-left-file.ts'
import type { MissingModule } from './classify-failure.ts'

/** `file` is the test that failed. External packages have no path. */
export function resolveMissing(module: MissingModule, folder: string, file: string | undefined): string | undefined {
  switch (module.language) {
    case 'javascript':
      return javascriptPath(module.specifier, module.importer ?? file, folder)
    case 'javascript-name':
      return importOf(module.name, file, folder)
    case 'python':
      return module.file ? inside(module.file, folder) : pythonPath(module.module, folder)
    case 'go':
      return goFolder(module.package, folder)
    case 'rust':
      return rustFile(module.path, folder)
    default:
      return module satisfies never
  }
}

function javascriptPath(specifier: string, importer: string | undefined, folder: string): string | undefined {
  const from = importer === undefined ? undefined : resolve(folder, importer)
  const path = absolutePath(specifier.replace(/\?.*$/, ''), from, folder)
  return path === undefined ? undefined : inside(withExtension(path, from), folder)
}

function absolutePath(specifier: string, from: string | undefined, folder: string): string | undefined {
  if (specifier.startsWith('file://')) return fileURLToPath(specifier)
  if (/^\.\.?(?:\/|$)/.test(specifier)) return from === undefined ? undefined : resolve(dirname(from), specifier)
  // In Vite a leading slash means the root.
  if (specifier.startsWith('/')) return inside(specifier, folder) === undefined ? join(folder, specifier) : specifier
  if (/^[@~]\//.test(specifier) && existsSync(join(folder, 'src'))) return join(folder, 'src', specifier.slice(2))
  return undefined
}

/** An import may omit the extension, and TypeScript may import a `.ts` file as `.js`. */
function withExtension(path: string, importer: string | undefined): string {
  const wanted = extname(importer ?? '') || '.js'
  const isTypeScript = /^\.[cm]?tsx?$/.test(wanted)
  const written = extname(path)
  if (isTypeScript && /^\.[cm]?jsx?$/.test(written)) return path.slice(0, -written.length) + written.replace('j', 't')
  if (/^\.(?:[cm]?[jt]sx?|json|vue|svelte|css|node)$/.test(written)) return path
  if (isFolder(path)) return join(path, `index${wanted}`)
  return `${path}${wanted}`
}

/** Finds the import that brings a name into a test. */
function importOf(name: string, file: string | undefined, folder: string): string | undefined {
  if (file === undefined) return undefined
  const source = readLeftFileSync(resolve(folder, file), { links: true })
  const statements = source.matchAll(
    /(?:import|const|let|var)\s+([^;'"]*?)(?:\bfrom|=\s*require\()\s*['"]([^'"]+)['"]/g,
  )
  for (const [, names = '', specifier = ''] of statements)
    if (new RegExp(`(?:^|[^\\w$])${name.replace(/\$/g, '\\$&')}(?![\\w$])`).test(names))
      return javascriptPath(specifier, file, folder)
  return undefined
}

/** The module in the first root that has its package; otherwise where a new one would be. */
function pythonPath(module: string, folder: string): string {
  const parts = module.split('.')
  const roots = ['', 'src', 'lib'].filter((root) => root === '' || isFolder(join(folder, root)))
  const root =
    roots.find((each) => existsSync(join(folder, each, parts[0]!))) ?? roots.find((each) => each === 'src') ?? ''
  const path = [...(root ? [root] : []), ...parts].join('/')
  return isFolder(join(folder, path)) ? `${path}/__init__.py` : `${path}.py`
}

function goFolder(name: string, folder: string): string | undefined {
  const module = goModule(folder)
  return module && name.startsWith(`${module}/`) ? name.slice(module.length + 1) : undefined
}

/** The module's name in `go.mod`. */
export function goModule(folder: string): string {
  return /^module\s+"?([^\s"]+)/m.exec(readLeftFileSync(join(folder, 'go.mod'), { links: true }))?.[1] ?? ''
}

function rustFile(path: string, folder: string): string | undefined {
  const parts = path.split('::')
  const crate = /^name\s*=\s*"([^"]+)"/m
    .exec(readLeftFileSync(join(folder, 'Cargo.toml'), { links: true }))?.[1]
    ?.replaceAll('-', '_')
  const own = parts[0] === 'crate' || parts[0] === crate ? parts.slice(1) : parts.length === 1 ? parts : []
  return own.length === 0 ? undefined : `src/${own.join('/')}.rs`
}

function inside(path: string, folder: string): string | undefined {
  for (const root of new Set([folder, realFolder(folder)])) {
    const plain = relative(root, resolve(root, path)).replaceAll('\\', '/')
    if (plain !== '' && !plain.startsWith('../') && plain !== '..') return plain
  }
  return undefined
}

export function realFolder(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
