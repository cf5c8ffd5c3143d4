/** Suggests the known word that a mistyped one probably stands for. */
import { byCodeUnit } from './by-code-unit.ts'

/** The candidate nearest to `word`, or undefined if none is close enough. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length === 0 || word.length > longestWord) return undefined
  const wanted = plain(word)
  let best: { candidate: string; distance: number } | undefined
  for (const candidate of [...candidates].sort(byCodeUnit)) {
    if (candidate.length > longestWord) continue
    const distance = nearness(wanted, plain(candidate))
    if (distance !== undefined && (best === undefined || distance < best.distance)) best = { candidate, distance }
  }
  return best?.candidate
}

/** Edit distance in which swapping two neighbouring letters counts as one edit, the commonest typing mistake. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      let edits = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1))
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (swapped) edits = Math.min(edits, beforeLast[column - 2]! + 1)
      current.push(edits)
    }
    beforeLast = last
    last = current
  }
  return last[b.length]!
}

/** Longer words are not typing mistakes, and the cost grows with the square of the length. */
const longestWord = 64

/** The distance between two words, or undefined if they are different words. */
function nearness(wanted: string, candidate: string): number | undefined {
  const distance = editDistance(wanted, candidate)
  if (distance <= allowedEdits(Math.max(wanted.length, candidate.length))) return distance
  return isBeginning(wanted, candidate) || isBeginning(candidate, wanted) ? distance : undefined
}

function allowedEdits(length: number): number {
  return length < 3 ? 0 : Math.max(1, Math.floor(length / 3))
}

/** `api_key` for `api_key_env`: many edits, but clearly meant. */
function isBeginning(short: string, long: string): boolean {
  return short.length >= 3 && long.startsWith(short)
}

/** Treats `max_rounds`, `max-rounds` and `maxRounds` as the same word. */
function plain(word: string): string {
  return word.toLowerCase().replace(/[\s_.-]+/g, '')
}
