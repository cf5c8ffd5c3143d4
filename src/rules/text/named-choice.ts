/** Reads the number of a choice at the beginning of an answer: `2 for the class, but not for parse`. SPEC.md § PH3. */
import { stopWords } from './stop-words.ts'

/**
 * The answer with the words of the choices in place of their numbers: whoever reads it later has not seen the list. A number in
 * front of a unit or a thing (`2 spaces`, `1.5 MB`) is the answer itself, and so is one that is no choice's.
 */
export function withChoicesNamed(answer: string, choices: readonly string[]): string {
  const said = answer.trim()
  const [numbers = ''] =
    /^\d{1,2}(?:(?:\s*[,+&/]\s*|\s+(?:and|or|und|oder)\s+)\d{1,2})*(?![\p{L}\p{N}_])/u.exec(said) ?? []
  const rest = said.slice(numbers.length)
  const isKnown = (number: string) => choices[Number(number) - 1] !== undefined
  if (numbers === '' || !(numbers.match(/\d+/g) ?? []).every(isKnown) || !goesOn(rest)) return said
  return numbers.replace(/\d+/g, (number) => choices[Number(number) - 1]!) + rest
}

/** Nothing, a mark, or a word that does not name a thing follows the number. */
function goesOn(rest: string): boolean {
  if (rest === '' || /^\s*[:;,.)–—-]+\s+(?!\d)/.test(rest) || /^\s*[(\n]/.test(rest)) return true
  const [, word] = /^\s+([\p{L}']+)(?![\p{L}\p{N}_.(/-])/u.exec(rest) ?? []
  return word !== undefined && (stopWords.has(word.toLowerCase()) || furtherWords.has(word.toLowerCase()))
}

const furtherWords: ReadonlySet<string> = new Set(
  `also always and as at except if in instead is it on or plus please so to unless without yes
  aber auch außer bei bitte für im in mit nur ohne sonst und wenn weil wie`.split(/\s+/),
)
