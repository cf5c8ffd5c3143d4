/** Compares function bodies apart from renamed identifiers, and keeps account of the renames so that they can be held consistent. */
import type { ChangeEntry } from './exits.ts'
import type { SymbolFacts } from './syntax-facts.ts'

export interface Rename {
  from: string
  to: string
}

/**
 * The names that turn one body into the other, those that stay included; nothing where more than names differs.
 * Within the one body a name has one new name, and no two get the same.
 */
export function renamesBetween(before: SymbolFacts, after: SymbolFacts): Rename[] | undefined {
  if (before.bodyTokens.length !== after.bodyTokens.length) return undefined
  if (before.identifiers.length !== after.identifiers.length) return undefined
  const [forward, backward] = [new Map<string, string>(), new Map<string, string>()]
  const isName = new Set(before.identifiers)
  const namesAfter = new Set(after.identifiers)
  for (const [index, from] of before.bodyTokens.entries()) {
    const to = after.bodyTokens[index]!
    if (isName.has(index) !== namesAfter.has(index)) return undefined
    if (!isName.has(index)) {
      if (from !== to) return undefined
      continue
    }
    if ((forward.get(from) ?? to) !== to || (backward.get(to) ?? from) !== from) return undefined
    forward.set(from, to)
    backward.set(to, from)
  }
  return [...forward].map(([from, to]) => ({ from, to }))
}

export function sameLogic(one: SymbolFacts | undefined, other: SymbolFacts | undefined): boolean {
  if (!one || !other) return one === other
  return renamesBetween(one, other) !== undefined
}

export function sameBody(one: SymbolFacts, other: SymbolFacts): boolean {
  return one.bodyTokens.length === other.bodyTokens.length && one.bodyTokens.every((t, i) => t === other.bodyTokens[i])
}

export interface NotedRename extends Rename {
  file: string
  symbol: string
}

/**
 * The renames that are not mechanical. What a sibling announced (an export gone, another new) may be renamed wherever it
 * is used. Any other rename must hold for every use of the name, and may not take a name that already stood for something:
 * calling another function instead, or swapping two operands, looks like a rename and is a change of logic.
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

/** A member's announced name is `Class.member`; at its uses only the last part is written. */
function namesOf(changes: readonly ChangeEntry[], changeType: ChangeEntry['changeType']): Set<string> {
  const symbols = changes.filter((change) => change.changeType === changeType).map(({ symbol }) => symbol)
  return new Set(symbols.flatMap((symbol) => [symbol, symbol.slice(symbol.lastIndexOf('.') + 1)]))
}
