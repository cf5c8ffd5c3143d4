/** Sizes a plan in proportion to its goal: by risk, files, symbols and novelty. SPEC.md § RK4. */

import { withoutQuotes } from '../../text/without-quotes.ts'
import { keywords } from '../../text/words.ts'
import type { Mode } from '../mode.ts'
import { assessRisk, type RiskAdvice, riskSigns } from '../risk.ts'
import { speedWords } from '../risk-words.ts'
import { filesNamed, isAside, symbolsNamed } from './names.ts'
import { bringsMore, isRepair } from './repair.ts'
import {
  ambiguousRisks,
  beforeSystem,
  changingWords,
  changingWordsAnywhere,
  creatingWords,
  describingSpeed,
  largeThings,
  makingWords,
  minorWords,
  newWords,
  repairWords,
  replacingWords,
  smallThings,
  tweakingWords,
  wholeWords,
  writtenWords,
} from './size-words.ts'

export interface PlanSize {
  mode: Mode
  /** One place, nothing new, no risk: one agent per phase, and no score of the request. */
  small: boolean
  /** One line for a person. */
  because: string
}

const limits = {
  smallWords: 120,
  smallItems: 8,
  titleSymbols: 2,
  /** A label in front of a sentence, such as a component, has at most so many words. */
  labelWords: 3,
  lineWords: 30,
  smallSources: 3,
  repairedFiles: 3,
  largeFiles: 5,
  largeSymbols: 8,
  largeNovelty: 3,
}

/** What a goal is sized against. */
export interface SizedProject {
  /** The code files that are no tests, as far as they are known. */
  sources: readonly string[]
  /** Of the names in the goal, those that the project has. Absent if that is not known: then it has them all. */
  known?: ReadonlySet<string>
}

export function sizePlan(goal: string, { sources, known }: SizedProject = { sources: [] }): PlanSize {
  const read = readGoal(goal, known)
  const risk = assessRisk(goal)
  const place = isShort(read) ? onePlace(read, sources) : null
  // A goal that is small only for the size of the project may still bring in something risky: RK2 holds.
  if (place !== null && (place === '' || !isRisky(goal))) return sizeSmall(goal, risk, place || namedIn(read))
  if (risk.suggestion && risk.flags.length > 0)
    return { mode: risk.suggestion.mode, small: false, because: `risk: ${risk.flags.join(', ')}` }
  if (risk.suggestion && isHurried(read))
    return { mode: risk.suggestion.mode, small: false, because: 'the goal asks for speed, and no risk was found' }
  const { files, symbols, novelty } = read
  const isLarge = files.length > limits.largeFiles || symbols.length > limits.largeSymbols
  if (isLarge || novelty >= limits.largeNovelty)
    return {
      mode: 'advanced',
      small: false,
      because: `a large change: ${namedIn(read)}, ${counted(novelty, 'word')} for something new`,
    }
  return { mode: 'standard', small: false, because: `an ordinary change: ${namedIn(read)}, no risk found` }
}

/** A risk makes a small change one step less thorough than RK2 says for any change; a word that is seldom a risk makes it nothing. */
function sizeSmall(goal: string, { flags }: RiskAdvice, place: string): PlanSize {
  if (isRisky(goal))
    return {
      mode: flags.length > 1 ? 'advanced' : 'standard',
      small: false,
      because: `a small change with a risk: ${flags.join(', ')}`,
    }
  return { mode: 'rapid', small: true, because: `a small change: ${place}, no risk found, nothing new` }
}

/** Names a risk by a word that seldom means anything else. */
function isRisky(goal: string): boolean {
  return [...riskSigns(goal).values()].flat().some((word) => !ambiguousRisks.has(word))
}

interface ReadGoal {
  /** The first sentence: what the goal is about. The rest says how. */
  sentence: string
  title: string
  titleWords: readonly string[]
  /** Identifiers of the title: those that the project has, and those that are new to it. */
  titleSymbols: readonly string[]
  titleNewNames: readonly string[]
  titleNovelty: number
  /** Of the whole goal, without code blocks and quoted lines. */
  words: readonly string[]
  lines: number
  items: number
  /** Code files; where none is named, the tests and documents that are. */
  files: readonly string[]
  /** Identifiers that the project has. */
  symbols: readonly string[]
  novelty: number
  isRepair: boolean
  /** Nothing but one sentence. */
  isOneSentence: boolean
}

