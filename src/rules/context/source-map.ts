/** The map of a project for the front of a prompt: its source if that fits, else files with symbols and purposes. SPEC.md § RD14. */
import { byCodeUnit } from '../text/by-code-unit.ts'
import { type CountTokens, flatten } from './context.ts'

export type FileRole = 'source' | 'test' | 'manifest' | 'document' | 'other'

export interface MappedFile {
  path: string
  role: FileRole
  /** One line, as the author wrote it. */
  purpose?: string
  /** Signatures of what it exports. */
  symbols?: readonly string[]
  /** How many files import it. */
  importedBy?: number
  /** How many recent commits changed it. */
  changes?: number
  /** The package starts here. */
  isEntry?: boolean
  /** The text, if it may be inlined. */
  text?: string
}

export interface ProjectToMap {
  /** As people name it: a branch or a short hash. */
  commit: string
  description?: string
  files: readonly MappedFile[]
}

export interface SourceMap {
  text: string
  /** The files whose whole text is in the map. */
  inlined: string[]
}

export const defaultMapTokens = 6000
export const outlineTokens = 500

const longestSymbol = 90
const longestHead = 50
const maxSymbols = 12
const maxMisses = 20
/** The part of the budget that lists the names of files without an entry of their own. */
const shareForNames = 0.3

export function sourceMap(project: ProjectToMap, countTokens: CountTokens, budget = defaultMapTokens): SourceMap {
  const ranked = rankFiles(project.files)
  const heading = headingOf(project)
  const inlined = inlinedFiles(ranked, countTokens, budget - countTokens(heading))
  const left = () => budget - countTokens(sections().join('\n\n'))
  const texts = inlined.map(inlinedText)
  const entries: string[] = []
  const named: string[] = []
  const sections = () => [
    heading,
    ...(texts.length > 0 ? ['## Source, complete', ...texts] : []),
    ...(entries.length > 0
      ? [`## ${texts.length > 0 ? 'Other files' : 'Files, the most central first'}\n${entries.join('\n')}`]
      : []),
    ...(named.length > 0 ? [`## Files by folder\n${named.join('\n')}`] : []),
  ]
  const rest = ranked.filter((file) => !inlined.includes(file))
  const described = new Set<MappedFile>()
  let room = Math.floor(left() * (1 - shareForNames))
  let misses = 0
  for (const file of rest) {
    const entry = entryOf(file)
    if (entry === null) continue
    const tokens = countTokens(`\n${entry}`)
    // A shorter entry may still fit; most do not.
    if (tokens > room && ++misses > maxMisses) break
    if (tokens > room) continue
    room -= tokens
    entries.push(entry)
    described.add(file)
  }
  named.push(
    ...folderLines(
      rest.filter((file) => !described.has(file)),
      countTokens,
      left() - 20,
    ),
  )
  // Joined text can count for more than its parts.
  while (left() < 0 && (named.pop() ?? entries.pop()) !== undefined);
  return { text: sections().join('\n\n'), inlined: inlined.map(({ path }) => path) }
}

/** Entry points, what many files import and what changes often come first; generated files and data last. */
export function rankFiles(files: readonly MappedFile[]): MappedFile[] {
  return files
    .map((file) => ({ file, score: scoreOf(file) }))
    .sort((a, b) => b.score - a.score || byCodeUnit(a.file.path, b.file.path))
    .map(({ file }) => file)
}

const scoreOfRole: Readonly<Record<FileRole, number>> = { source: 20, manifest: 14, document: 4, test: 6, other: -20 }

function scoreOf({ path, role, importedBy = 0, changes = 0, isEntry = false }: MappedFile): number {
  const depth = path.split('/').length - 1
  return (
    scoreOfRole[role] +
    (isEntry ? 25 : 0) +
    Math.min(20, 4 * Math.log2(1 + importedBy)) +
    Math.min(10, 2 * Math.log2(1 + changes)) -
    2 * depth
  )
}

