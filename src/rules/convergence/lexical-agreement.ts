/** The lexical measure: words of agreement against words of disagreement, and shared vocabulary. SPEC.md § CV1, CV2. */
import { words } from '../text/words.ts'

export interface LexicalAgreement {
  /** The share of agreement among all counted words; null if none was counted. */
  ratio: number | null
  /** The mean Jaccard index over all pairs of outputs. */
  stability: number
}

/** For at least two outputs. */
export function lexicalAgreement(outputs: readonly string[]): LexicalAgreement {
  const texts = outputs.map(words)
  const assent = texts.reduce((sum, text) => sum + occurrences(text, assentPhrases), 0)
  const dissent = texts.reduce((sum, text) => sum + occurrences(text, dissentPhrases), 0)
  return {
    ratio: assent + dissent === 0 ? null : assent / (assent + dissent),
    stability: meanOverlap(texts.map((text) => new Set(text))),
  }
}

const assentPhrases = phrases(
  'agree, concur, confirms, aligns, supports, consistent, similarly, same conclusion, reinforces, validates',
)
const dissentPhrases = phrases(
  'disagree, however, alternatively, contradicts, unlike, conflicts, instead, opposing, challenge, reject',
)

/** Phrases by their first word, so that a text is read once. */
function phrases(list: string): ReadonlyMap<string, readonly string[]> {
  return new Map(list.split(', ').map((phrase) => [phrase.split(' ')[0]!, phrase.split(' ')]))
}

/** Counts whole words only: "disagree" is not an "agree". */
function occurrences(text: readonly string[], list: ReadonlyMap<string, readonly string[]>): number {
  let count = 0
  text.forEach((word, at) => {
    if (list.get(word)?.every((part, offset) => text[at + offset] === part)) count += 1
  })
  return count
}

function meanOverlap(sets: readonly ReadonlySet<string>[]): number {
  let sum = 0
  sets.forEach((one, index) => {
    for (let other = index + 1; other < sets.length; other += 1) sum += overlap(one, sets[other]!)
  })
  return sum / ((sets.length * (sets.length - 1)) / 2)
}

/** The same as `jaccard`, without a copy for each of up to half a million pairs. */
function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size === 0 && other.size === 0) return 1
  const [small, large] = one.size <= other.size ? [one, other] : [other, one]
  let shared = 0
  for (const word of small) if (large.has(word)) shared += 1
  return shared / (one.size + other.size - shared)
}
