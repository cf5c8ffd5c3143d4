/** Checks a merged file without a syntax tree line by line: both sides' lines, in order, and no others. SPEC.md § RB2. */

export interface TextVersions {
  /** The draft, the result, and the branch rebased onto. `undefined`: the text is not available. */
  before: readonly string[] | undefined
  after: readonly string[] | undefined
  canon: readonly string[] | undefined
  /** The merge base. Without it, every line of either side must be kept. */
  base?: readonly string[]
}

/** The problem with the result, or undefined if it is a union of the two sides. */
export function mergedLinesProblem({ before, after, canon, base = [] }: TextVersions): string | undefined {
  if (!before || !after || !canon)
    return 'it does not parse and its text is not available, so the edit cannot be checked'
  const [ours, result, theirs] = [wordsOf(before), wordsOf(after), wordsOf(canon)]
  const [inOurs, inTheirs, inBase] = [new Set(ours), new Set(theirs), new Set(wordsOf(base))]
  if (result.some((line) => !inOurs.has(line) && !inTheirs.has(line))) return 'it has lines that neither side wrote'

  const keptOurs = ours.filter((line) => inTheirs.has(line) || !inBase.has(line))
  const keptTheirs = theirs.filter((line) => inOurs.has(line) || !inBase.has(line))
  if (!isSubsequence(keptOurs, result)) return 'lines of the draft are lost or out of order'
  if (!isSubsequence(keptTheirs, result)) return 'lines of the sibling are lost or out of order'
  return undefined
}

function wordsOf(lines: readonly string[]): string[] {
  return lines.map((line) => line.trim()).filter((line) => line !== '')
}

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let found = 0
  for (const line of whole) if (line === part[found]) found++
  return found === part.length
}
