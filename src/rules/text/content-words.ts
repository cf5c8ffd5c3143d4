/** Tells whether a message has content words, or only assent, thanks and the like. SPEC.md § RD3. */
import { courtesies } from './courtesies.ts'
import { smallTalk } from './small-talk.ts'
import { stopWords } from './stop-words.ts'
import { words } from './words.ts'

/** A number is not a content word: it picks an option from the last answer. */
export function hasContentWords(text: string): boolean {
  const found = contentWords(text.replace(elision, '')).filter((word) => !courtesies.has(word))
  return found.length > 1 || (found.length === 1 && !/^\p{N}+$/u.test(found[0]!))
}

/** French: "c'est", "d'accord". */
const elision = /(?<!\p{L})(?:[cdjlmnst]|qu)['’](?=\p{L})/giu

export function contentWords(text: string): string[] {
  return words(text).filter((found) => !stopWords.has(found) && !smallTalk.has(found))
}
