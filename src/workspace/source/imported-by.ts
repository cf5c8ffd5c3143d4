/** Counts how many files import each file, as far as paths tell: relative imports, and Python packages of the project. */
import { posix } from 'node:path'

export function countImports(
  imports: ReadonlyMap<string, readonly string[]>,
  paths: ReadonlySet<string>,
): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [path, modules] of imports) {
    const targets = new Set(modules.flatMap((module) => targetOf(path, module, paths) ?? []))
    for (const target of targets) if (target !== path) counts.set(target, (counts.get(target) ?? 0) + 1)
  }
  return counts
}

function targetOf(path: string, module: string, paths: ReadonlySet<string>): string | undefined {
  const candidates = /\.pyi?$/.test(path) ? pythonFiles(path, module) : scriptFiles(path, module)
  return candidates.find((candidate) => paths.has(candidate))
}

const endings = ['', '.ts', '.tsx', '.js', '.mjs', '.cjs', '.jsx', '/index.ts', '/index.tsx', '/index.js', '/index.mjs']

function scriptFiles(path: string, module: string): string[] {
  if (!module.startsWith('.')) return []
  const base = posix.join(posix.dirname(path), module)
  // TypeScript imports name the file that it will be compiled to.
  const sources = /\.[cm]?jsx?$/.test(base) ? [base.replace(/js(x?)$/, 'ts$1'), base] : [base]
  return sources.flatMap((source) => endings.map((ending) => source + ending))
}

function pythonFiles(path: string, module: string): string[] {
  const dots = /^\.*/.exec(module)![0].length
  const rest = module.slice(dots).replaceAll('.', '/')
  const above = dots === 0 ? [''] : [posix.join(posix.dirname(path), '../'.repeat(dots - 1))]
  const folders =
    dots === 0 ? ['', 'src/'] : above.map((folder) => (folder === '.' ? '' : `${folder.replace(/\/$/, '')}/`))
  return folders.flatMap((folder) => [`${folder}${rest}.py`, posix.normalize(`${folder}${rest}/__init__.py`)])
}
