/** Finds the files that a message attaches by `@path` or `@path:10-40`. SPEC.md § RD15. */
import { withoutCode } from '../text/without-code.ts'
import { withoutQuotes } from '../text/without-quotes.ts'
import { mentions } from './wording/mentions.ts'

export interface LineRange {
  from: number
  to: number
}

export interface PathReference {
  path: string
  lines?: LineRange
  /** As the person wrote it, for messages about it: `@src/a.ts:10-40`. */
  written: string
}

/** The references in order, each once. Names of agents are mentions, not paths. */
export function pathReferences(text: string, agents: readonly string[]): PathReference[] {
  const found = new Map<string, PathReference>()
  for (const [, quoted, bare] of withoutCode(withoutQuotes(text)).matchAll(reference)) {
    const reference = quoted === undefined ? readBare(bare!, agents) : readReference(quoted, `@"${quoted}"`)
    if (reference && !found.has(reference.written)) found.set(reference.written, reference)
  }
  return [...found.values()]
}

/** Reads `10-40` or `10`; undefined for anything else. */
export function readLineRange(text: string): LineRange | undefined {
  const [, from, to] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(text) ?? []
  return from === undefined ? undefined : { from: Number(from), to: Number(to ?? from) }
}

/** The lines of a range, or why the file does not have them. Lines count from 1. */
export function selectLines(
  lines: readonly string[],
  { from, to }: LineRange,
): { ok: true; lines: string[] } | { ok: false; why: string } {
  if (from < 1) return { ok: false, why: 'lines count from 1' }
  if (to < from) return { ok: false, why: `line ${to} comes before line ${from}` }
  if (to > lines.length) return { ok: false, why: `it has ${lines.length} line${lines.length === 1 ? '' : 's'}` }
  return { ok: true, lines: lines.slice(from - 1, to) }
}

/**
 * Whether a reference to a file that does not exist is a mistake to report. Otherwise it stays plain text: a package
 * (`@scope/name`), a decorator (`@app.route`), a handle.
 */
export function wasMeantAsPath({ path, lines }: PathReference, firstFolderExists: boolean): boolean {
  if (/^\.{1,2}\//.test(path)) return true
  const segments = path.split('/').length
  const ending = /\.([a-z\d]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''
  if (lines && (lines.to > lines.from || segments > 1 || endings.has(ending))) return true
  if (path.startsWith('/')) return false // An import alias such as @/components.
  // `@scope/name.js` is a package unless the project has that folder.
  if (endings.has(ending)) return firstFolderExists || segments === 1 || !packageEndings.has(ending)
  return segments > 2 && firstFolderExists
}

/** `@` at the start of a word, not inside an address, a quoted import or after a backslash; then a path, or one in quotes. */
const reference = /(?<![^\s([])@(?:"([^"\n]{1,1000})"|([^\s"'`<>|@]{1,1000}))/gu

function readBare(word: string, agents: readonly string[]): PathReference | undefined {
  // `@router collaborate …` starts a session.
  if ([agents, ['router']].some((names) => mentions(`@${word}`, names).length > 0)) return undefined
  const bare = word.replace(/[.,;:!?)\]}…]+$/u, '')
  return readReference(bare, `@${bare}`)
}

function readReference(text: string, written: string): PathReference | undefined {
  const [, before, range] = /^(.+):(\d{1,9}(?:-\d{1,9})?)$/.exec(text) ?? []
  const lines = range === undefined ? undefined : readLineRange(range)
  const path = lines ? before! : text
  if (path === '' || !/[\p{L}\p{N}]/u.test(path)) return undefined
  return { path, ...(lines ? { lines } : {}), written }
}

/** What files end in that people attach to a message. */
const endings = new Set(
  (
    'adoc astro bash bat c cc cfg cjs clj conf cpp cs css csv cts cxx dart diff dockerfile env erl ex exs fs go gql gradle ' +
    'graphql groovy h hpp hs html htm ini ipynb java jl js json jsonc json5 jsx kt kts less lock log lua m md mdx mjs ml mli ' +
    'mts mm nim nix patch php pl pm proto ps1 py pyi r rb rs rst sass scala scss sh sol sql svelte swift tex tf toml ts tsx ' +
    'tsv txt vb vim vue xml yaml yml zig zsh'
  ).split(' '),
)

const packageEndings = new Set(['js', 'css', 'json', 'mjs', 'cjs'])
