/** Decides what follows from contradictions between the documents of a plan. SPEC.md § RV5. */
import { keywords } from '../text/words.ts'
import type { KeyDecision } from './phase-summary.ts'

/** Two statements about one matter that cannot both hold. */
export interface Contradiction {
  /** What they are about, as a question where possible. */
  matter: string
  first: Statement
  second: Statement
}

export interface Statement {
  /** A file or the id of a decision. */
  where: string
  says: string
}

/** Leaves out pairs that say the same and pairs listed before. */
export function realContradictions(found: readonly Contradiction[]): Contradiction[] {
  const kept: Contradiction[] = []
  for (const one of found) {
    const isPair = plain(one.first.says) !== '' && plain(one.first.says) !== plain(one.second.says)
    const isKnown = kept.some((other) => sameMatter(other.matter, one.matter) && samePlaces(other, one))
    if (isPair && !isKnown) kept.push(one)
  }
  return kept
}

/** RV5: documents are compared a second time only after a repair that replaced a decision: others may rest on it. */
export function needsSecondCheck(repaired: readonly KeyDecision[]): boolean {
  return repaired.some(({ supersedes = [] }) => supersedes.length > 0)
}

/**
 * RV5: which contradictions that stayed open a person is asked about. Never one that the person has spoken on: a side is an
 * answer of theirs (`P3-1`), or they were asked about the matter before. Those are carried as risks.
 */
export function worthAsking(open: readonly Contradiction[], asked: readonly string[]): Contradiction[] {
  return open.filter(
    ({ matter, first, second }) =>
      ![first, second].some(({ where }) => /\bP\d/.test(where)) && !asked.some((one) => sameMatter(one, matter)),
  )
}

/** The share of the shorter text's keywords that the other must have. */
const overlap = 0.75

/** Whether two questions are about one matter, by their keywords. */
export function sameMatter(one: string, other: string): boolean {
  const [left, right] = [keywords(one), keywords(other)]
  const fewer = Math.min(left.size, right.size)
  if (fewer === 0) return plain(one) === plain(other)
  const shared = [...left].filter((word) => right.has(word)).length
  return shared >= Math.min(2, fewer) && shared / fewer >= overlap
}

function samePlaces(one: Contradiction, other: Contradiction): boolean {
  const places = ({ first, second }: Contradiction) => [first.where, second.where].map(plain).sort().join(' ')
  return places(one) === places(other)
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase()
}
