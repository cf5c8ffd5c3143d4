/** The ten rules that `convene decide` runs, each loaded on demand. */
import type { Rule } from './schema/rule.ts'

const catalogue = {
  dispatch: () => import('./room/dispatch.ts'),
  turn: () => import('./turns/turn.ts'),
  convergence: () => import('./convergence/convergence.ts'),
  strategy: () => import('./plan/strategy.ts'),
  risk: () => import('./plan/risk.ts'),
  specify: () => import('./plan/specify.ts'),
  review: () => import('./plan/review.ts'),
  graph: () => import('./build/graph.ts'),
  issue: () => import('./issues/issue.ts'),
  duplicate: () => import('./issues/duplicate.ts'),
}

export type RuleName = keyof typeof catalogue

export const ruleNames = Object.keys(catalogue) as RuleName[]

export const isRuleName = (name: string): name is RuleName => Object.hasOwn(catalogue, name)

export async function loadRule(name: RuleName): Promise<Rule<unknown, unknown>> {
  return (await catalogue[name]()).rule as unknown as Rule<unknown, unknown>
}
