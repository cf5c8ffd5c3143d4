/** Splits texts into words and keywords, and compares two sets of words. SPEC.md § DP4. */
import stemEnglish from 'wink-porter2-stemmer'
import { stopWords } from './stop-words.ts'

/** The words of a text in order, in lower case. A combining mark stays with its letter. */
export function words(text: string): string[] {
  return text.normalize('NFKC').toLowerCase().match(word) ?? []
}

/** The stems of a text's words, without short words and stop words. */
export function keywords(text: string): Set<string> {
  const kept = new Set(words(text).filter(isKeyword))
  return new Set([...kept].map(stem))
}

export function isKeyword(found: string): boolean {
  return letterCount(found) > 2 && !stopWords.has(found)
}

/** The Jaccard index of two sets. Two empty sets give 1. */
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

/** Caches stems: stemming a word takes far longer than looking it up. */
const stems = new Map<string, string>()
const mostStems = 20_000

const word = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu

/** Longer strings are not words, and the stemmer takes quadratic time. */
const longestStemmed = 64

/** The stemmer uses the digit 3 as a marker for a consonant y, so real threes must be protected. */
const stand = '\uE000'

function letterCount(found: string): number {
  return [...found.replace(/\p{M}/gu, '')].length
}
