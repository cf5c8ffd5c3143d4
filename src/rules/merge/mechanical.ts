/** Checks that a rebase made only mechanical edits (imports, renames, signatures) and changed no logic. SPEC.md § RB2. */

import type { ChangeEntry } from '../build/exits.ts'
import { factsByFile, filesOf, type SymbolFacts, type SyntaxFacts, symbolsByName } from '../build/syntax-facts.ts'
import { byCodeUnit } from '../text/by-code-unit.ts'
import { resignedDefaults } from './default-imports.ts'
import {
  type NotedRename,
  type Resigned,
  renamesBetween,
  resignedBy,
  sameBody,
  sameLogic,
  unsoundRenames,
} from './rename-ledger.ts'
import { mergedLinesProblem } from './text-merge.ts'

export interface RebaseFacts {
  /** The node's own work before the rebase. */
  before: readonly SyntaxFacts[]
  /** The result of the rebase. */
  after: readonly SyntaxFacts[]
  /** The branch it was rebased onto, with the sibling's merge; code taken from there unchanged is accepted. */
  canon?: readonly SyntaxFacts[]
  /** The merge base. With it, lost work of either side is found too. */
  base?: readonly SyntaxFacts[]
  /** What the sibling's merge announced. */
  announced?: readonly ChangeEntry[]
}

export interface Violation {
  file: string
  symbol: string
  why: string
}

export function mechanical(rebase: RebaseFacts): { mechanical: boolean; violations: Violation[] } {
  const { before, after, canon = [], base, announced = [] } = rebase
  const trees = { before: factsByFile(before), after: factsByFile(after), canon: factsByFile(canon) }
  const origin = base && factsByFile(base)
  const renames: NotedRename[] = []
  const inBodies = filesOf(before, after, canon).flatMap((file) => {
    const sides = {
      before: trees.before.get(file),
      after: trees.after.get(file),
      canon: trees.canon.get(file),
      base: origin?.get(file),
    }
    const code = [sides.before, sides.after, sides.canon].filter((facts) => facts && facts.language !== null)
    if (code.some((facts) => !facts?.parsed)) return textViolations(file, sides, origin !== undefined)
    const locals = resignedDefaults(sides.before, origin ?? trees.before, trees.canon)
    return symbolViolations(file, sides, { baseKnown: origin !== undefined, announced, locals, renames })
  })
  const inNames = unsoundRenames(renames, announced, namesIn(before, base ?? [])).map(({ file, symbol, from, to }) => ({
    file,
    symbol,
    why: `${from} became ${to} here, which is not a rename of every use`,
  }))
  const violations = [...inBodies, ...inNames]
  return { mechanical: violations.length === 0, violations }
}

interface Sides<One> {
  before: One | undefined
  after: One | undefined
  canon: One | undefined
  base: One | undefined
}

function symbolViolations(
  file: string,
  sides: Sides<SyntaxFacts>,
  rebase: {
    baseKnown: boolean
    announced: readonly ChangeEntry[]
    locals: ReadonlySet<string>
    renames: NotedRename[]
  },
): Violation[] {
  const of = {
    before: logicOf(sides.before),
    after: logicOf(sides.after),
    canon: logicOf(sides.canon),
    base: logicOf(sides.base),
  }
  const resigned = resignedBy(rebase.announced, rebase.locals, sides.after?.language)
  const renamed = renamedSymbols(of.before, of.after, of.canon)
  const names = [...new Set([...of.before.keys(), ...of.after.keys(), ...of.canon.keys()])].sort()
  return names.flatMap((name) => {
    if (renamed.old.has(name)) return []
    const old = renamed.young.get(name) ?? name
    const symbol: Sides<SymbolFacts> = {
      before: of.before.get(old),
      after: of.after.get(name),
      canon: of.canon.get(name) ?? of.canon.get(old),
      base: of.base.get(old),
    }
    const why = rebase.baseKnown ? threeWay(symbol, resigned) : twoWay(symbol, rebase.announced, resigned)
    if (why) return [{ file, symbol: name, why }]
    rebase.renames.push(...renamesOf(file, name, symbol, resigned))
    return []
  })
}

