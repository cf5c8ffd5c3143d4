/** Sizes a plan in proportion to its goal: by risk, files and novelty. SPEC.md § RK4. */

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

const limits = { smallWords: 60, largeFiles: 5, largeNovelty: 3 }

export function sizePlan(goal: string): PlanSize {
  const { flags, suggestion } = assessRisk(goal)
  if (suggestion && flags.length > 0)
    return { mode: suggestion.mode, small: false, because: `risk: ${flags.join(', ')}` }
  const files = filesNamed(goal)
  const words = goal.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const novelty = new Set(words.filter((word) => novel.has(word))).size
  const isMinor = files.length === 1 || (files.length === 0 && words.some((word) => minor.has(word)))
  const named = files.length === 0 ? 'no file named' : `${files.length} ${files.length === 1 ? 'file' : 'files'} named`
  if (isMinor && novelty === 0 && words.length <= limits.smallWords)
    return { mode: 'rapid', small: true, because: `a small change: ${named}, no risk found, nothing new` }
  if (suggestion)
    return { mode: suggestion.mode, small: false, because: 'the goal asks for speed, and no risk was found' }
  if (files.length > limits.largeFiles || novelty >= limits.largeNovelty)
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

function wordsOf(list: string): ReadonlySet<string> {
  return new Set(list.split(' '))
}
