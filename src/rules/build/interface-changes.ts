/** Compares interfaces by exports and signatures: bodies may change, the rest may not. SPEC.md § VF3. */

import { oneLine } from '../text/one-line.ts'
import { addsOnlyOptional, addsOnlyOptions } from '../text/wider-signature.ts'
import { fillsStub, saysNothing } from './filled-stub.ts'
import { stubsIn } from './stub-markers.ts'
import {
  factsByFile,
  filesOf,
  type SymbolFacts,
  type SyntaxFacts,
  sameLines,
  sameSignature,
  symbolsByName,
} from './syntax-facts.ts'

interface InterfaceChange {
  file: string
  message: string
  /** Whoever uses what was there before may have to follow: something is gone, or no longer exported. */
  isLoss?: true
}

/** Exports that may be added, because tests need them. */
export interface NeededExports {
  /** Seen to be missing: a run may end at the first of several. */
  promised: readonly { file: string; name: string }[]
  /** The words of the tests. */
  named: ReadonlySet<string>
}

export interface InterfaceChanges {
  changes: InterfaceChange[]
  /** Files that could not be compared because they do not parse and may change. */
  unchecked: string[]
}

/**
 * `open` are files that the node also writes, such as a target that is its own interface. If one of these does not parse
 * it is reported as unchecked; any other file that does not parse is compared as text.
 */
export function interfaceChanges(
  before: readonly SyntaxFacts[],
  after: readonly SyntaxFacts[],
  open: readonly string[] = [],
  { promised, named }: NeededExports = { promised: [], named: new Set() },
): InterfaceChanges {
  const [old, young] = [factsByFile(before), factsByFile(after)]
  const result: InterfaceChanges = { changes: [], unchecked: [] }
  for (const file of filesOf(before)) {
    const [was, is] = [old.get(file)!, young.get(file)]
    if (!is) result.changes.push({ file, message: `${file} is gone`, isLoss: true })
    else if (was.parsed && is.parsed) {
      const wanted = promised.filter((one) => one.file === file).map(({ name }) => name)
      const isOpen = open.includes(file)
      result.changes.push(
        ...exportChanges(file, was, is, { promised: wanted, named: isOpen ? named : new Set() }, isOpen),
      )
    } else if (open.includes(file)) result.unchecked.push(file)
    else if (!sameLines(was, is)) result.changes.push({ file, message: `the text of ${file} changed` })
  }
  return result
}

function exportChanges(
  file: string,
  was: SyntaxFacts,
  is: SyntaxFacts,
  { promised, named }: { promised: readonly string[]; named: ReadonlySet<string> },
  isOpen: boolean,
): InterfaceChange[] {
  const [old, young] = [byExport(was), byExport(is)]
  const names = [...new Set([...old.keys(), ...young.keys()])].sort()
  // Where nothing lists them, every function of a Python module can be imported, helpers too.
  const isByConvention = is.language === 'python' && !is.listsExports
  const stubNames = new Set(stubsIn(was).map(({ symbol }) => symbol))
  return names.flatMap((name) => {
    const [before, after] = [old.get(name), young.get(name)]
    if (before?.exported && !after?.exported)
      return [{ file, message: `${file} no longer exports ${name}`, isLoss: true }]
    if (!before?.exported && after?.exported) {
      // A new member of what was exported before breaks nobody.
      const isMember = isOpen && old.get(name.slice(0, Math.max(0, name.lastIndexOf('.'))))?.exported
      // A public name of a Python module can be imported before `__all__` lists it.
      const isPublic = is.language === 'python' && before !== undefined && !before.name.startsWith('_')
      const mayBe =
        isMember ||
        (isOpen && (isByConvention || isPublic)) ||
        isPromised(name, promised) ||
        named.has(name.split('.')[0]!)
      return mayBe ? [] : [{ file, message: `${file} now exports ${name} too` }]
    }
    if (!before?.exported || !after?.exported || sameSignature(before, after)) return []
    if (stubNames.has(before.local) && fillsStub(before, after, { language: is.language, mayTakeMore: isOpen }))
      return []
    // What another function makes is called as that says: the tests and the type checker see it.
    if (isOpen && saysNothing(after)) return []
    // A target that takes more than before breaks nobody.
    if (isOpen && isWider(before, after, is.language)) return []
    const shown = [before, after].map(({ signature }) => `\`${oneLine(signature, longestShown)}\``)
    return [{ file, message: `the signature of ${name} in ${file} changed: ${shown.join(' became ')}` }]
  })
}

const longestShown = 120

/** Symbols by the names that importers use: a default export is one thing, whatever its file calls it. */
function byExport(facts: SyntaxFacts): Map<string, SymbolFacts & { local: string }> {
  const isDefault = ({ exported, signature }: SymbolFacts) => exported && /^default\b/.test(signature)
  return new Map(
    [...symbolsByName(facts)].map(([key, symbol]) => {
      const local = symbol.name
      if (!isDefault(symbol)) return [key, { ...symbol, local }]
      const signature = symbol.signature.replace(/^default /, '').replace(local, 'default')
      return ['default', { ...symbol, name: 'default', signature, local }]
    }),
  )
}

function isWider(before: SymbolFacts, after: SymbolFacts, language: string | null): boolean {
  if (before.kind !== after.kind) return false
  // A class that extends nothing yet may come to extend or decorate something.
  if (before.kind === 'class')
    return before.signature === `class ${before.name}` && !/\babstract\b/.test(after.signature)
  return before.kind === 'type'
    ? addsOnlyOptional(before.signature, after.signature)
    : addsOnlyOptions(before.signature, after.signature, language)
}

/** Members of a promised export belong to it. A default export is listed under its own name, which tests do not know. */
function isPromised(name: string, promised: readonly string[]): boolean {
  return promised.some((one) => one === 'default' || name === one || name.startsWith(`${one}.`))
}
