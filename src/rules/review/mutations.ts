/** Chooses small changes of new code that a good test would notice: a dropped branch, a constant result, another comparison. VF12. */

export const defaultMutations = 4

export const mutationKinds = ['condition', 'result', 'comparison'] as const

/** A place in the code that can be changed. Positions count characters; lines count from 1. */
export interface MutableNode {
  file: string
  /** `condition` of a branch, `result` of a function, or the sign of a `comparison`. */
  kind: (typeof mutationKinds)[number]
  start: number
  end: number
  line: number
  endLine: number
  text: string
  /** The fixed text that a result begins with, as code. */
  beginning?: string
  language: 'script' | 'python'
}

export interface Mutation {
  file: string
  line: number
  start: number
  end: number
  replacement: string
  /** What was changed, in words. */
  change: string
}

export interface MutationFacts {
  nodes: readonly MutableNode[]
  /** The lines that the work added, by file. */
  added: ReadonlyMap<string, ReadonlySet<number>>
  most: number
}

/** Weak tests: they noticed no change, and the outcome of most is clear. One of several may be equivalent code. */
export function noticesNothing(tried: readonly { outcome: 'unnoticed' | 'noticed' | 'unclear' }[]): boolean {
  const count = (wanted: string) => tried.filter(({ outcome }) => outcome === wanted).length
  return count('noticed') === 0 && count('unnoticed') > count('unclear')
}

/** Kinds take turns, so that a few mutations tell different things; within a kind, files and lines in order. */
export function chosenMutations({ nodes, added, most }: MutationFacts): Mutation[] {
  const isNew = ({ file, line, endLine }: MutableNode) => {
    const lines = added.get(file)
    for (let at = line; at <= endLine; at++) if (!lines?.has(at)) return false
    return true
  }
  const turns = mutationKinds.map((kind) =>
    nodes
      .filter((node) => node.kind === kind && isNew(node))
      .sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.start - b.start))
      .flatMap((node) => mutationOf(node) ?? []),
  )
  const longest = Math.max(...turns.map((turn) => turn.length))
  const inTurns = Array.from({ length: longest }, (_, round) => turns.flatMap((turn) => turn[round] ?? [])).flat()
  return inTurns.slice(0, Math.max(0, most))
}

/** Lines that none of the earlier texts had: what siblings merged since is theirs. A line that only moved is not new. */
export function addedLines(earlier: readonly string[], after: string): Set<number> {
  const lines = linesOf(after)
  const added = earlier.map((text) => addedTo(linesOf(text), lines))
  return new Set(lines.flatMap((_, index) => (added.every((some) => some.has(index)) ? [index + 1] : [])))
}

/** Between what both texts begin and end with, a line is new if it did not stand there: elsewhere the same line may be old. */
function addedTo(old: readonly string[], lines: readonly string[]): Set<number> {
  const shorter = Math.min(old.length, lines.length)
  let start = 0
  while (start < shorter && old[start] === lines[start]) start++
  let end = 0
  while (end < shorter - start && old.at(-1 - end) === lines.at(-1 - end)) end++
  const replaced = new Set(old.slice(start, old.length - end))
  const indices = lines.map((_, index) => index).slice(start, lines.length - end)
  return new Set(indices.filter((index) => !replaced.has(lines[index]!)))
}

/** How long a mutated run may take: code that no longer ends must not hold the build up. */
export function mutationTime(milliseconds: number): number {
  return Math.max(10_000, Math.ceil(3 * milliseconds))
}

const otherComparison = new Map([
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
  ['==', '!='],
  ['!=', '=='],
  ['===', '!=='],
  ['!==', '==='],
])

function mutationOf(node: MutableNode): Mutation | undefined {
  const replacement = replacementOf(node)
  if (replacement === undefined || replacement === node.text) return undefined
  const { file, line, start, end } = node
  return { file, line, start, end, replacement, change: describe(node, replacement) }
}

function replacementOf({ kind, text, beginning, language }: MutableNode): string | undefined {
  const isPython = language === 'python'
  if (kind === 'comparison') return otherComparison.get(text)
  if (kind === 'condition') return isPython ? 'False' : 'false'
  if (beginning !== undefined) return beginning
  const opposite = { true: 'false', false: 'true', True: 'False', False: 'True' }[text]
  return opposite ?? (isPython ? 'None' : 'null')
}

function describe({ kind, text }: MutableNode, replacement: string): string {
  const [was, is] = [shown(text), shown(replacement)]
  if (kind === 'condition') return `the branch on \`${was}\` is never taken`
  return kind === 'result' ? `the result is \`${is}\` instead of \`${was}\`` : `\`${was}\` became \`${is}\``
}

const longestShown = 80

function shown(text: string): string {
  const line = text.replace(/\s+/g, ' ').replaceAll('`', "'").trim()
  return line.length > longestShown ? `${line.slice(0, longestShown)} …` : line
}

function linesOf(text: string): string[] {
  return text.split('\n').map((line) => line.replace(/\r$/, ''))
}