function readGoal(goal: string, known?: ReadonlySet<string>): ReadGoal {
  const prose = withoutQuotes(goal.replace(/^ {0,3}(```|~~~)[\s\S]*?(?:^ {0,3}\1|$(?![\s\S]))/gm, ' ')).trim()
  const { title, sentence } = titleOf(prose)
  const isKnown = (name: string) => known?.has(name) ?? true
  const named = filesNamed(prose)
  const code = named.filter((path) => !isAside(path))
  const titleSymbols = symbolsNamed(title, named)
  const titleWords = wordsIn(title)
  const isNamed = named.length > 0 || titleSymbols.length > 0
  return {
    sentence,
    title,
    titleWords,
    titleSymbols: titleSymbols.filter(isKnown),
    titleNewNames: titleSymbols.filter((name) => !isKnown(name)),
    titleNovelty: noveltyOf(titleWords, isNamed),
    words: wordsIn(prose),
    lines: prose.split('\n').filter((line) => line.trim() !== '').length,
    items: prose.match(/^\s*(?:[-*+•]|\d+[.)])\s/gm)?.length ?? 0,
    files: code.length > 0 ? code : named,
    symbols: symbolsNamed(prose, named).filter(isKnown),
    novelty: noveltyOf(wordsIn(prose), isNamed),
    isRepair: !creatingWords.has(titleWords[0] ?? '') && isRepair(title, titleWords, isNamed) && !bringsMore(sentence),
    isOneSentence: sentence.length === prose.length,
  }
}

/** The first sentence, and what it is about: without what follows a colon after a few words. */
function titleOf(prose: string): { title: string; sentence: string } {
  const sentence = prose.replace(/^#+\s*/, '').split(/\n|(?<=[.!?])\s/, 1)[0]!
  const [head] = sentence.split(/:\s/, 1)
  return { title: wordsIn(head!).length > limits.labelWords ? head! : sentence, sentence }
}

/** Whether the goal can be small at all, wherever it is done. */
function isShort({ words, items, symbols, novelty, titleNovelty }: ReadGoal): boolean {
  if (words.length > limits.smallWords || items > limits.smallItems || symbols.length > limits.largeSymbols)
    return false
  return titleNovelty === 0 && novelty <= 1 && !words.some((word) => wholeWords.has(word))
}

/** Why one place is enough, as far as the goal and the project tell; empty if the goal itself says so; null if not. */
function onePlace(read: ReadGoal, sources: readonly string[]): string | null {
  const { title, sentence, titleWords, titleSymbols, titleNewNames, files } = read
  if (files.length > 0) return files.length === 1 || (read.isRepair && files.length <= limits.repairedFiles) ? '' : null
  const named = titleSymbols.length + titleNewNames.length
  // One cause is repaired once, in however many functions it shows.
  if (read.isRepair && (read.isOneSentence || named <= limits.titleSymbols)) return ''
  if (bringsMore(sentence)) return null
  const isOneSymbol = named > 0 && titleSymbols.length <= 1 && titleNewNames.length <= 1
  const isMinor = named <= limits.titleSymbols && isMinorChange(titleWords)
  if (isOneSymbol || isMinor) return ''
  if (read.lines > 1 || read.words.length > limits.lineWords) return null
  const [first = ''] = titleWords
  if (tweakingWords.has(first)) return ''
  // A change of several functions for others has behaviour to settle, in a small project too.
  if (named > 0) return null
  if (!changingWords.has(first) && !titleWords.some((word) => changingWordsAnywhere.has(word))) return null
  const places = placesIn(sources)
  if (places.length > 0 && places.length <= limits.smallSources)
    return `the project has ${counted(places.length, 'source file')}`
  const own = keywords(title)
  const meant = places.filter(({ name }) => name.size > 0 && [...name].every((word) => own.has(word)))
  return meant.length === 1 ? `it is about ${meant[0]!.path}` : null
}

/** Users write messages and comments too: without a verb of change such a word says nothing. */
function isMinorChange(words: readonly string[]): boolean {
  const [first = ''] = words
  const isChange = changingWords.has(first) || words.some((word) => changingWordsAnywhere.has(word))
  return words.some((word) => minorWords.has(word) && (isChange || !writtenWords.has(word)))
}

/** `fast` and `simple` say nothing about the work where something new is made: “a fast search service”. */
function isHurried({ words, novelty }: ReadGoal): boolean {
  const found = words.filter((word) => speedWords.has(word))
  return novelty === 0 || found.some((word) => !describingSpeed.has(word))
}

function namedIn({ files, symbols }: ReadGoal): string {
  return [counted(files.length, 'file'), ...(symbols.length > 0 ? [counted(symbols.length, 'symbol')] : [])]
    .join(' and ')
    .concat(' named')
}

const aside = /(?:^|\/)(?:bench(?:marks?)?|examples?|scripts?|docs|fixtures?)\/|\.config\.\w+$|(?:^|\/)\./
const nameless = new Set('index main lib mod init types util utils helper helpers common shared core app'.split(' '))

/** The source files that a change of behaviour is made in, with the keywords of their names. Declarations count with their code. */
function placesIn(sources: readonly string[]): { path: string; name: ReadonlySet<string> }[] {
  const places = new Map<string, { path: string; name: ReadonlySet<string> }>()
  for (const path of sources) {
    const stem = path.replace(/(?:\.d)?\.\w+$/, '')
    if (aside.test(path) || places.has(stem)) continue
    const words = stem
      .split('/')
      .at(-1)!
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .filter((word) => !nameless.has(word))
    places.set(stem, { path, name: keywords(words.join(' ')) })
  }
  return [...places.values()]
}

/** Counts words for something new. A new option is nothing new, and neither is an engine in which something is repaired. */
function noveltyOf(words: readonly string[], isNamed: boolean): number {
  const isMade = creatingWords.has(words[0] ?? '') || words.some((word) => makingWords.has(word))
  const isRepair = !isMade && words.some((word) => repairWords.has(word))
  const found = words.filter((word, at) => {
    if (makingWords.has(word)) return true
    if (newWords.has(word)) return !words.slice(at + 1, at + 3).some((next) => smallThings.has(next))
    if (replacingWords.has(word)) return !isNamed
    if (isRepair || (word === 'system' && beforeSystem.has(words[at - 1] ?? ''))) return false
    return largeThings.has(word) || /.{4}(?:system|plattform)$/.test(word)
  })
  return new Set(found).size
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

function counted(count: number, noun: string): string {
  return `${count === 0 ? 'no' : count} ${noun}${count > 1 ? 's' : ''}`
}
