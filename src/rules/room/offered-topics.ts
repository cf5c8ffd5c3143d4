/** The topics that proposals pick from: noun phrases of the message and its files, so that agents name the same thing alike. SPEC.md § RD4. */
import { contentWords } from '../text/content-words.ts'
import { languageOf } from '../text/language.ts'
import { smallTalk } from '../text/small-talk.ts'
import { stopWords } from '../text/stop-words.ts'
import { withoutCode } from '../text/without-code.ts'
import { isKeyword, keywords } from '../text/words.ts'
import { determiners, otherWords, prepositionsAndPronouns, verbForms } from './topic-words.ts'

/** The most frequent ones, as first written, in message order. A phrase inside a longer one is left out. */
export function offeredTopics(text: string, files: readonly string[] = [], most = 12): string[] {
  const found = [...files, ...terms(text), ...phrases(withoutTerms(text))]
  const isCodeAlone = withoutFences(text).trim() === ''
  const topics = distinct(isCodeAlone ? [...files, ...contentWords(text).filter(isKeyword)] : found)
  return topics
    .sort((a, b) => b.count - a.count || a.at - b.at)
    .slice(0, most)
    .sort((a, b) => a.at - b.at)
    .map(({ words }) => words)
}

/** Terms that are written as such: code spans, quoted terms, paths and identifiers. */
function terms(text: string): string[] {
  const plain = withoutFences(text)
  const code = [...plain.matchAll(/`([^`\n]{2,40})`/g)].map((match) => match[1]!)
  const quoted = [...plain.matchAll(/["“„«]([^"“”„«»\n]{3,40})["”“»]/g)].map((match) => match[1]!)
  const named = quoted.filter((term) => term.toLowerCase().split(/\s+/).every(isNounLike))
  return [...code.filter((term) => term.split(/\s+/).length <= 4), ...named, ...(plain.match(written) ?? [])].filter(
    isTopic,
  )
}

/** Paths (`src/a.ts`), file names, `snake_case`, `camelCase`, `dotted.names` and error codes. */
const written =
  /(?<![\p{L}\p{N}_])(?:(?:[\w.-]+\/)+[\w.-]*\w|\w[\w-]*\.(?:[a-z]{1,4}|json|yaml|toml)(?![\w.])|[a-z]+(?:[A-Z][a-z0-9]+)+|[A-Za-z]+_\w*\w|[A-Z]{2,}[A-Z0-9]*_?[A-Z0-9]*\d|E[A-Z]{4,})(?![\p{L}\p{N}_])/gu

function withoutTerms(text: string): string {
  return withoutCode(text).replace(written, ' , ')
}

function withoutFences(text: string): string {
  return text.replace(/```[\s\S]*?(?:```|$)/g, ' ')
}

/** Noun phrases of the text around those terms. German writes its nouns with a capital, which says more than any list of words. */
function phrases(text: string): string[] {
  const tokens = [...text.normalize('NFKC').matchAll(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*|[^\s\p{L}\p{N}]/gu)].map(
    ([token]) => token,
  )
  const language = languageOf(tokens.map((token) => token.toLowerCase()))
  const capitals = tokens.slice(1).filter((token) => /^\p{Lu}\p{Ll}/u.test(token)).length
  if (language === 'de' && capitals > 0) return germanPhrases(tokens)
  // Whoever begins German with a capital would write its nouns with one too: only names with a hyphen are left.
  if (language === 'de' && /^\p{Lu}/u.test(tokens[0] ?? '')) return tokens.filter(isHyphenated)
  return runs(tokens, language === 'fr' || language === 'es')
}

function isHyphenated(token: string): boolean {
  return /\p{L}-\p{L}/u.test(token) && isNounLike(plainWord(token)) && isTopic(token)
}

/** Runs of words between function words and punctuation. The head of an English noun phrase is its last word. */
function runs(tokens: readonly string[], romance: boolean): string[] {
  const found: string[] = []
  let run: string[] = []
  const end = (next: string) => {
    // "review the design", "cache our queries": a lone word before a determiner is a verb.
    const verb = run.length === 1 && determiners.has(next)
    const phrase = (romance ? run.slice(0, longestPhrase) : run.slice(-longestPhrase)).join(' ')
    if (!verb && isTopic(phrase)) found.push(phrase)
    run = []
  }
  tokens.forEach((token, at) => {
    const word = plainWord(token)
    const next = plainWord(tokens[at + 1] ?? '')
    const verb = romance && (pronounEnd.test(word) || (infinitive.test(word) && !isNamed(tokens, at)))
    if (isNounLike(word) && !verb) run.push(word)
    // "base de données", "copia de seguridad" are one phrase.
    else if (romance && linking.test(word) && run.length === 1 && isNounLike(next) && !infinitive.test(next))
      run.push(word)
    else end(word)
  })
  end('')
  return found
}

/** A determiner makes a noun of it, unless it is the pronoun of "avant de les envoyer". */
function isNamed(tokens: readonly string[], at: number): boolean {
  const [earlier, before] = [plainWord(tokens[at - 2] ?? ''), plainWord(tokens[at - 1] ?? '')]
  return determiners.has(before) && !(/^(?:le|la|les)$/.test(before) && /^(?:de|à|pour|sans|et)$/.test(earlier))
}

/** French and Spanish. */
const linking = /^de$/
const infinitive = /(?:er|ir|ar|endre|mettre|[dstr]uire|crire)(?:l[aeo]s?|se|me|nos)?$/
const pronounEnd = /-(?:il|elle|on|vous|tu|je|nous|ils|moi|le|la|les)$/

/** Nouns with the adjectives before them. The first word of a sentence is a noun only if its verb follows. */
function germanPhrases(tokens: readonly string[]): string[] {
  const found: string[] = []
  tokens.forEach((token, at) => {
    const word = plainWord(token)
    const opens = at === 0 || /^[.!?:]$/.test(tokens[at - 1]!)
    const noun = /^\p{Lu}/u.test(token) && isNounLike(word)
    if (!noun || (opens && !germanVerbs.has(plainWord(tokens[at + 1] ?? '')))) return
    const adjective = plainWord(tokens[at - 1] ?? '')
    const described = /^\p{Ll}+(?:e|en|er|es|em)$/u.test(tokens[at - 1] ?? '') && isNounLike(adjective)
    const phrase = described ? `${adjective} ${word}` : word
    if (isTopic(phrase)) found.push(phrase)
  })
  return found
}

const germanVerbs = new Set(
  'ist sind war waren hat haben wird werden kann können läuft laufen geht muss soll sollte'.split(' '),
)

function plainWord(token: string): string {
  return token.toLowerCase().replace(/['’]s$/, '')
}

const longestPhrase = 3

function isNounLike(word: string): boolean {
  if (!/\p{L}/u.test(word) || word.length < 2 || word.length > longestTopic) return false
  if (/['’]/.test(word) || (/ly$/.test(word) && word.length > 5 && !nounsInLy.has(word))) return false
  if (addressed.test(word)) return false
  return ![stopWords, smallTalk, determiners, otherWords, prepositionsAndPronouns, verbForms].some((words) =>
    words.has(word),
  )
}

/** French and Spanish verbs that speak to several, in a message too short to tell its language: "pensez-vous", "creéis". */
const addressed =
  /-(?:vous|tu|je|nous|ils?|elles?|moi)$|..[áé]is$|^(?:pens|croy|voy|trouv|av|sav|pouv|voul|dev|fer|ser|aur|all)(?:i|ri)?ez$/

const nounsInLy = new Set(['assembly', 'anomaly', 'reply', 'supply', 'family', 'monopoly'])

/** Longer words are pasted keys or hashes, not topics. */
const longestTopic = 40

function isTopic(topic: string): boolean {
  return topic.length <= 60 && keywords(topic).size > 0 && !/[\p{L}\p{N}]{41}/u.test(topic) && !/^\p{N}/u.test(topic)
}

interface Topic {
  words: string
  stems: ReadonlySet<string>
  count: number
  at: number
}

/** One for each set of stems; a phrase whose stems all stand in a longer one counts for that one. */
function distinct(found: readonly string[]): Topic[] {
  const topics: Topic[] = []
  for (const words of found) {
    const stems = keywords(words)
    const same = topics.find((topic) => includes(topic.stems, stems))
    if (same) same.count += 1
    else topics.push({ words, stems, count: 1, at: topics.length })
  }
  return topics.filter((one) => {
    const longer = topics.find(
      (other) => other !== one && other.stems.size > one.stems.size && includes(other.stems, one.stems),
    )
    if (longer) longer.count += one.count
    return longer === undefined
  })
}

function includes(all: ReadonlySet<string>, some: ReadonlySet<string>): boolean {
  return [...some].every((stem) => all.has(stem))
}