function headingOf({ commit, description, files }: ProjectToMap): string {
  const about = description ? ` ${flatten(description)}` : ''
  return `# The project, as of commit ${commit}\n${files.length} files.${about}`
}

/** All source files if they fit together, then whole tests and manifests as far as they fit. */
function inlinedFiles(ranked: readonly MappedFile[], countTokens: CountTokens, budget: number): MappedFile[] {
  const source = ranked.filter(({ role }) => role === 'source')
  if (source.length === 0 || source.some(({ text }) => text === undefined)) return []
  // The names of the other files need some room too.
  let left = budget - Math.min(300, Math.ceil(budget / 5))
  for (const file of source) left -= countTokens(`\n\n${inlinedText(file)}`)
  if (left < 0) return []
  const chosen = [...source]
  for (const file of ranked) {
    if ((file.role !== 'test' && file.role !== 'manifest') || file.text === undefined) continue
    const tokens = countTokens(`\n\n${inlinedText(file)}`)
    if (tokens > left) continue
    left -= tokens
    chosen.push(file)
  }
  return chosen
}

function inlinedText({ path, text = '' }: MappedFile): string {
  const longestFence = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map((fence) => fence.length))
  const fence = '`'.repeat(longestFence + 1)
  return `### ${path}\n${fence}\n${text.trimEnd()}\n${fence}`
}

/** Null for a file about which nothing but its name is known. */
function entryOf({ path, purpose = '', symbols = [], isEntry }: MappedFile): string | null {
  if (purpose === '' && symbols.length === 0 && !isEntry) return null
  const shown = symbols.slice(0, maxSymbols).map(shortSymbol)
  const more = symbols.length > shown.length ? [`${symbols.length - shown.length} more`] : []
  const exports = shown.length > 0 ? ` [${[...shown, ...more].join('; ')}]` : ''
  const why = purpose === '' ? '' : `: ${flatten(purpose)}`
  return `- ${path}${isEntry ? ' (entry)' : ''}${why}${exports}`
}

function shortSymbol(signature: string): string {
  // Of a type the name is enough: its body can be read.
  const line = flatten(signature)
    .replace(/^(?:default|async) /, '')
    .replace(/^((?:interface|type) [\w$]+).*/, '$1')
  // Of a class the members say more than its type parameters.
  const [, head = '', members = ''] = /^((?:abstract )?class .*?)( \{ [\w$, ]+ \})$/.exec(line) ?? []
  if (members !== '')
    return `${head.length <= longestHead ? head : /^(?:abstract )?class [\w$]+/.exec(head)![0]}${members}`
  return line.length <= longestSymbol ? line : `${[...line].slice(0, longestSymbol).join('')}…`
}

/** One line a folder, the fullest knowledge that fits: names, else a count. */
function folderLines(files: readonly MappedFile[], countTokens: CountTokens, budget: number): string[] {
  const folders = new Map<string, MappedFile[]>()
  for (const file of files) {
    const folder = file.path.slice(0, file.path.lastIndexOf('/') + 1)
    folders.set(folder, [...(folders.get(folder) ?? []), file])
  }
  const lines: string[] = []
  let left = budget
  const groups = [...folders].sort(([a], [b]) => byCodeUnit(a, b))
  const counted = (folder: string, count: number) => `- ${folder || './'} ${count} ${count === 1 ? 'file' : 'files'}`
  let reserve = groups.reduce((sum, [folder, members]) => sum + countTokens(`\n${counted(folder, members.length)}`), 0)
  for (const [folder, members] of groups) {
    const short = counted(folder, members.length)
    reserve -= countTokens(`\n${short}`)
    const names = members.map(({ path, role }) => path.slice(folder.length) + (role === 'test' ? ' (test)' : ''))
    const long = `- ${folder || './'} ${names.join(', ')}`
    const line = countTokens(`\n${long}`) <= left - reserve ? long : short
    const tokens = countTokens(`\n${line}`)
    if (tokens > left) return [...lines, `- and ${groups.length - lines.length} more folders`]
    left -= tokens
    lines.push(line)
  }
  return lines
}
