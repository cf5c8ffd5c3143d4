/** The last commit of the project as agents read it. Git objects only: no checkout is made, and the user's is not read. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConveneError } from '../../kernel/errors.ts'
import type { ProjectSource, SourceState } from '../../kernel/project-source.ts'
import { faultOf } from '../../kernel/runs/patient-run.ts'
import { GitFailed } from '../git/git.ts'
import { hasGitFolder } from '../git/has-git-folder.ts'
import { notARepository } from '../git/open-repository.ts'
import { Repository } from '../git/repository.ts'
import { SyntaxReader } from '../syntax/syntax.ts'
import { changesBefore } from './changes-before.ts'
import { declaredSymbols } from './declared-symbols.ts'
import { type DrawnMap, drawMap } from './draw-map.ts'
import { History } from './history.ts'
import { FileFactsCache } from './read-file-facts.ts'
import type { RedactText } from './redacted-lines.ts'
import { searchTree } from './search-tree.ts'
import { TreeFiles } from './tree-files.ts'

export interface HeadSourcesOptions {
  folder: string
  /** May be deleted at any time. */
  cacheFolder: string
  mapTokens: number
  countTokens: (text: string) => number
  redact: RedactText
}

const maxSymbolFiles = 40
const mapVersion = 3

export class HeadSources {
  readonly #options: HeadSourcesOptions
  readonly #facts: FileFactsCache
  #repository: Promise<Repository> | undefined
  #syntax: Promise<SyntaxReader> | undefined
  /** Of the last commit that was asked for. */
  #latest: { commit: string; source: Promise<ProjectSource> } | undefined

  constructor(options: HeadSourcesOptions) {
    this.#options = options
    this.#facts = new FileFactsCache(options.cacheFolder)
  }

  /** The source at HEAD, cached until HEAD moves. */
  async latest(): Promise<SourceState> {
    try {
      return { ok: true, source: await this.#latestSource() }
    } catch (error) {
      // TR10: damaged or locked files of git are for a person to repair; a folder without a repository has no source.
      const isFault = error instanceof GitFailed && faultOf(error) !== null
      if (error instanceof ConveneError && !isFault) return { ok: false, why: error.message }
      throw error
    }
  }

  async #latestSource(): Promise<ProjectSource> {
    const repository = await this.#open()
    const commit = await repository.resolve('HEAD')
    if (commit === null)
      throw new ConveneError('no_commit', `the repository of ${this.#options.folder} has no commit yet`)
    if (this.#latest?.commit !== commit) {
      const source = this.#read(repository, commit)
      this.#latest = { commit, source }
      source.catch(() => {
        this.#latest = undefined
      })
    }
    return this.#latest!.source
  }

  /** Tries again only when there may be a repository by now: starting git costs more than this look. */
  #open(): Promise<Repository> {
    if (!this.#repository) {
      const { folder } = this.#options
      if (!hasGitFolder(folder)) throw notARepository(folder)
      this.#repository = Repository.open(folder)
      this.#repository.catch(() => {
        this.#repository = undefined
      })
    }
    return this.#repository
  }

  async #read(repository: Repository, commit: string): Promise<ProjectSource> {
    const { redact } = this.#options
    const tree = await repository.folderOf(commit)
    const files = await TreeFiles.read(repository.root, tree, (hash) => repository.readObject(hash))
    const history = new History(repository, commit, files, redact)
    const { map, outline, inlined } = await this.#map(repository, commit, files)
    const syntax = () => this.#openSyntax()
    return {
      commit,
      map: redact(map),
      outline: redact(outline),
      inlined,
      list: async (folder, depth) => files.list(await files.folder(folder), depth),
      read: async (path) => redact((await files.text(path)).text),
      search: (query, signal) => searchTree({ repository: repository.root, tree, files, redact }, query, signal),
      symbols: (path) => symbolsOf(files, path, syntax, redact),
      log: (query, signal) => history.log(query, signal),
      diff: (query, signal) => history.diff(query, signal),
      blame: (query, signal) => history.blame(query, signal),
    }
  }

  #openSyntax(): Promise<SyntaxReader> {
    this.#syntax ??= SyntaxReader.open()
    return this.#syntax
  }

  /** Drawn once for a commit; later processes read it from the cache. */
  async #map(repository: Repository, commit: string, files: TreeFiles): Promise<DrawnMap> {
    const { cacheFolder, mapTokens: tokens, countTokens } = this.#options
    const cached = join(cacheFolder, `source-map-${mapVersion}.json`)
    const key = `${commit} ${repository.prefix} ${tokens}`
    const known = await readFile(cached, 'utf8').then(
      (text) => JSON.parse(text) as DrawnMap & { key: string },
      () => null,
    )
    if (known?.key === key) return known
    const changes = await changesBefore(repository, commit)
    const syntax = () => this.#openSyntax()
    const drawn = await drawMap({ commit, files, changes, facts: this.#facts, syntax, countTokens, tokens })
    // The next process parses what was left, so that the map becomes complete.
    if (!drawn.isComplete) return drawn
    const { redact } = this.#options
    const redacted = { ...drawn, key, map: redact(drawn.map), outline: redact(drawn.outline) }
    await mkdir(cacheFolder, { recursive: true })
      .then(() => writeFile(cached, JSON.stringify(redacted)))
      .catch(() => {})
    return drawn
  }
}

async function symbolsOf(
  files: TreeFiles,
  path: string,
  open: () => Promise<SyntaxReader>,
  redact: RedactText,
): Promise<Awaited<ReturnType<ProjectSource['symbols']>>> {
  const folder = await files.folder(path).catch(() => null)
  const start = folder ? `${folder}/` : ''
  const wanted =
    folder === null
      ? [await files.file(path)]
      : files.files.filter((file) => file.kind === 'file' && file.path.startsWith(start))
  const syntax = await open()
  const found: { path: string; symbols: ReturnType<typeof declaredSymbols> }[] = []
  for (const file of wanted) {
    if (found.length === maxSymbolFiles) return { files: found, cut: true }
    const text = await files.text(file.path).then(
      (read) => read.text,
      (error) => {
        if (folder === null) throw error
        return null
      },
    )
    if (text === null) continue
    const symbols = declaredSymbols(syntax.read(file.path, text), text)
    const shown = symbols.map((symbol) => ({ ...symbol, signature: redact(symbol.signature) }))
    if (shown.length > 0) found.push({ path: file.path, symbols: shown })
  }
  return { files: found, cut: false }
}
