/** Splits a sentence into clauses: the unit in which something is chosen, rejected or conceded. */
import { actionVerbs, clauseOpeners, subordinators } from './english.ts'
import { gloss } from './german.ts'
import type { Sentence } from './sentence.ts'

export interface Word {
  /** Lower case; "don't" is two words, "I'd" is "i would", and a genitive loses its s ("that's" is "that is"). */
  text: string
  /** As it was written, to tell names from words. */
  written: string
  /** Whether it opens its sentence, where a capital letter means nothing. */
  opening: boolean
}

export interface Clause {
  sentence: Sentence
  words: Word[]
  /** The words joined by blanks, for patterns. Short by construction. */
  text: string
  /** Gives a reason, a condition or a concession: "because …", "unless …", "though …". */
  subordinate: boolean
  afterColon: boolean
  /** Begins a statement of its own after a semicolon. */
  anew: boolean
  german: boolean
}

/** Bounds the input of regular expressions, whatever the text looks like. */
const longestClause = 60
const longestWord = 64

export function clausesOf(sentence: Sentence, german = false): Clause[] {
  const tokens = withoutInsertions(german ? glossed(tokensOf(germanNumbers(sentence.text))) : tokensOf(sentence.text))
  const clauses: Clause[] = []
  let words: Word[] = []
  let afterColon = false
  let anew = false
  const close = () => {
    if (words.length > 0) {
      clauses.push(clause(sentence, words, { afterColon, anew, german }))
      anew = false
    }
    words = []
  }
  tokens.forEach((token, index) => {
    if (isMark(token)) {
      close()
      if (token === ':') afterColon = true
      if (token === ';') {
        afterColon = false
        anew = true
      }
      return
    }
    if (words.length >= longestClause || opensClause(tokens, index) || opensMainClause(words, tokens, index)) close()
    words.push(token)
  })
  close()
  return clauses
}

function clause(sentence: Sentence, words: Word[], place: Pick<Clause, 'afterColon' | 'anew' | 'german'>): Clause {
  const text = words.map((word) => word.text).join(' ')
  return { sentence, words, text, subordinate: isSubordinate(words) && !isTime(words, place), ...place }
}

/** "On balance: after the holidays." */
function isTime(words: Word[], { afterColon }: Pick<Clause, 'afterColon'>): boolean {
  return afterColon && words.length <= 5 && /^(?:after|before|once|until|when)$/.test(words[0]!.text)
}

function isSubordinate(words: Word[]): boolean {
  const [first, second, third] = words.map((word) => word.text)
  if (first === 'so' && second === 'that') return !['is', 'was', 'means', 'leaves'].includes(third ?? '')
  const head = ['and', 'but', 'even'].includes(first!) ? (second ?? first!) : first!
  return subordinators.has(head)
}

/** "but", "because", "so" and the like, and an "and" that starts a new statement or a new instruction. */
function opensClause(tokens: Token[], index: number): boolean {
  const [word, next, afterNext] = [wordAt(tokens, index), wordAt(tokens, index + 1), wordAt(tokens, index + 2)]
  if (word === undefined) return false
  // "The edge is where I would put it" is one statement.
  if (/^(?:what|where|how)$/.test(word) && /^(?:is|are)$/.test(wordAt(tokens, index - 1) ?? '')) return false
  if (clauseOpeners.has(word)) return true
  if (word !== 'and' || next === undefined) return false
  return /^(?:i|we|it|they|then)$/.test(next) || actionVerbs.has(next) || (next === 'do' && afterNext === 'not')
}

/** "If I had to choose I would …", "between the two I would …": the main clause after one that came first without a comma. */
function opensMainClause(before: readonly Word[], tokens: Token[], index: number): boolean {
  const [word, next] = [wordAt(tokens, index), wordAt(tokens, index + 1)]
  if (before.length < 2 || (word !== 'i' && word !== 'we')) return false
  if (!/^(?:would|will|should|choose|prefer|recommend|vote|propose|suggest)$/.test(next ?? '')) return false
  return subordinators.has(before[0]!.text) || /^(?:between|of|given|with|from|for)$/.test(before[0]!.text)
}

type Mark = ',' | ';' | ':' | '-'
type Token = Word | Mark

function isMark(token: Token): token is Mark {
  return typeof token === 'string'
}

