/** How texts become words and keywords, and how two sets of words compare. SPEC.md § DP4. */
import stemEnglish from 'wink-porter2-stemmer'
import { stopWords } from './stop-words.ts'

/** The words of a text in their order, lower case. A combining mark belongs to the letter it stands on. */
export function words(text: string): string[] {
  return text.normalize('NFKC').toLowerCase().match(word) ?? []
}

/** What a text is about: its words without the short and the empty ones, each reduced to its stem. */
export function keywords(text: string): Set<string> {
  const kept = new Set(words(text).filter(isKeyword))
  return new Set([...kept].map(stem))
}

export function isKeyword(found: string): boolean {
  return letterCount(found) > 2 && !stopWords.has(found)
}

/** The share of what two sets have in common. Two empty sets are the same set: 1. */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 && b.size === 0) return 1
  const shared = [...a].filter((item) => b.has(item)).length
  return shared / (a.size + b.size - shared)
}

export function stem(found: string): string {
  if (found.length > longestStemmed) return found
  const known = stems.get(found)
  if (known !== undefined) return known
  const stemmed = stemEnglish(found.replaceAll('3', stand)).replaceAll(stand, '3')
  if (stems.size >= mostStems) stems.clear()
  stems.set(found, stemmed)
  return stemmed
}

/** People use few words, again and again; a stem takes far longer to find than to look up. */
const stems = new Map<string, string>()
const mostStems = 20_000

const word = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu

/** Longer than any word: the stemmer's time grows with the square of the length, so a wall of letters would hang it. */
const longestStemmed = 64

/** The stemmer marks a consonant y with the digit 3, and would turn every real 3 into a y. */
const stand = '\uE000'

function letterCount(found: string): number {
  return [...found.replace(/\p{M}/gu, '')].length
}
