/** Builds one spec, or plans one goal, twice: by one agent alone and by Convene. Measures both. */
import { integrationBranch, shortName } from '../../build/branches.ts'
import { type Run, RunFailed, type Workflow } from '../../kernel/engine.ts'
import type { PlanInput, PlanResult } from '../../plan/plan-input.ts'
import type { Spec } from '../../rules/build/spec.ts'
import type { ShipDeps } from '../deps.ts'
import { eventHeader } from '../feature-state.ts'
import { comparePlans, type PlannedWork } from './compare-plans.ts'
import { comparisonFinished } from './events.ts'
import { type Measured, measureBuild } from './measure-build.ts'

/** A spec is built twice; a goal is planned twice. */
export type ComparisonInput = { spec: Spec } | { plan: PlanInput }

export const comparedStrategies = ['solo', 'graph'] as const
export type ComparedStrategy = (typeof comparedStrategies)[number]

export interface ComparisonSide extends Measured {
  /** `one-call` and `plan` are the sides of a goal. */
  strategy: ComparedStrategy | 'one-call' | 'plan'
  run: string
  status: 'done' | 'failed'
  reason?: string
  /** What was built; absent where plans are compared. */
  branch?: string
  commit: string | null
  /** What was planned; absent where builds are compared. */
  planned?: PlannedWork
}

export interface ComparisonResult {
  /** The id of the spec, or the goal's feature. */
  spec: string
  sides: ComparisonSide[]
}

/** Each side is a spec of its own, so that its branches are its own. */
export const sideId = (spec: Spec, strategy: ComparedStrategy) => `${spec.id}-${strategy}`

export function comparisonWorkflow(
  deps: ShipDeps,
  plan: Workflow<PlanInput, PlanResult>,
): Workflow<ComparisonInput, ComparisonResult> {
  return {
    name: 'compare',
    version: 1,
    run: (run, input) => deps.activity.during(run.runId, () => compare(run, deps, plan, input)),
  }
}

/** One after the other: at the same time they would slow each other down. */
async function compare(
  run: Run,
  deps: ShipDeps,
  plan: Workflow<PlanInput, PlanResult>,
  input: ComparisonInput,
): Promise<ComparisonResult> {
  const sides =
    'spec' in input ? await buildSides(run, deps, input.spec) : await comparePlans(run, deps, plan, input.plan)
  const name = 'spec' in input ? input.spec.id : input.plan.feature
  return run.step('compare', async (step) => {
    step.emit(comparisonFinished.create(eventHeader(name, run.runId), { sides: sides.map((side) => ({ ...side })) }))
    return { spec: name, sides }
  })
}

async function buildSides(run: Run, deps: ShipDeps, spec: Spec): Promise<ComparisonSide[]> {
  const sides: ComparisonSide[] = []
  for (const strategy of comparedStrategies) sides.push(await buildSide(run, deps, spec, strategy))
  return sides
}

async function buildSide(run: Run, deps: ShipDeps, spec: Spec, strategy: ComparedStrategy): Promise<ComparisonSide> {
  const own = { ...spec, id: sideId(spec, strategy) }
  const id = `${run.runId}/${strategy}`
  const handle = await run.start(deps.build, { spec: own, strategy, merge: false }, { id })
  const ended = await endOf(deps, run, () => handle.result())
  return run.step(`measure ${strategy}`, async () => {
    const branch = shortName(integrationBranch(own.id))
    return { strategy, run: id, branch, ...ended, ...(await measureBuild(deps, id, ended.commit)) }
  })
}

/** A side that fails is a result. A side that was stopped, or whose script ran out, ends the comparison. */
async function endOf(
  deps: ShipDeps,
  run: Run,
  result: () => Promise<{ status: 'done' | 'failed'; reason?: string; commit: string | null }>,
): Promise<Pick<ComparisonSide, 'status' | 'reason' | 'commit'>> {
  try {
    const { status, reason, commit } = await deps.activity.whileWaiting(run.runId, result)
    return { status, commit, ...(reason === undefined ? {} : { reason }) }
  } catch (error) {
    if (!(error instanceof RunFailed) || error.status !== 'failed' || error.code === 'script_exhausted') throw error
    return { status: 'failed', commit: null, reason: error.message }
  }
}