function wordAt(tokens: Token[], index: number): string | undefined {
  const token = tokens[index]
  return token === undefined || isMark(token) ? undefined : token.text
}

const tokenPattern =
  /\d{1,2}:\d{2}(?!\d)|\d[\d,]*(?:\.\d+)?(?:%|[a-z]{1,4}\b)?|\p{L}[\p{L}\p{M}\p{N}_]*(?:'\p{L}+)?|\p{N}+|[,;:()—–]| - /giu

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let opening = true
  for (const [found] of text.replace(/[’‘]/g, "'").matchAll(tokenPattern)) {
    const mark = markOf(found)
    if (mark) {
      tokens.push(mark)
      continue
    }
    const written = found.replace(/,+$/, '').slice(0, longestWord)
    tokens.push(...wordsOf(written).map((part, index) => ({ ...part, opening: opening && index === 0 })))
    if (found.endsWith(',')) tokens.push(',')
    opening = false
  }
  return tokens
}

/** "9.000" is nine thousand, and "1,5" is one and a half. */
function germanNumbers(text: string): string {
  return text.replace(/(?<=\d)\.(?=\d{3}(?!\d))/g, '').replace(/(?<=\d),(?=\d)/g, '.')
}

/** A word of two English ones becomes two. */
function glossed(tokens: Token[]): Token[] {
  return tokens.flatMap((token) => {
    const english = isMark(token) ? undefined : gloss(token.text)
    return english === undefined || isMark(token) ? [token] : english.map((text) => ({ ...token, text, written: text }))
  })
}

/** "I would lean, weakly, towards …": an adverb between commas does not end a clause. */
function withoutInsertions(tokens: Token[]): Token[] {
  const kept: Token[] = []
  for (let at = 0; at < tokens.length; ) {
    const length = insertionAt(tokens, at)
    if (length === 0) kept.push(tokens[at]!)
    at += Math.max(1, length)
  }
  return kept
}

/** How many tokens the insertion takes, with both commas; 0 if there is none. "Not very firmly" is one as well. */
function insertionAt(tokens: Token[], comma: number): number {
  if (comma === 0 || tokens[comma] !== ',') return 0
  const words: string[] = []
  for (let at = comma + 1; words.length < 3 && wordAt(tokens, at) !== undefined; at += 1)
    words.push(wordAt(tokens, at)!)
  if (words.length === 0 || tokens[comma + words.length + 1] !== ',') return 0
  if (words.length === 1 && /^(?:perhaps|maybe|though|however)$/.test(words[0]!)) return 3
  const isAdverb = words.at(-1)!.endsWith('ly') && words.slice(0, -1).every((word) => degrees.test(word))
  return isAdverb ? words.length + 2 : 0
}

const degrees = /^(?:not|very|only|quite|rather|somewhat|too|just)$/

function markOf(found: string): Mark | undefined {
  if (found === ',' || found === ';' || found === ':') return found
  return /^[()—–]$|^ - $/.test(found) ? '-' : undefined
}

function wordsOf(written: string): Omit<Word, 'opening'>[] {
  const text = written.toLowerCase()
  const parts = text === 'cannot' ? ['can', 'not'] : text === "let's" ? ['let', 'us'] : []
  if (parts.length > 0) return parts.map((part) => ({ text: part, written: part }))
  const apostrophe = text.indexOf("'")
  if (apostrophe < 0) return [{ text, written }]
  if (text.endsWith("n't"))
    return [text.slice(0, -3), 'not'].map((part) => ({ text: fullForms.get(part) ?? part, written: part }))
  const stem = { text: text.slice(0, apostrophe), written: written.slice(0, apostrophe) }
  const ending = fullForms.get(text.slice(apostrophe)) ?? (isPronoun.test(text) ? 'is' : undefined)
  return ending ? [stem, { text: ending, written: ending }] : [stem]
}

/** "That's" is "that is"; after other words, 's is a genitive. */
const isPronoun = /^(?:that|it|this|there|here|what|where|who|he|she)'s$/

const fullForms = new Map([
  ['ca', 'can'],
  ['wo', 'will'],
  ['sha', 'shall'],
  ["'d", 'would'],
  ["'ll", 'will'],
  ["'m", 'am'],
  ["'re", 'are'],
  ["'ve", 'have'],
])
