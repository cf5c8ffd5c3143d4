/** Names a plan and its feature as a person would: by the few words that say what the goal is about. */

const mostWords = 4
const longest = 40

/** Words that say nothing about what is made; the small words of German, French and Spanish without accents. */
const fillers = wordsOf(
  'the and for with this into from are was were will would should could can may must let lets make makes give gives allow allows enable please want wants need needs like people person user users someone somebody everyone developer developers us our your their its it one some any all also just only very than then der die das den dem des ein eine einen einem einer und oder fur mit bei beim zum zur von vom soll sollen bitte les une des pour avec dans sur aux los las una para con del por',
)
/** Words after which a goal goes into detail; a name of three words ends there. */
const details = wordsOf(
  'that which who whose so because when where while if unless until in for with by without after before',
)

export interface PlanNames {
  /** The plan's folder name; always with part of the run's id. */
  plan: string
  /** Names branches and commits. Others may have the same name: see `otherName`. */
  feature: string
}

export function planNames(goal: string, run: string): PlanNames {
  const words = plainWords(goal)
  const plan = `${words || 'plan'}-${tail(run)}`
  return { plan, feature: words || plan }
}

/** The name of a feature whose name is taken: `sort-orders-v2`, `sort-orders-v3` … */
export function otherName(feature: string, count: number): string {
  // Not `-2`: that is the spec of the second issue.
  return `${feature}-v${count}`
}

/** The name of a fork. */
export function forkedName(plan: string, run: string): string {
  return `${plan}-${tail(run)}`
}

function tail(run: string): string {
  return run
    .replace(/[^a-z0-9]/gi, '')
    .slice(-6)
    .toLowerCase()
}

function plainWords(goal: string): string {
  const all = goal
    // A path is called by its file: `src/read.js` is `read`.
    .replace(/(?:[\w@.-]+\/)+([\w-]+)(?:\.\w+)+/g, '$1')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.replace(/[^a-z0-9]/g, ''))
  const taken: string[] = []
  for (const word of all) {
    if (taken.length === mostWords || (taken.length >= mostWords - 1 && details.has(word))) break
    const isSaid = fillers.has(word) || details.has(word) || taken.includes(word)
    if (word === '' || isSaid || (word.length < 3 && /^[a-z]*$/.test(word))) continue
    if ([...taken, word].join('-').length > longest) break
    taken.push(word)
  }
  if (taken.length > 0) return taken.join('-')
  return all.find((word) => word !== '')?.slice(0, longest) ?? ''
}

function wordsOf(list: string): ReadonlySet<string> {
  return new Set(list.split(' '))
}
