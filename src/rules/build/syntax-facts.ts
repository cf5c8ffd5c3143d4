/** What a syntax tree tells about one file, as data: rules compare these and never parse. The workspace extracts them. */

/** A constant that holds a function is a function. */
export type SymbolKind = 'function' | 'method' | 'class' | 'constant' | 'type' | 'module'

/** The name of the one symbol of kind `module`: the statements of a file that stand outside every declaration. */
export const moduleSymbol = '<module>'

export interface SymbolFacts {
  /** Members are symbols of their own, as `Class.member`; the class then holds only what is left of its body. */
  name: string
  kind: SymbolKind
  exported: boolean
  /** What a caller can see of it: parameter names only where callers may use them. A type's is its whole text. */
  signature: string
  bodyHash: string
  /** The body without comments and white space; empty for what has no body. */
  bodyTokens: readonly string[]
  /** Which of the tokens are identifiers, by index, rising. */
  identifiers: readonly number[]
  /** Has no body by intent, so that a marker in it is no stub. */
  abstract?: boolean
}

export interface ImportFacts {
  /** The module as it is written: `node:fs`, `./parser.ts`, `os.path`. */
  module: string
  /** As they are called in this file. */
  names: readonly string[]
  /** As they are called there, where one of them is called otherwise here. */
  taken?: readonly string[]
}

export interface SyntaxFacts {
  /** Relative to the tree, in plain form. */
  file: string
  /** `null`: not code (prose, data, configuration). */
  language: string | null
  /** False where no grammar is at hand or the text does not parse: rules then compare text, and say so. */
  parsed: boolean
  symbols: readonly SymbolFacts[]
  imports: readonly ImportFacts[]
  /** How it runs text as code, each way once: `eval`, `new Function`. */
  evaluates?: readonly string[]
  /** The text itself, for files that are not parsed. */
  lines?: readonly string[]
}

/** Whether two signatures say the same, however they are laid out. */
export function sameSignature(one: SymbolFacts, other: SymbolFacts): boolean {
  return one.kind === other.kind && plainSignature(one.signature) === plainSignature(other.signature)
}

/** Text that nobody kept cannot be called the same. */
export function sameLines(one: SyntaxFacts, other: SyntaxFacts): boolean {
  if (!one.lines || !other.lines) return false
  return one.lines.length === other.lines.length && one.lines.every((line, index) => line === other.lines?.[index])
}

/** Symbols by name; a name declared again (an overload) gets a number, so that none hides another. */
export function symbolsByName(facts: SyntaxFacts | undefined): Map<string, SymbolFacts> {
  const byName = new Map<string, SymbolFacts>()
  for (const symbol of facts?.symbols ?? []) {
    let key = symbol.name
    for (let number = 2; byName.has(key); number++) key = `${symbol.name}#${number}`
    byName.set(key, symbol)
  }
  return byName
}

export function factsByFile(facts: readonly SyntaxFacts[]): Map<string, SyntaxFacts> {
  return new Map(facts.map((one) => [one.file, one]))
}

/** The files of several trees together, each once, in order of name. */
export function filesOf(...trees: readonly (readonly SyntaxFacts[])[]): string[] {
  return [...new Set(trees.flatMap((tree) => tree.map(({ file }) => file)))].sort()
}

function plainSignature(signature: string): string {
  return signature
    .replace(/\s+/g, ' ')
    .replace(/ ?([^\w\s$]) ?/g, '$1')
    .replace(/,(?=[)\]}>])/g, '')
    .replace(/;$/, '')
    .trim()
}
