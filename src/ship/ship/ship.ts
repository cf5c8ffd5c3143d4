/** Ships a goal: talks it over in the room, plans it, greenlights its issues, builds and merges them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { integrationBranch, shortName } from '../../build/branches.ts'
import { askFinished, askStarted } from '../../kernel/ask/ask-events.ts'
import { type Cost, costOf } from '../../kernel/ask/cost.ts'
import { type Run, RunFailed, type Workflow } from '../../kernel/engine.ts'
import { ConveneError } from '../../kernel/errors.ts'
import { patientRun } from '../../kernel/runs/patient-run.ts'
import { askPerson } from '../../kernel/runs/questions.ts'
import type { PlanInput, PlanResult } from '../../plan/plan-input.ts'
import type { ShipDeps } from '../deps.ts'
import { type IssueDefinition, issuesFileSchema, type PlannedIssueLine, shipFinished, shipIssues } from '../events.ts'
import type { FeatureRunInput, FeatureRunResult } from '../feature/feature-run.ts'
import type { Features } from '../feature/features.ts'
import { eventHeader } from '../feature-state.ts'
import type { RoomMessage, ShipRooms } from '../ship-room.ts'
import { plannedIssueWords } from './planned-issue-words.ts'

export interface ShipInput {
  plan: PlanInput
  merge: boolean
  smart: boolean
  /** Ask before the planned issues are built. */
  look?: boolean
  /** The room it was started in; with `discuss`, its agents answer the goal before planning. */
  room?: RoomMessage & { discuss: boolean }
}

export interface ShipResult {
  status: 'done' | 'failed'
  reason?: string
  /** `not_built`: the person stopped it before the build; the reason says how to go on. */
  code?: 'not_built'
  feature: string
  plan: string
  branch: string
  done: number[]
  blocked: number[]
  merged?: boolean
  /** Of everything, from the round in the room to the last summary. */
  cost: Cost
  seconds: number
}

export interface ShipFloors {
  plan: Workflow<PlanInput, PlanResult>
  run: Workflow<FeatureRunInput, FeatureRunResult>
  features: Features
  rooms: ShipRooms
}

export function shipWorkflow(deps: ShipDeps, floors: ShipFloors): Workflow<ShipInput, ShipResult> {
  return {
    name: 'ship',
    version: 2,
    run: (run, input) => {
      const patient = patientRun(run, { ...deps, header: eventHeader(input.plan.feature) })
      return deps.activity.during(run.runId, () => ship(patient, deps, floors, input))
    },
  }
}

async function ship(run: Run, deps: ShipDeps, floors: ShipFloors, input: ShipInput): Promise<ShipResult> {
  const { feature, plan: name } = input.plan
  const heard = input.room?.discuss ? await hearRoom(run, deps, floors, input.plan.goal, input.room) : []
  const wanted = heard.length > 0 ? { ...input.plan, heard } : input.plan
  const planning = await run.start(floors.plan, wanted, { id: `${run.runId}/plan` })
  const plan = await deps.activity.whileWaiting(run.runId, () => planning.result())
  const base = { feature, plan: name, branch: shortName(integrationBranch(feature)), done: [], blocked: [] }
  if (plan.status !== 'done')
    return end(run, deps, { ...base, status: 'failed', reason: `the plan failed: ${plan.reason}` })
  if (input.look && !input.plan.yes && !(await mayBuild(run, deps, input.plan, plan)))
    return end(run, deps, { ...base, status: 'failed', reason: notBuilt(feature, plan), code: 'not_built' })
  await run.step('greenlight', async (step) => {
    const issues = issuesOf(plan)
    await floors.features.greenlight(feature, issues)
    const shown = { issues: issues.map(plannedIssue), approved: input.look === true && !input.plan.yes }
    step.emit(shipIssues.create(eventHeader(feature, run.runId), shown))
  })
  const loop = `${run.runId}/run`
  const { answers, yes } = input.plan
  const given = { feature, smart: input.smart, merge: input.merge, answers, yes }
  const building = await run.start(floors.run, given, { id: loop })
  const built = await deps.activity.whileWaiting(run.runId, () => building.result())
  const { status, reason, done, blocked, merged } = built
  return end(run, deps, {
    ...base,
    status,
    done,
    blocked,
    ...(reason === undefined ? {} : { reason }),
    ...(merged === undefined ? {} : { merged }),
  })
}