/** With both sides and their base known, each side's own change must be in the result unchanged. */
function threeWay({ before, after, canon, base }: Sides<SymbolFacts>, resigned?: Resigned): string | undefined {
  const ours = !sameLogic(base, before)
  const theirs = !sameLogic(base, canon)
  if (ours && theirs) {
    const agreed = sameLogic(before, canon) && sameLogic(before, after)
    return agreed ? undefined : 'both sides changed it, so merging them changes logic'
  }
  if (theirs) return isExactly(after, canon) ? undefined : undone(after, 'the sibling')
  if (sameLogic(before, after, resigned)) return undefined
  if (!ours && isExactly(after, canon)) return undefined
  return ours ? undone(after, 'the draft') : changed(before, after)
}

function twoWay(
  { before, after, canon }: Sides<SymbolFacts>,
  announced: readonly ChangeEntry[],
  resigned?: Resigned,
): string | undefined {
  if (after && canon && sameBody(after, canon)) return undefined
  if (before && after && sameLogic(before, after, resigned)) return undefined
  const gone = before ?? canon
  const isAnnouncedGone = announced.some((c) => c.changeType === 'RemovedExport' && c.symbol === gone?.name)
  if (!after && !canon && isAnnouncedGone) return undefined
  return changed(before ?? canon, after)
}

function changed(before: SymbolFacts | undefined, after: SymbolFacts | undefined): string {
  if (!before) return 'it is new: the rebase added logic'
  if (!after) return 'it is gone: the rebase removed logic'
  return 'its body changed by more than names'
}

function undone(after: SymbolFacts | undefined, whose: string): string {
  return after ? `its body is no longer as ${whose} wrote it` : `it is gone, and with it what ${whose} wrote`
}

function isExactly(one: SymbolFacts | undefined, other: SymbolFacts | undefined): boolean {
  return one && other ? sameBody(one, other) : one === other
}

/** Only bodies that are ours show how names changed; those taken from the sibling use its names. */
function renamesOf(
  file: string,
  symbol: string,
  { before, after, canon }: Sides<SymbolFacts>,
  resigned?: Resigned,
): NotedRename[] {
  if (!before || !after || (canon && sameBody(after, canon) && !sameBody(before, canon))) return []
  const renames = [...(renamesBetween(before, after, resigned) ?? []), { from: before.name, to: after.name }]
  return renames.map((rename) => ({ file, symbol, ...rename }))
}

/** Pairs each removed symbol with a new one that has the same logic, in order of name, each once. */
function renamedSymbols(
  before: Map<string, SymbolFacts>,
  after: Map<string, SymbolFacts>,
  canon: Map<string, SymbolFacts>,
): { old: Set<string>; young: Map<string, string> } {
  const old = new Set<string>()
  const young = new Map<string, string>()
  const gone = [...before].filter(([name]) => !after.has(name)).sort(byNameOf)
  for (const [name, symbol] of [...after].sort(byNameOf)) {
    if (before.has(name) || canon.has(name)) continue
    const match = gone.find(([other, candidate]) => !old.has(other) && sameLogic(candidate, symbol))
    if (!match) continue
    old.add(match[0])
    young.set(name, match[0])
  }
  return { old, young }
}

function textViolations(file: string, sides: Sides<SyntaxFacts>, baseKnown: boolean): Violation[] {
  const linesOf = (facts: SyntaxFacts | undefined) => (facts ? facts.lines : [])
  const why = mergedLinesProblem({
    before: linesOf(sides.before),
    after: linesOf(sides.after),
    canon: linesOf(sides.canon),
    base: baseKnown ? linesOf(sides.base) : undefined,
  })
  return why ? [{ file, symbol: file, why }] : []
}

/** Names that are in use: declared or imported. */
function namesIn(...trees: readonly (readonly SyntaxFacts[])[]): Set<string> {
  const names = trees
    .flat()
    .flatMap(({ symbols, imports }) => [
      ...symbols.map(({ name }) => name.slice(name.lastIndexOf('.') + 1)),
      ...imports.flatMap((one) => one.names),
    ])
  return new Set(names)
}

/** Declarations without a body have no logic: types and signatures may change freely. */
function logicOf(facts: SyntaxFacts | undefined): Map<string, SymbolFacts> {
  return new Map([...symbolsByName(facts)].filter(([, symbol]) => symbol.bodyTokens.length > 0))
}

function byNameOf([one]: [string, unknown], [other]: [string, unknown]): number {
  return byCodeUnit(one, other)
}
