/** What the map says about a file: its purpose, its exports and its imports. Cached by the file's content. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTick } from 'node:timers/promises'
import type { SyntaxReader } from '../syntax/syntax.ts'
import { declaredSymbols } from './declared-symbols.ts'
import { filePurpose } from './file-purpose.ts'
import type { TreeFile, TreeFiles } from './tree-files.ts'

export interface FileFacts {
  purpose: string
  /** Signatures of exports, without members. */
  symbols: string[]
  /** Modules as they are written. */
  imports: string[]
}

/** Raise it when the facts change their meaning: older ones are read anew. */
const version = 1
const longestFile = 200_000

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
  ): Promise<Map<string, FileFacts>> {
    const known = await this.#load()
    const facts = new Map<string, FileFacts>()
    let isNew = false
    let since = performance.now()
    for (const file of files) {
      let found = known.get(file.hash)
      if (!found) {
        found = await readFacts(file, tree, open)
        isNew = true
        // Parsing blocks: let others run in between.
        if (performance.now() - since > 20) {
          await nextTick()
          since = performance.now()
        }
      }
      facts.set(file.hash, found)
    }
    this.#known = facts
    if (isNew) await this.#save(facts)
    return facts
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

async function readFacts(file: TreeFile, tree: TreeFiles, open: () => Promise<SyntaxReader>): Promise<FileFacts> {
  if (file.kind !== 'file' || file.bytes > longestFile) return nothing
  const text = await tree.text(file.path).then(
    (read) => read.text,
    () => null,
  )
  if (text === null) return nothing
  const facts = (await open()).read(file.path, text)
  const symbols = declaredSymbols(facts, text).filter(({ name }) => !name.includes('.') || !facts.parsed)
  return {
    purpose: filePurpose(file.path, text),
    symbols: symbols.map(({ signature }) => signature),
    imports: facts.imports.map(({ module }) => module),
  }
}