/** Shows the issues to the person, who says whether to build them. */
async function mayBuild(run: Run, deps: ShipDeps, { answers }: PlanInput, plan: PlanResult): Promise<boolean> {
  const { feature } = plan
  const asked = await run.step('show issues', () => {
    const issues = issuesOf(plan).map(plannedIssue)
    const text = `The plan ${plan.plan} has ${issues.length === 1 ? '1 issue' : `${issues.length} issues`}. Build ${issues.length === 1 ? 'it' : 'them'}?`
    const open = [
      ...(plan.contradictions ?? []).map((one) => `open contradiction: ${one}`),
      ...(plan.open_questions ?? []).map((one) => `open question: ${one}`),
    ]
    return { text, detail: [...issues.map(plannedIssueWords), ...open].join('\n') }
  })
  const given = answers.find(({ match }) => asked.text.toLowerCase().includes(match.toLowerCase()))?.answer
  const prepared = ['build', 'stop'].find((choice) => choice === given?.trim().toLowerCase())
  if (prepared !== undefined) return prepared === 'build'
  const answer = await deps.activity.whileWaiting(run.runId, () =>
    askPerson(run, eventHeader(feature, run.runId), {
      text: asked.text,
      choices: ['build', 'stop'],
      only_choices: true,
      context: { feature, plan: plan.plan, detail: asked.detail },
    }),
  )
  return answer.choice === 'build'
}

const notBuilt = (feature: string, { plan }: PlanResult) =>
  `you stopped before the build. Edit .convene/plans/${plan}/issues.json, then: convene greenlight ${feature} --issues .convene/plans/${plan}/issues.json && convene run ${feature}`

function plannedIssue({ number, title, acceptance_criteria, size, depends_on }: IssueDefinition): PlannedIssueLine {
  return { number, title, criteria: acceptance_criteria.length, size, depends_on }
}

/** Talk fails open: a room that cannot answer does not stop the ship. An exhausted script does, as everywhere. */
async function hearRoom(
  run: Run,
  deps: ShipDeps,
  { rooms }: ShipFloors,
  text: string,
  { room, message_id }: RoomMessage,
): Promise<{ agent: string; text: string }[]> {
  const talk = await run.start(rooms.talk, { room, message_id, text, mode: 'coordinate' }, { id: `${run.runId}/talk` })
  try {
    await deps.activity.whileWaiting(run.runId, () => talk.result())
  } catch (error) {
    if (!(error instanceof RunFailed) || error.status !== 'failed' || error.code === 'script_exhausted') throw error
  }
  return run.step('hear the room', () => rooms.replies(talk.id))
}

function end(run: Run, deps: ShipDeps, ended: Omit<ShipResult, 'cost' | 'seconds'>): Promise<ShipResult> {
  return run.step('sum up', async (step) => {
    const asks = await deps.store.read({ run: run.runId, types: [askStarted.type, askFinished.type] })
    const sums = { cost: costOf(asks), seconds: Math.round((deps.clock.now() - run.startedAt) / 1000) }
    const { feature, plan: _plan, ...about } = ended
    step.emit(shipFinished.create(eventHeader(feature, run.runId), { ...about, ...sums }))
    return { ...ended, ...sums }
  })
}

function issuesOf({ folder }: PlanResult) {
  const parsed = issuesFileSchema.safeParse(JSON.parse(readFileSync(join(folder, 'issues.json'), 'utf8')))
  if (parsed.success) return parsed.data.issues
  throw new ConveneError(
    'invalid_issues',
    `${join(folder, 'issues.json')} cannot be used: ${parsed.error.issues[0]?.message}`,
  )
}
