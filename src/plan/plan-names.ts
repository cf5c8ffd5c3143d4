/** Names a plan and its feature: a few words of the goal, plus part of the run's id where needed. */

const longest = 48
const fillers = new Set(['the', 'and', 'for', 'with', 'that', 'this', 'into', 'from'])

export interface PlanNames {
  /** The plan's folder name; always with part of the run's id. */
  plan: string
  /** Names branches and commits; the words alone if they cover the whole goal. */
  feature: string
}

/** A goal with omitted words or non-ASCII letters could share its name with others, so it gets the longer name. */
export function planNames(goal: string, run: string): PlanNames {
  const { words, isWhole } = plainWords(goal)
  const plan = `${words || 'plan'}-${tail(run)}`
  return { plan, feature: isWhole && words !== '' ? words : plan }
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
