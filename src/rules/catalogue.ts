/** The ten rules that anyone can run by hand, each loaded only when it is asked for. */
import type { Rule } from './rule.ts'

const catalogue = {
  dispatch: () => import('./dispatch.ts'),
  turn: () => import('./turn.ts'),
  convergence: () => import('./convergence.ts'),
  strategy: () => import('./strategy.ts'),
  risk: () => import('./risk.ts'),
  specify: () => import('./specify.ts'),
  review: () => import('./review.ts'),
  graph: () => import('./graph.ts'),
  issue: () => import('./issue.ts'),
  duplicate: () => import('./duplicate.ts'),
}

export type RuleName = keyof typeof catalogue

export const ruleNames = Object.keys(catalogue) as RuleName[]

export const isRuleName = (name: string): name is RuleName => Object.hasOwn(catalogue, name)

export async function loadRule(name: RuleName): Promise<Rule<unknown, unknown>> {
  return (await catalogue[name]()).rule as unknown as Rule<unknown, unknown>
}
