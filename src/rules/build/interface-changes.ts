/** Compares interfaces by what they export, not by their text: bodies may be filled in, exports and signatures stay. SPEC.md § VF3. */
import { factsByFile, filesOf, type SyntaxFacts, sameLines, sameSignature, symbolsByName } from './syntax-facts.ts'

export interface InterfaceChanges {
  changes: { file: string; message: string }[]
  /** Files that could not be compared: not parsed, and allowed to change otherwise. */
  unchecked: string[]
}

/**
 * `open` are files that are also written into, such as a target that is its own interface. One of these that does not
 * parse cannot be held to anything but is named; any other is held to its text.
 */
export function interfaceChanges(
  before: readonly SyntaxFacts[],
  after: readonly SyntaxFacts[],
  open: readonly string[] = [],
): InterfaceChanges {
  const [old, young] = [factsByFile(before), factsByFile(after)]
  const result: InterfaceChanges = { changes: [], unchecked: [] }
  for (const file of filesOf(before)) {
    const [was, is] = [old.get(file)!, young.get(file)]
    if (!is) result.changes.push({ file, message: `${file} is gone` })
    else if (was.parsed && is.parsed) result.changes.push(...exportChanges(file, was, is))
    else if (open.includes(file)) result.unchecked.push(file)
    else if (!sameLines(was, is)) result.changes.push({ file, message: `the text of ${file} changed` })
  }
  return result
}

function exportChanges(file: string, was: SyntaxFacts, is: SyntaxFacts): { file: string; message: string }[] {
  const [old, young] = [symbolsByName(was), symbolsByName(is)]
  const names = [...new Set([...old.keys(), ...young.keys()])].sort()
  return names.flatMap((name) => {
    const [before, after] = [old.get(name), young.get(name)]
    if (before?.exported && !after?.exported) return [{ file, message: `${file} no longer exports ${name}` }]
    if (!before?.exported && after?.exported) return [{ file, message: `${file} now exports ${name} too` }]
    if (!before?.exported || !after?.exported || sameSignature(before, after)) return []
    return [{ file, message: `the signature of ${name} in ${file} changed` }]
  })
}
