/** Sizes a plan in proportion to its goal: by risk, files, symbols and novelty. SPEC.md § RK4. */

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

const limits = { smallWords: 60, smallSymbols: 2, largeFiles: 5, largeSymbols: 8, largeNovelty: 3 }

export function sizePlan(goal: string): PlanSize {
  const { flags, suggestion } = assessRisk(goal)
  if (suggestion && flags.length > 0)
    return { mode: suggestion.mode, small: false, because: `risk: ${flags.join(', ')}` }
  const files = filesNamed(goal)
  const symbols = symbolsNamed(goal, files)
  const words = goal.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const novelty = new Set(words.filter((word) => novel.has(word))).size
  const isMinor =
    files.length === 1 || (files.length === 0 && (symbols.length === 1 || words.some((word) => minor.has(word))))
  const named = [counted(files.length, 'file'), ...(symbols.length > 0 ? [counted(symbols.length, 'symbol')] : [])]
    .join(' and ')
    .concat(' named')
  const isSmall = symbols.length <= limits.smallSymbols && words.length <= limits.smallWords
  if (isMinor && novelty === 0 && isSmall)
    return { mode: 'rapid', small: true, because: `a small change: ${named}, no risk found, nothing new` }
  if (suggestion)
    return { mode: suggestion.mode, small: false, because: 'the goal asks for speed, and no risk was found' }
  const isLarge = files.length > limits.largeFiles || symbols.length > limits.largeSymbols
  if (isLarge || novelty >= limits.largeNovelty)
    return { mode: 'advanced', small: false, because: `a large change: ${named}, ${novelty} words for something new` }
  return { mode: 'standard', small: false, because: `an ordinary change: ${named}, no risk found` }
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
