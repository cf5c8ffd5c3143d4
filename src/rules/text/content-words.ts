/** Tells a message that is about something from a nod. SPEC.md § RD3. */
import { smallTalk } from './small-talk.ts'
import { stopWords } from './stop-words.ts'
import { words } from './words.ts'

/** A number alone counts as a nod: it picks from what the last responder offered. */
export function hasContentWords(text: string): boolean {
  const found = contentWords(text)
  return found.length > 1 || (found.length === 1 && !/^\p{N}+$/u.test(found[0]!))
}

export function contentWords(text: string): string[] {
  return words(text).filter((found) => !stopWords.has(found) && !smallTalk.has(found))
}
