/** The stages of a ship: plan, issues, build, merge. Pure. */
import type { PlanStatus } from '../../../../src/plan/view.ts'
import type { IssueState } from '../../../../src/rules/issues/issue-states.ts'
import type { FeatureStatus } from '../../../../src/ship/feature/features.ts'

export type StageState = 'todo' | 'here' | 'done' | 'failed' | 'waiting'

export interface Stage {
  id: 'plan' | 'issues' | 'build' | 'merge'
  label: string
  state: StageState
  words: string
}

export interface ShipFacts {
  plan: { status: PlanStatus; done: number; phases: number } | null
  states: readonly IssueState[]
  /** Of the issue loop; null before it began. */
  run: FeatureStatus | null
  /** Whether it is to be merged into the main branch. */
  merge: boolean
  merged: boolean | undefined
  main: string
}

export function stagesOf({ plan, states, run, merge, merged, main }: ShipFacts): Stage[] {
  const done = states.filter((state) => state === 'DONE').length
  const open = states.filter((state) => state !== 'DONE' && state !== 'SPLIT').length
  const built = states.length > 0 && open === 0
  return [
    { id: 'plan', label: 'Plan', ...planStage(plan, states.length) },
    {
      id: 'issues',
      label: 'Issues',
      state: states.length > 0 ? 'done' : 'todo',
      words: states.length > 0 ? `${states.length} greenlit` : 'pending',
    },
    { id: 'build', label: 'Build', ...buildStage(run, states.length, done, built) },
    ...(merge ? [mergeStage(merged, run, main)] : []),
  ]
}

type Said = Pick<Stage, 'state' | 'words'>

function planStage(plan: ShipFacts['plan'], issues: number): Said {
  if (issues > 0) return { state: 'done', words: 'done' }
  if (!plan) return { state: 'here', words: 'starting' }
  if (plan.status === 'failed') return { state: 'failed', words: 'failed' }
  if (plan.status === 'waiting') return { state: 'waiting', words: 'needs your answer' }
  if (plan.status === 'stopped') return { state: 'waiting', words: 'stopped' }
  if (plan.status === 'done') return { state: 'done', words: 'done' }
  return { state: 'here', words: plan.phases > 0 ? `${plan.done} of ${plan.phases} phases` : 'planning' }
}

function buildStage(run: FeatureStatus | null, issues: number, done: number, built: boolean): Said {
  const words = `${done} of ${issues} done`
  if (built) return { state: 'done', words }
  if (run === null) return { state: 'todo', words: 'pending' }
  if (run === 'failed' || run === 'done') return { state: 'failed', words }
  if (run === 'waiting') return { state: 'waiting', words: `${words}, needs your answer` }
  if (run === 'stopped') return { state: 'waiting', words: `${words}, stopped` }
  return { state: 'here', words }
}

function mergeStage(merged: boolean | undefined, run: FeatureStatus | null, main: string): Stage {
  const into = main === '' ? 'the main branch' : main
  const about = { id: 'merge' as const, label: 'Merge' }
  if (merged === true) return { ...about, state: 'done', words: `in ${into}` }
  if (merged === false && (run === 'done' || run === 'failed'))
    return { ...about, state: 'failed', words: `not in ${into}` }
  return { ...about, state: 'todo', words: `into ${into}` }
}
