/** What the map says about a file: its purpose, its exports and its imports. Cached by the file's content. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTick } from 'node:timers/promises'
import type { SourceSymbol } from '../../kernel/project-source.ts'
import type { SyntaxFacts } from '../../rules/build/syntax-facts.ts'
import { languageOf } from '../syntax/languages.ts'
import type { SyntaxReader } from '../syntax/syntax.ts'
import { declaredSymbols } from './declared-symbols.ts'
import { filePurpose } from './file-purpose.ts'
import type { TreeFile, TreeFiles } from './tree-files.ts'

export interface FileFacts {
  purpose: string
  /** Signatures of exports; a class with the names of its members. */
  symbols: string[]
  /** Modules as they are written. */
  imports: string[]
}

/** Raise it when the facts change their meaning: older ones are read anew. */
const version = 3
const longestFile = 200_000
/** The first agent waits for the map: files beyond this time are read by their lines, and parsed the next time. */
const longestParsingMs = 2000

export class FileFactsCache {
  readonly #file: string
  #known: Map<string, FileFacts> | undefined

  constructor(folder: string) {
    this.#file = join(folder, `source-facts-${version}.json`)
  }

  /** Reads the facts of these files, parsing only contents it has not seen. Keeps only what was asked for last. */
  async of(
    files: readonly TreeFile[],
    tree: TreeFiles,
    open: () => Promise<SyntaxReader>,
  ): Promise<{ facts: Map<string, FileFacts>; isComplete: boolean }> {
    const known = await this.#load()
    const facts = new Map<string, FileFacts>()
    const parsed = new Map<string, FileFacts>()
    // Starting the parser is not counted.
    if (files.some(({ hash }) => !known.has(hash))) await open()
    const began = performance.now()
    let since = began
    for (const file of files) {
      const now = performance.now()
      // Parsing blocks: let others run in between.
      if (now - since > 20) {
        await nextTick()
        since = now
      }
      const isLate = now - began > longestParsingMs
      const found = known.get(file.hash) ?? (await readFacts(file, tree, isLate ? null : open))
      if (known.has(file.hash) || !isLate) parsed.set(file.hash, found)
      facts.set(file.hash, found)
    }
    const isNew = [...parsed.keys()].some((hash) => !known.has(hash))
    this.#known = parsed
    if (isNew) await this.#save(parsed)
    return { facts, isComplete: parsed.size === facts.size }
  }

  async #load(): Promise<Map<string, FileFacts>> {
    this.#known ??= await readFile(this.#file, 'utf8').then(
      (text) => new Map(Object.entries(JSON.parse(text) as Record<string, FileFacts>)),
      () => new Map(),
    )
    return this.#known
  }

  /** A lost cache costs time only, so a failure to write it is ignored. */
  async #save(facts: Map<string, FileFacts>): Promise<void> {
    const draft = `${this.#file}.${process.pid}`
    await mkdir(join(this.#file, '..'), { recursive: true }).catch(() => {})
    await writeFile(draft, JSON.stringify(Object.fromEntries(facts)))
      .then(() => rename(draft, this.#file))
      .catch(() => {})
  }
}

const nothing: FileFacts = { purpose: '', symbols: [], imports: [] }

/** Without a parser from the file's lines only, and without imports. */
async function readFacts(
  file: TreeFile,
  tree: TreeFiles,
  open: (() => Promise<SyntaxReader>) | null,
): Promise<FileFacts> {
  if (file.kind !== 'file' || file.bytes > longestFile) return nothing
  const text = await tree.text(file.path).then(
    (read) => read.text,
    () => null,
  )
  if (text === null) return nothing
  const unparsed = { file: file.path, parsed: false, symbols: [], imports: [], ...languageOf(file.path, text) }
  const facts: SyntaxFacts = open ? (await open()).read(file.path, text) : unparsed
  const declared = declaredSymbols(facts, text)
  const symbols = declared.filter(({ name }) => !name.includes('.') || !facts.parsed)
  return {
    purpose: filePurpose(file.path, text),
    symbols: symbols.map(({ name, kind, signature }) =>
      facts.parsed && kind === 'class' ? signature + membersOf(name, declared) : signature,
    ),
    imports: facts.imports.map(({ module }) => module),
  }
}

const mostMembers = 24

/** ` { add, clear, size }`, or nothing. */
function membersOf(name: string, declared: readonly SourceSymbol[]): string {
  const inside = declared.filter((one) => one.name.startsWith(`${name}.`)).map((one) => one.name.slice(name.length + 1))
  const names = [...new Set(inside)].filter((one) => one !== 'constructor' && /^[\w$]+$/.test(one))
  if (names.length === 0) return ''
  const more = names.length > mostMembers ? [`${names.length - mostMembers} more`] : []
  return ` { ${[...names.slice(0, mostMembers), ...more].join(', ')} }`
}
