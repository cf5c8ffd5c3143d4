/** Sizes a plan in proportion to its goal: by risk, files, symbols and novelty. SPEC.md § RK4. */

import { keywords } from '../text/words.ts'
import type { Mode } from './mode.ts'
import { assessRisk } from './risk.ts'

export interface PlanSize {
  mode: Mode
  /** One file, nothing new, no risk: one agent per phase, and no score of the request. */
  small: boolean
  /** One line for a person. */
  because: string
}

const novel = wordsOf(
  'new introduce design redesign architecture migrate migration rewrite replace integrate integration system platform service framework protocol engine plugin',
)
const minor = wordsOf(
  'fix fixes typo rename correct adjust tweak bump wording message default option flag parameter argument comment log crash throws',
)

/** What is small even if it is new. */
const small = wordsOf('argument case column entry error event field flag key line message method option parameter test')

/** What a goal that changes something existing begins with. */
const changing = wordsOf(
  'accept add allow change drop emit expose export handle ignore improve keep let limit make print raise reject remove report retry return show skip sort stop support throw trim warn',
)

const limits = {
  smallWords: 60,
  smallSymbols: 2,
  lineWords: 30,
  smallSources: 3,
  largeFiles: 5,
  largeSymbols: 8,
  largeNovelty: 3,
}

/** `sources`: the code files of the project that are no tests, as far as they are known. */
export function sizePlan(goal: string, sources: readonly string[] = []): PlanSize {
  const { flags, suggestion } = assessRisk(goal)
  if (suggestion && flags.length > 0)
    return { mode: suggestion.mode, small: false, because: `risk: ${flags.join(', ')}` }
  const files = filesNamed(goal)
  const symbols = symbolsNamed(goal, files)
  const words = goal.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const novelty = noveltyOf(words)
  const named = [counted(files.length, 'file'), ...(symbols.length > 0 ? [counted(symbols.length, 'symbol')] : [])]
    .join(' and ')
    .concat(' named')
  const isSmall = symbols.length <= limits.smallSymbols && words.length <= limits.smallWords
  const place = onePlace({ goal, words, files, symbols, sources })
  if (place !== null && novelty === 0 && isSmall)
    return { mode: 'rapid', small: true, because: `a small change: ${place || named}, no risk found, nothing new` }
  if (suggestion)
    return { mode: suggestion.mode, small: false, because: 'the goal asks for speed, and no risk was found' }
  const isLarge = files.length > limits.largeFiles || symbols.length > limits.largeSymbols
  if (isLarge || novelty >= limits.largeNovelty)
    return { mode: 'advanced', small: false, because: `a large change: ${named}, ${novelty} words for something new` }
  return { mode: 'standard', small: false, because: `an ordinary change: ${named}, no risk found` }
}

interface Goal {
  goal: string
  words: readonly string[]
  files: readonly string[]
  symbols: readonly string[]
  sources: readonly string[]
}

/** Why one file is enough, as far as the goal and the project tell; empty if the goal itself says so; null if not. */
function onePlace({ goal, words, files, symbols, sources }: Goal): string | null {
  if (files.length > 0) return files.length === 1 ? '' : null
  if (symbols.length === 1 || words.some((word) => minor.has(word))) return ''
  const isLine = words.length <= limits.lineWords && !goal.trim().includes('\n')
  if (!isLine || !changing.has(words[0] ?? '')) return null
  const places = placesIn(sources)
  if (places.length > 0 && places.length <= limits.smallSources)
    return `the project has ${counted(places.length, 'source file')}`
  const own = keywords(goal)
  const meant = places.filter(({ name }) => name.size > 0 && [...name].every((word) => own.has(word)))
  return meant.length === 1 ? `it is about ${meant[0]!.path}` : null
}

const aside = /(?:^|\/)(?:bench(?:marks?)?|examples?|scripts?|docs|fixtures?)\/|\.config\.\w+$|(?:^|\/)\./
const nameless = wordsOf('index main lib mod init types util utils helper helpers common shared core app')

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

/** Words for something new; a new option, flag or test is nothing new. */
function noveltyOf(words: readonly string[]): number {
  const found = words.filter((word, at) => novel.has(word) && !(word === 'new' && small.has(words[at + 1] ?? '')))
  return new Set(found).size
}

/** Paths such as `src/read.js` or `README.md`; not addresses, versions or abbreviations. */
function filesNamed(goal: string): string[] {
  const found = goal.match(/(?<![\w@/:.-])(?:[\w@.-]+\/)*[\w-][\w.-]*\.[a-z][a-z0-9]{0,4}(?![\w/])/g) ?? []
  return [
    ...new Set(found.filter((path) => path.includes('/') || !/^(e\.g|i\.e|node\.js|vue\.js|next\.js)$/i.test(path))),
  ]
}

const brands = wordsOf(
  'javascript typescript github gitlab graphql postgresql mysql sqlite mongodb oauth macos ios youtube nodejs',
)

/** The identifiers that a goal names. */
export function namesInGoal(goal: string): string[] {
  return symbolsNamed(goal, filesNamed(goal))
}

/** Identifiers: in backticks, called with brackets, or with a capital or an underscore inside. */
function symbolsNamed(goal: string, files: readonly string[]): string[] {
  const text = files.reduce((rest, file) => rest.replaceAll(file, ' '), goal)
  const quoted = [...text.matchAll(/`([A-Za-z_$][\w$.#]*)(?:\([^`]*\))?`/g)].map(([, name]) => name!)
  const called = [...text.matchAll(/(?<![\w$.])([A-Za-z_$][\w$.]*)\(/g)].map(([, name]) => name!)
  const shaped =
    text.match(/(?<![\w$./`-])(?:[a-z$][a-z0-9$]*[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|[a-z]\w*_\w+)(?![\w/.-])/g) ?? []
  return [...new Set([...quoted, ...called, ...shaped])].filter((name) => !brands.has(name.toLowerCase()))
}

function counted(count: number, noun: string): string {
  return `${count === 0 ? 'no' : count} ${noun}${count > 1 ? 's' : ''}`
}

function wordsOf(list: string): ReadonlySet<string> {
  return new Set(list.split(' '))
}
