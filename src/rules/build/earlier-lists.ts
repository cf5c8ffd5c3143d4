/** What an agent said with an earlier attempt, and need not say again. SPEC.md § VF8. */
import type { Problem } from '../schema/problem.ts'
import type { Exit } from './exits.ts'

export interface EarlierReply {
  exit: Exit
  /** Why it was refused; empty if it was accepted. */
  problems: readonly Problem[]
}

/**
 * Adds the lists of an earlier reply of the same kind to a new one that has none of that name; of lists that only grow, the
 * entries that are not said again. A list that may be why the reply was refused is not added, since leaving it out may be the
 * repair.
 */
export function withEarlierLists(exit: Exit, earlier: EarlierReply | undefined): Exit {
  if (!earlier || earlier.exit.name !== exit.name) return exit
  const [now, then] = [exit.payload, earlier.exit.payload] as Record<string, Entry[] | null | undefined>[]
  const lists = listsOf(exit).filter(({ rules }) => !earlier.problems.some(({ rule }) => rules.includes(rule)))
  const kept = lists.flatMap(({ field, key, grows }) => {
    const said = now![field]
    if (said && !grows) return []
    const left = (then![field] ?? []).filter((one) => !said?.some((other) => other[key] === one[key]))
    return left.length > 0 ? [[field, [...left, ...(said ?? [])]]] : []
  })
  return { ...exit, payload: { ...exit.payload, ...Object.fromEntries(kept) } } as Exit
}

type Entry = Record<string, unknown>

interface List {
  field: string
  key: string
  /** The rules by which the list itself may be refused. */
  rules: readonly string[]
  grows?: true
}

const keep: List = { field: 'keep', key: 'criterionId', rules: ['VF1', 'VF2'] }
const review: List = { field: 'review', key: 'criterionId', rules: ['VF1', 'VF14'] }

function listsOf({ name }: Exit): List[] {
  switch (name) {
    case 'InitWork':
      return [keep, review]
    case 'TestsReady':
      return [keep, review, { field: 'tests', key: 'criterionId', rules: ['VF2'], grows: true }]
    case 'TestsPassed':
      return [keep, review, { field: 'outdated', key: 'test', rules: [], grows: true }]
    case 'Approved':
      return [
        { field: 'checked', key: 'criterionId', rules: ['VF14'], grows: true },
        { field: 'exhausted', key: 'criterionId', rules: ['VF13'], grows: true },
      ]
    default:
      return []
  }
}
