/** Compares function bodies up to renamed identifiers, and records the renames to check that they are consistent. */

import type { ChangeEntry } from '../build/exits.ts'
import type { SymbolFacts } from '../build/syntax-facts.ts'
import { argumentsFit, closingOf, type Span } from './call-arguments.ts'

export interface Rename {
  from: string
  to: string
}

/** Calls whose arguments may change, because the sibling changed the signature. */
export interface Resigned {
  has(rename: Rename): boolean
  /** The sign for named arguments in the language. */
  naming: ':' | '='
}

/**
 * The renames that turn one body into the other, including unchanged names; undefined if more than names differs.
 * Within a body the mapping is one-to-one.
 */
export function renamesBetween(before: SymbolFacts, after: SymbolFacts, resigned?: Resigned): Rename[] | undefined {
  if (!resigned && before.bodyTokens.length !== after.bodyTokens.length) return undefined
  const names = { before: new Set(before.identifiers), after: new Set(after.identifiers) }
  const [forward, backward] = [new Map<string, string>(), new Map<string, string>()]

  const isSame = (one: Span, other: Span): boolean => {
    let [at, to] = [one.from, other.from]
    for (; at < one.to && to < other.to; at++, to++) {
      const [old, young] = [one.tokens[at]!, other.tokens[to]!]
      if (names.before.has(at) !== names.after.has(to)) return false
      if (!names.before.has(at)) {
        if (old !== young) return false
        continue
      }
      if ((forward.get(old) ?? young) !== young || (backward.get(young) ?? old) !== old) return false
      forward.set(old, young)
      backward.set(young, old)
      if (!resigned?.has({ from: old, to: young })) continue
      const [call, called] = [callAt(one, at + 1), callAt(other, to + 1)]
      if (!call || !called) continue
      if (!argumentsFit(call, called, tried, resigned.naming)) return false
      ;[at, to] = [call.to, called.to]
    }
    return at === one.to && to === other.to
  }

  /** Discards the renames recorded before a difference was found. */
  const tried = (one: Span, other: Span): boolean => {
    const noted = [...forward]
    if (isSame(one, other)) return true
    forward.clear()
    backward.clear()
    for (const [from, to] of noted) {
      forward.set(from, to)
      backward.set(to, from)
    }
    return false
  }

  const whole = ({ bodyTokens }: SymbolFacts) => ({ tokens: bodyTokens, from: 0, to: bodyTokens.length })
  if (!isSame(whole(before), whole(after))) return undefined
  return [...forward].map(([from, to]) => ({ from, to }))
}

/** The tokens between the brackets that open here. */
function callAt({ tokens, to }: Span, at: number): Span | undefined {
  if (at >= to || tokens[at] !== '(') return undefined
  const end = closingOf(tokens, at)
  return end === undefined || end >= to ? undefined : { tokens, from: at + 1, to: end }
}

export function sameLogic(one: SymbolFacts | undefined, other: SymbolFacts | undefined, resigned?: Resigned): boolean {
  if (!one || !other) return one === other
  return renamesBetween(one, other, resigned) !== undefined
}

/**
 * The changes that the sibling announced: changed signatures, and renames, whose arguments may change too.
 * `locals` are a file's own names for changed symbols.
 */
export function resignedBy(
  announced: readonly ChangeEntry[],
  locals: ReadonlySet<string>,
  language: string | null | undefined,
): Resigned | undefined {
  const changed = new Set([...namesOf(announced, 'SignatureChange'), ...locals])
  const [removed, added] = [namesOf(announced, 'RemovedExport'), namesOf(announced, 'NewExport')]
  if (changed.size === 0 && (removed.size === 0 || added.size === 0)) return undefined
  return {
    has: ({ from, to }) => (from === to ? changed.has(from) : removed.has(from) && added.has(to)),
    naming: language === 'python' ? '=' : ':',
  }
}

export function sameBody(one: SymbolFacts, other: SymbolFacts): boolean {
  return one.bodyTokens.length === other.bodyTokens.length && one.bodyTokens.every((t, i) => t === other.bodyTokens[i])
}

export interface NotedRename extends Rename {
  file: string
  symbol: string
}

/**
 * The renames that are not mechanical. A rename that the sibling announced (one export gone, another new) may appear
 * anywhere. Any other must cover every use of the name, and the new name must have been unused: calling another function
 * or swapping two operands looks like a rename but changes logic.
 */
export function unsoundRenames(
  noted: readonly NotedRename[],
  announced: readonly ChangeEntry[],
  declared: ReadonlySet<string>,
): NotedRename[] {
  const removed = namesOf(announced, 'RemovedExport')
  const added = namesOf(announced, 'NewExport')
  const isAnnounced = ({ from, to }: Rename) => removed.has(from) && added.has(to)
  const targets = new Map<string, Set<string>>()
  const sources = new Map<string, Set<string>>()
  for (const { from, to } of noted) {
    targets.set(from, (targets.get(from) ?? new Set()).add(to))
    sources.set(to, (sources.get(to) ?? new Set()).add(from))
  }
  return noted.filter((rename) => {
    const { from, to } = rename
    if (from === to) return false
    const isSplit = [...targets.get(from)!].some((name) => name !== to && !(isAnnounced(rename) && name === from))
    const isJoined = [...sources.get(to)!].some((name) => name !== from && !(isAnnounced(rename) && name === to))
    const isTaken = targets.has(to) || declared.has(to)
    return isSplit || isJoined || (isTaken && !isAnnounced(rename))
  })
}

/** A member is announced as `Class.member`, but used by its last part. */
function namesOf(changes: readonly ChangeEntry[], changeType: ChangeEntry['changeType']): Set<string> {
  const symbols = changes.filter((change) => change.changeType === changeType).map(({ symbol }) => symbol)
  return new Set(symbols.flatMap((symbol) => [symbol, symbol.slice(symbol.lastIndexOf('.') + 1)]))
}
