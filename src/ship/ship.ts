/** One goal in, merged code and a true tracker out: a plan, its issues, and the loop that builds them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { integrationBranch, shortName } from '../build/branches.ts'
import type { Run, Workflow } from '../kernel/engine.ts'
import { ConveneError } from '../kernel/errors.ts'
import type { PlanInput, PlanResult } from '../plan/plan-input.ts'
import { featureRunStarted, issuesFileSchema, shipFinished, shipStarted } from './events.ts'
import { placeOf } from './feature-state.ts'
import type { Features } from './features.ts'
import type { FeatureRunInput, FeatureRunResult } from './run.ts'
import type { ShipSurroundings } from './surroundings.ts'

export interface ShipInput {
  plan: PlanInput
  merge: boolean
  smart: boolean
}

export interface ShipResult {
  status: 'done' | 'failed'
  reason?: string
  feature: string
  plan: string
  branch: string
  done: number[]
  blocked: number[]
  merged?: boolean
}

export interface ShipFloors {
  plan: Workflow<PlanInput, PlanResult>
  run: Workflow<FeatureRunInput, FeatureRunResult>
  features: Features
}

export function shipWorkflow(around: ShipSurroundings, floors: ShipFloors): Workflow<ShipInput, ShipResult> {
  return {
    name: 'ship',
    version: 1,
    async run(run, input) {
      around.attendance.arrive(run.runId)
      try {
        return await ship(run, around, floors, input)
      } finally {
        around.attendance.leave(run.runId)
      }
    },
  }
}

async function ship(run: Run, around: ShipSurroundings, floors: ShipFloors, input: ShipInput): Promise<ShipResult> {
  const { feature, plan: name, goal, mode } = input.plan
  const place = placeOf(feature, run.runId)
  await run.append(shipStarted.create(place, { goal, mode, plan: name, feature }))
  const planning = await run.start(floors.plan, input.plan, { id: `${run.runId}/plan` })
  const plan = await around.attendance.during(run.runId, () => planning.result())
  const base = { feature, plan: name, branch: shortName(integrationBranch(feature)), done: [], blocked: [] }
  if (plan.status !== 'done')
    return end(run, feature, { ...base, status: 'failed', reason: `the plan failed: ${plan.reason}` })
  await run.step('greenlight', async () => {
    await floors.features.greenlight(feature, issuesOf(plan))
  })
  const loop = `${run.runId}/run`
  const given = { feature, smart: input.smart, merge: input.merge }
  await run.append(featureRunStarted.create(placeOf(feature, loop), given))
  const building = await run.start(floors.run, given, { id: loop })
  const built = await around.attendance.during(run.runId, () => building.result())
  const { status, reason, done, blocked, merged } = built
  return end(run, feature, {
    ...base,
    status,
    done,
    blocked,
    ...(reason === undefined ? {} : { reason }),
    ...(merged === undefined ? {} : { merged }),
  })
}

async function end(run: Run, feature: string, result: ShipResult): Promise<ShipResult> {
  const { status, reason, done, blocked } = result
  const why = reason === undefined ? {} : { reason }
  await run.append(shipFinished.create(placeOf(feature, run.runId), { status, done, blocked, ...why }))
  return result
}

function issuesOf({ folder }: PlanResult) {
  const parsed = issuesFileSchema.safeParse(JSON.parse(readFileSync(join(folder, 'issues.json'), 'utf8')))
  if (parsed.success) return parsed.data.issues
  throw new ConveneError(
    'invalid_issues',
    `${join(folder, 'issues.json')} cannot be used: ${parsed.error.issues[0]?.message}`,
  )
}
