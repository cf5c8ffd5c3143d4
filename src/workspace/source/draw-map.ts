/** Gathers what the map of a commit needs, and draws it. */
import { fileRole } from '../../rules/context/file-role.ts'
import { type MappedFile, outlineTokens, rankFiles, sourceMap } from '../../rules/context/source-map.ts'
import { type PackageManifest, testRunners } from '../../rules/context/test-files.ts'
import { languageOf } from '../syntax/languages.ts'
import type { SyntaxReader } from '../syntax/syntax.ts'
import { countImports } from './imported-by.ts'
import type { FileFactsCache } from './read-file-facts.ts'
import type { TreeFile, TreeFiles } from './tree-files.ts'

/** More are listed by name only. */
const maxDescribed = 400
/** A file this much larger than the whole budget is not read for inlining. */
const charactersPerToken = 5

export interface MapRequest {
  commit: string
  files: TreeFiles
  /** How often recent commits changed each path. */
  changes: ReadonlyMap<string, number>
  facts: FileFactsCache
  syntax: () => Promise<SyntaxReader>
  countTokens: (text: string) => number
  tokens: number
}

export interface DrawnMap {
  /** False if some files were not parsed for lack of time. */
  isComplete: boolean
  map: string
  outline: string
  /** The files whose whole text is in the map. */
  inlined: string[]
}

export async function drawMap({
  commit,
  files,
  changes,
  facts,
  syntax,
  countTokens,
  tokens,
}: MapRequest): Promise<DrawnMap> {
  const all = files.files.filter(({ kind }) => kind === 'file')
  const root = await manifestOf(files, 'package.json')
  const runners = testRunners(
    root ? [root] : [],
    all.map(({ path }) => path),
  )
  const entries = entryPoints(root, new Set(all.map(({ path }) => path)))
  const plain = all.map((file): MappedFile & { file: TreeFile } => ({
    file,
    path: file.path,
    role: fileRole(file.path, languageOf(file.path).language !== null, runners),
    changes: changes.get(file.path) ?? 0,
    isEntry: entries.has(file.path),
  }))
  const described = (rankFiles(plain) as typeof plain).filter(({ role }) => role !== 'other').slice(0, maxDescribed)
  const { facts: known, isComplete } = await facts.of(
    described.map(({ file }) => file),
    files,
    syntax,
  )
  const importedBy = countImports(
    new Map(described.map(({ file, path }) => [path, known.get(file.hash)!.imports])),
    new Set(all.map(({ path }) => path)),
  )
  const texts = await textsToInline(plain, files, tokens)
  const mapped = plain.map(({ file, ...one }): MappedFile => {
    const told = known.get(file.hash)
    return {
      ...one,
      importedBy: importedBy.get(one.path) ?? 0,
      ...(told ? { purpose: told.purpose, symbols: told.symbols } : {}),
      ...(texts.has(one.path) ? { text: texts.get(one.path)! } : {}),
    }
  })
  const project = { commit: `${commit.slice(0, 10)} (HEAD)`, description: textIn(root?.description), files: mapped }
  const withoutTexts = { ...project, files: mapped.map(({ text: _, ...one }) => one) }
  const { text: map, inlined } = sourceMap(project, countTokens, tokens)
  return {
    isComplete,
    map,
    inlined,
    outline: sourceMap(withoutTexts, countTokens, Math.min(outlineTokens, tokens)).text,
  }
}

interface Manifest extends PackageManifest {
  description?: unknown
  main?: unknown
  module?: unknown
  bin?: unknown
  exports?: unknown
}

async function manifestOf(files: TreeFiles, path: string): Promise<Manifest | null> {
  try {
    const value: unknown = JSON.parse((await files.text(path)).text)
    return typeof value === 'object' && value !== null ? (value as Manifest) : null
  } catch {
    return null
  }
}

/** Where a package starts: what its manifest names, or files with a usual name for that. */
function entryPoints(manifest: Manifest | null, paths: ReadonlySet<string>): Set<string> {
  const named = manifest ? [manifest.main, manifest.module, manifest.bin, manifest.exports].flatMap(pathsIn) : []
  const sources = named
    .map((path) => path.replace(/^\.\//, ''))
    .flatMap((path) => [
      path,
      path.replace(/^(?:dist|build|lib|out)\//, 'src/').replace(/(?:\.d)?\.[cm]?[jt]s$/, '.ts'),
    ])
  const usual = ['index', 'src/index', 'main', 'src/main', 'src/lib'].flatMap((path) =>
    ['.ts', '.js', '.mjs', '.py', '.go', '.rs'].map((ending) => path + ending),
  )
  const found = sources.filter((path) => paths.has(path) && !path.includes('*'))
  return new Set(found.length > 0 ? found : usual.filter((path) => paths.has(path)))
}

function pathsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(pathsIn) : []
}

/** The texts of source files if all of them might fit, and of the tests and manifests that might fit beside them. */
async function textsToInline(
  plain: readonly (MappedFile & { file: TreeFile })[],
  files: TreeFiles,
  tokens: number,
): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  const room = tokens * charactersPerToken
  const sum = plain.reduce((total, { role, file }) => total + (role === 'source' ? file.bytes : 0), 0)
  if (sum > room) return texts
  for (const { path, role, file } of plain) {
    if (role !== 'source' && role !== 'test' && role !== 'manifest') continue
    if (role !== 'source' && file.bytes > room) continue
    const text = await files.text(path).then(
      (read) => read.text,
      () => null,
    )
    if (text !== null) texts.set(path, text)
  }
  return texts
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
