/** The shared vocabulary of one round: how terms are spelled, which are names, and which are options. */
import { stem } from '../../text/words.ts'
import type { Clause, Word } from './clause.ts'
import { isContentWord } from './english.ts'
import type { ReadOutput } from './read-output.ts'

export interface Vocabulary {
  /** The term of a word, if it has one. "Paging" and "paged" are one term, as are "Postgres" and "PostgreSQL". */
  term(word: Word): string | undefined
  isName(term: string): boolean
  /** Named by any agent as one of several alternatives. */
  isOption(term: string): boolean
  /** The terms that every agent uses. */
  readonly topics: ReadonlySet<string>
}

export function vocabularyOf(outputs: readonly ReadOutput[]): Vocabulary {
  const spelled = outputs.map(({ clauses }) => wordsOf(clauses))
  const stemOnce = remembered(stem)
  const longNames = new Set(spelled.flatMap((words) => words.filter(isName).map((word) => stemOnce(word.text))))
  const all = new Set(spelled.flatMap((words) => words.map((word) => stemOnce(word.text))))
  const short = shortNames(all, longNames)
  const canonical = (word: Word) => short.get(stemOnce(word.text)) ?? stemOnce(word.text)
  const term = (word: Word) => (isTermWord(word) ? canonical(word) : undefined)

  const names = new Set([...longNames].map((name) => short.get(name) ?? name))
  const options = new Set(outputs.flatMap((output) => optionsIn(output, term)))
  const used = spelled.map((words) => new Set(words.map(canonical)))
  return {
    term,
    isName: (found) => names.has(found),
    isOption: (found) => options.has(found),
    topics: new Set([...(used[0] ?? [])].filter((found) => used.every((other) => other.has(found)))),
  }
}

/** Caches stems, because words recur and stemming is slow. */
function remembered(read: (word: string) => string): (word: string) => string {
  const known = new Map<string, string>()
  return (word) => {
    const found = known.get(word) ?? read(word)
    known.set(word, found)
    return found
  }
}

function wordsOf(clauses: readonly Clause[]): Word[] {
  return clauses.flatMap((clause) => clause.words.filter(isTermWord))
}

/** A capital letter inside a sentence makes even a short word a name: "that leads me to Go". */
function isTermWord(word: Word): boolean {
  return isContentWord(word.text) || (!word.opening && word.text !== 'may' && /^\p{Lu}\p{Ll}/u.test(word.written))
}

/** Has an unexpected capital letter, several, or a digit. */
export function isName(word: Word): boolean {
  return (!word.opening && /^\p{Lu}/u.test(word.written)) || /\p{Lu}.*\p{Lu}|\d|_/u.test(word.written)
}

/** Maps a long name to a short form that an agent uses for it. */
function shortNames(terms: ReadonlySet<string>, names: ReadonlySet<string>): Map<string, string> {
  const short = new Map<string, string>()
  let previous = ''
  for (const found of [...terms].sort()) {
    const root = short.get(previous) ?? previous
    if (root.length >= 5 && found.startsWith(root) && names.has(found)) short.set(found, root)
    previous = found
  }
  return short
}

type ReadTerm = (word: Word) => string | undefined

/** Everything in a listing, both sides of "or", "between … and …", and the labels of lists and tables. */
function optionsIn({ clauses, listings }: ReadOutput, term: ReadTerm): string[] {
  const listed = termsOf(
    listings.flatMap((listing) => listing.flatMap((clause) => clause.words)),
    term,
  )
  return [...listed, ...clauses.flatMap((clause, index) => alternatives(clause, clauses[index - 1], term))]
}

function alternatives(clause: Clause, before: Clause | undefined, term: ReadTerm): string[] {
  const { words, sentence } = clause
  const found: string[] = []
  if (sentence.place === 'row') found.push(...termsOf(words, term))
  if (sentence.place === 'item' && sentence.label !== '' && !clause.afterColon) found.push(...termsOf(words, term))
  const between = words.findIndex((word) => word.text === 'between')
  if (between >= 0 && words.some((word) => word.text === 'and'))
    found.push(...termsOf(words.slice(between, between + 9), term))
  words.forEach((word, index) => {
    if (!/^(?:or|versus|vs)$/.test(word.text)) return
    const behind = index > 0 ? words.slice(0, index) : before?.sentence === sentence ? before.words : []
    const left = nearest([...behind].reverse(), term)
    const right = nearest(words.slice(index + 1), term)
    found.push(...left.filter((one) => !right.includes(one)), ...right.filter((one) => !left.includes(one)))
  })
  return found
}

function termsOf(words: readonly Word[], term: ReadTerm): string[] {
  return words.map(term).filter((found) => found !== undefined)
}

/** The first run of at most three terms; read backwards, "… by weekly report" gives "report, weekly". */
function nearest(words: readonly Word[], term: ReadTerm): string[] {
  const run: string[] = []
  for (const word of words) {
    const found = term(word)
    if (found !== undefined) run.push(found)
    else if (run.length > 0) break
    if (run.length === 3) break
  }
  return run
}
