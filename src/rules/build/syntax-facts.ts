/** Facts about one file from its syntax tree. The workspace extracts them; rules compare them and never parse. */

/** A constant that holds a function is a function. */
export type SymbolKind = 'function' | 'method' | 'class' | 'constant' | 'type' | 'module'

/** The name of the symbol of kind `module`, which holds the statements outside every declaration. */
export const moduleSymbol = '<module>'

export interface SymbolFacts {
  /** Members are separate symbols, as `Class.member`; the class holds the rest of its body. */
  name: string
  kind: SymbolKind
  exported: boolean
  /** What a caller sees: parameter names only if callers can use them. For a type, its whole text. */
  signature: string
  bodyHash: string
  /** The body without comments and white space; empty without a body. */
  bodyTokens: readonly string[]
  /** The indices of the identifiers among the tokens, ascending. */
  identifiers: readonly number[]
  /** Has no body on purpose, so it is not a stub. */
  abstract?: boolean
}

export interface ImportFacts {
  /** The module as it is written: `node:fs`, `./parser.ts`, `os.path`. */
  module: string
  /** Their local names. */
  names: readonly string[]
  /** Their exported names, if one of them has another local name. */
  taken?: readonly string[]
}

export interface SyntaxFacts {
  /** Relative to the tree, in normal form. */
  file: string
  /** `null`: not code (prose, data, configuration). */
  language: string | null
  /** False without a grammar or on a syntax error: rules then compare text, and say so. */
  parsed: boolean
  symbols: readonly SymbolFacts[]
  imports: readonly ImportFacts[]
  /** The ways it runs text as code, each once: `eval`, `new Function`. */
  evaluates?: readonly string[]
  /** It lists what it exports, where its language does without: Python's `__all__`. */
  listsExports?: true
  /** The text itself, for files that are not parsed. */
  lines?: readonly string[]
}

/** Whether two signatures are equal apart from formatting. */
export function sameSignature(one: SymbolFacts, other: SymbolFacts): boolean {
  return isSameKind(one, other) && plainSignature(one.signature) === plainSignature(other.signature)
}

/** Of a constant whose type is stated, callers do not see whether the function it holds is written there or made elsewhere. */
function isSameKind(one: SymbolFacts, other: SymbolFacts): boolean {
  const isStated = ({ kind, signature }: SymbolFacts) =>
    (kind === 'function' || kind === 'constant') && /^(default )?[\w$.]+ ?(:|as\b)/.test(signature)
  return one.kind === other.kind || (isStated(one) && isStated(other))
}

/** Missing text never counts as equal. */
export function sameLines(one: SyntaxFacts, other: SyntaxFacts): boolean {
  if (!one.lines || !other.lines) return false
  return one.lines.length === other.lines.length && one.lines.every((line, index) => line === other.lines?.[index])
}

/** Symbols by name; a repeated name (an overload) gets a number, so that none hides another. */
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
