/** Symbols while a file is being read: who exports them is only known at its end. Shared by all languages. */
import { createHash } from 'node:crypto'
import type { SymbolFacts, SymbolKind } from '../../rules/build/syntax-facts.ts'
import { signatureText, TokenList } from './token-list.ts'

export interface ParameterDraft {
  names: readonly string[]
  /** What is bound, with its default: no types. */
  tokens: TokenList
  /** It does something of its own: it has a default, or takes its argument apart. */
  hasLogic: boolean
}

export interface SymbolDraft {
  /** The name at the top of the file that it belongs to, and that is exported or not. */
  root: string
  name: string
  kind: SymbolKind
  /** Not seen from outside, even where the root is. */
  isHidden?: boolean
  isAbstract?: boolean
  /** Its tokens for a given name, so that an alias can be signed too. */
  sign: (name: string) => readonly string[]
  parameters?: readonly ParameterDraft[]
  body?: TokenList
}

/** The facts of one draft. Where its parameters hold logic, a symbol of their own tells it. */
export function draftFacts(draft: SymbolDraft, exported: boolean, mark = ''): SymbolFacts[] {
  const { name, kind, isAbstract, isHidden, body } = draft
  const facts: SymbolFacts = {
    name,
    kind,
    exported: exported && !isHidden,
    signature: [mark, signatureText(draft.sign(name))].filter(Boolean).join(' '),
    bodyHash: bodyHash(draft),
    bodyTokens: body?.tokens ?? [],
    identifiers: body?.identifiers ?? [],
    ...(isAbstract ? { abstract: true } : {}),
  }
  const bound = parameterFacts(draft)
  return bound ? [facts, bound] : [facts]
}

/** The same thing under another name: it changes when the thing does, and holds no logic of its own. */
export function aliasFacts(draft: SymbolDraft, alias: string): SymbolFacts {
  const name = `${alias}${draft.name.slice(draft.root.length)}`
  return {
    name,
    kind: draft.kind,
    exported: true,
    signature: signatureText(draft.sign(draft.name === draft.root ? alias : draft.name)),
    bodyHash: bodyHash(draft),
    bodyTokens: [],
    identifiers: [],
  }
}

/** What is exported and lies elsewhere. Where it comes from is no part of what callers see. */
export function foreignFacts(name: string, source: readonly string[]): SymbolFacts {
  return {
    name,
    kind: 'constant',
    exported: true,
    signature: name,
    bodyHash: hashOf(source),
    bodyTokens: [],
    identifiers: [],
  }
}

/** Callers see overloads and not the function behind them, which comes first so that a new overload moves nothing. */
export function orderOverloads(drafts: readonly SymbolDraft[]): SymbolDraft[] {
  const callable = drafts.filter(({ kind }) => kind === 'function' || kind === 'method')
  const behind = new Map(callable.filter(({ body }) => body).map((draft) => [draft.name, draft]))
  const overloads = callable.filter(({ name, body }) => !body && behind.has(name))
  const byName = Map.groupBy(overloads, ({ name }) => name)
  const moved = new Set(overloads)
  return drafts.flatMap((draft) => {
    if (moved.has(draft)) return []
    const own = behind.get(draft.name) === draft ? byName.get(draft.name) : undefined
    return own ? [{ ...draft, sign: (name: string) => [name, '(', 'overloads', ')'] }, ...own] : [draft]
  })
}

function bodyHash(draft: SymbolDraft): string {
  if (!draft.body) return hashOf([])
  const used = usedParameters(draft).map(({ position, tokens }) => [position, ...tokens.tokens])
  return hashOf(used.length > 0 ? [used, draft.body.tokens] : draft.body.tokens)
}

/**
 * The parameters a body uses, in order. Types are no logic and unused parameters neither, so both may be adjusted; two
 * that change places, or a default that becomes another, change what the body does without touching it.
 */
function parameterFacts(draft: SymbolDraft): SymbolFacts | undefined {
  const used = usedParameters(draft)
  if (used.length < 2 && !used.some(({ hasLogic }) => hasLogic)) return undefined
  const list = new TokenList()
  for (const [index, { tokens }] of used.entries()) {
    if (index > 0) list.word(',')
    list.append(tokens)
  }
  const name = `${draft.name}.<parameters>`
  return {
    name,
    kind: 'constant',
    exported: false,
    signature: name,
    bodyHash: hashOf(list.tokens),
    bodyTokens: list.tokens,
    identifiers: list.identifiers,
  }
}

function usedParameters({ parameters = [], body }: SymbolDraft): (ParameterDraft & { position: number })[] {
  if (!body || parameters.length === 0) return []
  const inBody = body.names
  const placed = parameters.map((parameter, position) => ({ ...parameter, position }))
  return placed.filter(({ hasLogic, names }) => hasLogic || names.some((name) => inBody.has(name)))
}

function hashOf(tokens: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(tokens)).digest('hex')
}
