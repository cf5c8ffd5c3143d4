/** Normalises a short answer, so that "(B)", "B.", "52 WPM", "$1,000" and "one thousand" can be compared. */
import { type Quantity, readQuantity, sameQuantity } from './quantity.ts'

export type AnswerValue =
  | { kind: 'letter'; letter: string; words: string }
  | { kind: 'number'; quantity: Quantity; unit: string }
  | { kind: 'words'; words: string }

/** A number counts only at the start of the answer: "52 WPM" is a number, "Postgres 16" is not. */
export function answerValue(answer: string): AnswerValue {
  const text = withoutMarkup(answer.slice(0, longest))
  const lettered = letteredPattern.exec(text)
  if (lettered) return { kind: 'letter', letter: lettered[1]!.toUpperCase(), words: plainWords(lettered[2]!) }
  const words = wordsOf(text)
  let start = 0
  while (approximations.has(words[start] ?? '') && !readQuantity(words, start)) start += 1
  const read = readQuantity(words, start)
  const unit = words.slice(start + (read?.length ?? 0))
  if (!read || unit.length > longestUnit) return { kind: 'words', words: plainWords(text) }
  return { kind: 'number', quantity: read.quantity, unit: unit.join(' ') }
}

/** The answer inside a box or after "the answer is", possibly with a sentence around the number. */
export function statedValue(statement: string): AnswerValue {
  const text = withoutMarkup(statement.slice(0, longest))
  const value = answerValue(text.slice(text.lastIndexOf('=') + 1))
  if (value.kind !== 'words') return value
  const words = wordsOf(text)
  for (let at = 0; at < words.length; at += 1) {
    const read = /^[-+]?[\d.]/.test(words[at]!) ? readQuantity(words, at) : undefined
    if (read) return { kind: 'number', quantity: read.quantity, unit: '' }
  }
  return value
}

export function sameAnswer(one: AnswerValue, other: AnswerValue): boolean {
  if (one.kind === 'letter' && other.kind === 'letter') return one.letter === other.letter
  if (one.kind === 'number' && other.kind === 'number') {
    return sameQuantity(one.quantity, other.quantity) && sameUnit(one.unit, other.unit)
  }
  if (one.kind === 'number' || other.kind === 'number') return false
  return one.words === other.words && one.words !== ''
}

/** Values with the same key are the same answer; values with different keys may be, too. */
export function answerKey(value: AnswerValue): string {
  if (value.kind === 'letter') return `letter ${value.letter} ${value.words}`
  if (value.kind === 'words') return `words ${value.words}`
  return `number ${value.quantity.base?.value ?? value.quantity.value} ${value.quantity.base?.unit ?? ''} ${value.unit}`
}

const longest = 2000

/** With more words than this after a number, it is a sentence that happens to begin with one. */
const longestUnit = 3

/** "(B)", "B.", "B) with its text", "option B"; but neither the article in "A queue" nor the language C++. */
const letteredPattern = /^[\s([*]{0,3}(?:(?:option|answer|choice)\W{1,3})?([A-J])(?:[).:\]]|[\s*]{0,4}$)\W{0,3}(.*)$/is
const approximations = new Set(['about', 'approximately', 'around', 'roughly', 'exactly', 'circa', 'ca', 'the', 'a'])

/** A missing unit matches every unit, and "WPM" is "words per minute". */
function sameUnit(one: string, other: string): boolean {
  if (one === '' || other === '') return true
  const [mine, theirs] = [one.split(' '), other.split(' ')]
  if (mine.some((word) => theirs.includes(word))) return true
  return initials(mine) === other || initials(theirs) === one
}

function initials(words: readonly string[]): string {
  return words.length < 2 ? '' : words.map((word) => word[0]).join('')
}

/** LaTeX and Markdown around an answer: "\frac{3}{4}" is "3/4", "\text{yes}" is "yes". */
function withoutMarkup(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\\[dt]?frac\s?\{([^{}]{1,40})\}\s?\{([^{}]{1,40})\}/g, '$1/$2')
    .replace(/\\(?:text|textbf|mathrm|mathbf|boxed|underline)\s?\{/g, ' ')
    .replace(/\\(?=[%$#])/g, '')
    .replace(/\\[a-zA-Z]+|\\[^a-zA-Z]/g, ' ')
    .replace(/[{}$€£*`"“”]/g, ' ')
    .replace(/−/g, '-')
    .trim()
}

function wordsOf(text: string): string[] {
  const found = text
    .toLowerCase()
    .match(/[-+]?\d[\d,]*(?:\.\d+)?(?:\/\d+(?:\.\d+)?)?(?:%|[a-z]{1,4}(?![a-z]))?|\p{L}[\p{L}\p{M}\p{N}]*(?:\+\+|#)?/gu)
  return (found ?? []).map(quotient).map((word) => word.replace(/,+$/, ''))
}

/** "3/4" as a decimal number. */
function quotient(word: string): string {
  const [above, below] = word.split('/')
  if (above === undefined || below === undefined || !(Number(below) > 0)) return word
  return String(Number(above) / Number(below))
}

/** Case, punctuation, articles and a leading "use" or "go with" do not make another answer; numbers have one spelling. */
function plainWords(text: string): string {
  const words = wordsOf(text)
  const plain: string[] = []
  for (let at = 0; at < words.length; ) {
    const read = words[at] === 'one' ? undefined : readQuantity(words, at)
    if (read) plain.push(`${read.quantity.value}${read.quantity.base?.unit ?? ''}`)
    else if (!/^(?:a|an|the)$/.test(words[at]!)) plain.push(words[at]!)
    at += read?.length ?? 1
  }
  if (plain.length === 0) return text.trim().toLowerCase()
  return plain.join(' ').replace(/^(?:use|choose|pick|adopt|select|take|go with|go for) (?=.)/, '')
}
