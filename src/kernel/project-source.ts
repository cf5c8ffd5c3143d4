/** The port to one commit of the project, which agents read through tools. Nothing behind it can be written. */

/** Methods reject with an `Error` whose message tells the agent what was wrong with its request. */
export interface ProjectSource {
  /** The commit, as a full hash. */
  readonly commit: string
  /** For the front of a prompt: the source itself if it is small, else files with their symbols and purposes. */
  readonly map: string
  /** The same in a few hundred tokens, for cheap asks. */
  readonly outline: string
  /** The files whose whole text is in the map. */
  readonly inlined: readonly string[]
  /** Files and folders below a folder, `''` being the project, in order of path. */
  list(folder: string, depth: number): Promise<SourceEntry[]>
  /** The text of a file, with secrets replaced. */
  read(path: string): Promise<string>
  search(query: SourceQuery, signal: AbortSignal): Promise<{ matches: SourceMatch[]; cut: boolean }>
  /** What a file declares for others, or the files below a folder do. */
  symbols(path: string): Promise<{ files: FileSymbols[]; cut: boolean }>
  log(query: { path?: string; count: number }, signal: AbortSignal): Promise<string>
  diff(query: { from: string; to?: string; path?: string }, signal: AbortSignal): Promise<string>
  blame(query: { path: string; from: number; lines: number }, signal: AbortSignal): Promise<string>
}

/** What agents can read now, or why they can read nothing. */
export type SourceState = { ok: true; source: ProjectSource } | { ok: false; why: string }

/** Where floors get the source from. */
export interface ReadableSource {
  latest(): Promise<SourceState>
  /** How many model replies, tool calls included, one ask may take. */
  maxSteps: number
  /** A clean checkout of a commit, for an agent that reads with its own tools. Thrown away on release. */
  checkout(commit: string): Promise<{ folder: string; release(): Promise<void> }>
}

export interface SourceEntry {
  path: string
  kind: 'file' | 'folder' | 'link' | 'submodule'
  /** Of a file, in bytes; of a folder, how many files are below it. */
  size: number
  /** A folder whose contents are left out: it is deeper than asked. */
  closed?: true
}

export interface SourceQuery {
  /** A Perl-compatible regular expression, or plain text if it is not a valid one. */
  pattern: string
  folder: string
  ending: string
  ignoreCase: boolean
  limit: number
}

export interface SourceMatch {
  path: string
  line: number
  text: string
}

export interface FileSymbols {
  path: string
  symbols: SourceSymbol[]
}

export interface SourceSymbol {
  name: string
  kind: string
  signature: string
  /** Where it seems to be declared; absent if that cannot be told. */
  line?: number
}
