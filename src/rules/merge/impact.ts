/** Computes the impact of a merge from added, removed and changed exports. SPEC.md § MG3. */
import type { ChangeEntry, ImpactLevel } from '../build/exits.ts'
import {
  factsByFile,
  filesOf,
  type SymbolFacts,
  type SyntaxFacts,
  sameLines,
  sameSignature,
  symbolsByName,
} from '../build/syntax-facts.ts'
import { addsOnlyOptional, addsOnlyOptions } from '../text/wider-signature.ts'

export interface Impact {
  impactLevel: ImpactLevel
  changes: ChangeEntry[]
  /** Code without a syntax tree: compared as text, with unknown exports. */
  unparsed: string[]
}

/** Takes the facts of the changed files before and after; a file in only one list was added or removed. */
export function impact(before: readonly SyntaxFacts[], after: readonly SyntaxFacts[]): Impact {
  const [old, young] = [factsByFile(before), factsByFile(after)]
  const files = filesOf(before, after)
  const changes = files.flatMap((file) => fileChanges(file, old.get(file), young.get(file)))
  const unparsed = files.filter((file) => isUnparsedCode(old.get(file)) || isUnparsedCode(young.get(file)))
  return { impactLevel: levelOf(changes), changes, unparsed }
}

function levelOf(changes: readonly ChangeEntry[]): ImpactLevel {
  if (changes.some(({ changeType }) => changeType === 'RemovedExport' || changeType === 'SignatureChange')) {
    return 'Breaking'
  }
  return changes.length > 0 ? 'Additive' : 'Trivial'
}

function fileChanges(file: string, before: SyntaxFacts | undefined, after: SyntaxFacts | undefined): ChangeEntry[] {
  if (isUnparsedCode(before) || isUnparsedCode(after)) return textChanges(file, before, after)
  const [old, young] = [exportsOf(before), exportsOf(after)]
  const names = [...new Set([...old.keys(), ...young.keys()])].sort()
  return names.flatMap((name) => symbolChange(file, name, old.get(name), young.get(name)) ?? [])
}

function symbolChange(file: string, name: string, before?: SymbolFacts, after?: SymbolFacts): ChangeEntry | undefined {
  const symbol = (after ?? before)?.name ?? name
  if (!after) return { symbol, changeType: 'RemovedExport', reason: `${file} no longer exports it` }
  if (!before) return { symbol, changeType: 'NewExport', reason: `new in ${file}` }
  if (!sameSignature(before, after)) {
    const isHeld = before.kind === after.kind && (before.kind === 'type' || before.kind === 'constant')
    if (isHeld && addsOnlyOptional(before.signature, after.signature))
      return { symbol, changeType: 'BehaviorChange', reason: `it gained optional members or methods in ${file}` }
    const isCalled = [before, after].every(({ kind }) => kind === 'function' || kind === 'method')
    if (isCalled && addsOnlyOptions(before.signature, after.signature))
      return {
        symbol,
        changeType: 'BehaviorChange',
        reason: `it takes or returns more that may be left out in ${file}`,
      }
    return { symbol, changeType: 'SignatureChange', reason: `its signature in ${file} changed` }
  }
  if (before.bodyHash !== after.bodyHash) {
    return { symbol, changeType: 'BehaviorChange', reason: `its body in ${file} changed, its signature did not` }
  }
  return undefined
}

/** Without a syntax tree the file itself stands for its exports. A file that no longer parses may have lost any of them. */
function textChanges(file: string, before?: SyntaxFacts, after?: SyntaxFacts): ChangeEntry[] {
  const change = (changeType: ChangeEntry['changeType'], reason: string) => [{ symbol: file, changeType, reason }]
  if (!after) return change('RemovedExport', 'the file is gone')
  if (!before) return change('NewExport', 'the file is new; it was not parsed')
  if (before.parsed && !after.parsed) return change('SignatureChange', 'the file no longer parses')
  if (sameLines(before, after)) return []
  return change('BehaviorChange', 'its text changed; it was not parsed')
}

function isUnparsedCode(facts: SyntaxFacts | undefined): boolean {
  return facts !== undefined && facts.language !== null && !facts.parsed
}

function exportsOf(facts: SyntaxFacts | undefined): Map<string, SymbolFacts> {
  return new Map([...symbolsByName(facts)].filter(([, symbol]) => symbol.exported))
}
