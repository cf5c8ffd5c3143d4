/** What a plan and its feature are called: a few whole words of the goal, and a piece of the run's id where they are not enough. */

const longest = 48
const fillers = new Set(['the', 'and', 'for', 'with', 'that', 'this', 'into', 'from'])

export interface PlanNames {
  /** Names the plan's folder: always with a piece of the run's id. */
  plan: string
  /** Names branches and stands in commits: the words alone, where they say all of the goal. */
  feature: string
}

/** A goal whose words were left out or cannot be written in plain letters would share its name with others: it gets the longer one. */
export function planNames(goal: string, run: string): PlanNames {
  const { words, isWhole } = plainWords(goal)
  const plan = `${words || 'plan'}-${tail(run)}`
  return { plan, feature: isWhole && words !== '' ? words : plan }
}

/** A fork is a plan of its own. */
export function forkedName(plan: string, run: string): string {
  return `${plan}-${tail(run)}`
}

function tail(run: string): string {
  return run
    .replace(/[^a-z0-9]/gi, '')
    .slice(-6)
    .toLowerCase()
}

function plainWords(goal: string): { words: string; isWhole: boolean } {
  const all = goal
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2 || !/^[a-z]*$/.test(word))
    .filter((word) => !fillers.has(word))
  const plain = all.map((word) => word.replace(/[^a-z0-9]/g, ''))
  const taken: string[] = []
  for (const word of plain) {
    if (word === '') continue
    if ([...taken, word].join('-').length > longest) break
    taken.push(word)
  }
  const first = plain.find((word) => word !== '')?.slice(0, longest) ?? ''
  return { words: taken.join('-') || first, isWhole: taken.length === all.length && taken.join() === all.join() }
}
