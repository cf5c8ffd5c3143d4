/** Who did what in a build, from the asks that agents replied to. */
import type { BuildView } from '../../../../src/build/view.ts'
import { joinNames } from '../../ui/format.ts'

/** "ada planned and wrote the tests, bob wrote the code, and ada reviewed it."; empty before the first reply. */
export function whoDidWhat({ nodes, strategy }: Pick<BuildView, 'nodes' | 'strategy'>): string {
  const did = strategy === 'solo' ? { ...deeds, implement: 'wrote tests and code' } : deeds
  const replies = nodes.flatMap(({ asks }) => asks).filter(({ exit }) => exit !== undefined)
  const parts = Object.entries(did).flatMap(([kind, words]) => {
    const agents = [...new Set(replies.filter((ask) => ask.kind === kind).map(({ agent }) => agent))]
    return agents.length === 0 ? [] : [{ by: joinNames(agents), words }]
  })
  const byAgents = new Map<string, string[]>()
  for (const { by, words } of parts) byAgents.set(by, [...(byAgents.get(by) ?? []), words])
  const clauses = [...byAgents].map(([by, words]) => `${by} ${joinNames(words)}`)
  return clauses.length === 0 ? '' : `${clauses.join('; ')}.`
}

/** By the kind of ask, in the order of the work. */
const deeds: Record<string, string> = {
  scaffold: 'planned',
  'write-tests': 'wrote the tests',
  implement: 'wrote the code',
  'review-impl': 'reviewed it',
  'judge-child': 'judged the parts',
}
