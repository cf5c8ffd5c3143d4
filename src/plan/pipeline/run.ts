/** The plan workflow: runs the phases in order, and goes back to earlier ones where a gate requires it. */
import { join } from 'node:path'
import type { Run, Workflow } from '../../kernel/engine.ts'
import { patientRun } from '../../kernel/runs/patient-run.ts'
import { phaseSteps } from '../../rules/plan/phase.ts'
import type { PhaseId } from '../../rules/plan/phase-table.ts'
import { assessRisk } from '../../rules/plan/risk.ts'
import type { PlanDeps } from '../deps.ts'
import { estimatesOf } from '../estimates.ts'
import { planFinished, planStarted, planStream } from '../events.ts'
import { eventHeader, type Ground, openPlan, type Plan } from '../plan.ts'
import type { PlanInput, PlanResult } from '../plan-input.ts'
import { forkedName } from '../plan-names.ts'
import { flagsIn, teamOf } from '../plan-settings.ts'
import { openFork } from './fork.ts'
import { gateOutcome } from './gate-outcome.ts'
import { nextPhases } from './next-phases.ts'
import type { PhaseWorkflow } from './phase-workflow.ts'
import { runParallelPhases } from './run-parallel-phases.ts'
import { runPhase } from './run-phase.ts'

export function planWorkflow(deps: PlanDeps, phaseWorkflow: PhaseWorkflow): Workflow<PlanInput, PlanResult> {
  return {
    name: 'plan',
    version: 6,
    run: (run, input) => {
      const header = { stream: planStream(input.plan), feature: input.feature }
      const patient = patientRun(run, { ...deps, header })
      return deps.activity.during(run.runId, () => makePlan(patient, deps, input, phaseWorkflow))
    },
  }
}

async function makePlan(run: Run, deps: PlanDeps, input: PlanInput, phaseWorkflow: PhaseWorkflow): Promise<PlanResult> {
  const plan = await begin(run, deps, input)
  const done = new Set<PhaseId>()
  let end: PlanEnd = { issues: 0, contradictions: [], open_questions: [] }
  for (;;) {
    const { phases, steps } = await nextPhases(plan, done)
    if (phases.length === 0) return finish(plan, end)
    const finished =
      phases.length > 1 ? await runParallelPhases(plan, phases, phaseWorkflow) : [await runPhase(plan, run, phases[0]!)]
    for (const [index, id] of phases.entries()) {
      plan.summaries.set(id, finished[index]!.summary)
      done.add(id)
    }
    plan.guidance = undefined
    const last = finished.find((one) => one.issues !== undefined)
    if (last) {
      const { issues, contradictions = [], openQuestions: open_questions = [] } = last
      end = { issues: issues!, contradictions, open_questions }
    }
    const back = await gateOutcome(plan, steps, phases, finished)
    if (back.kind === 'give-up') return finish(plan, end, 'the plan was given up after its gate stayed RED')
    if (back.kind === 'back') for (const id of back.rerun) done.delete(id)
  }
}

async function begin(run: Run, deps: PlanDeps, input: PlanInput): Promise<Plan> {
  const ground = await run.step('begin', async (step): Promise<Ground> => {
    const { plan, feature } = await namesOf(run, deps, input)
    const flags = flagsIn(deps.settings, input.mode)
    const risk = assessRisk(input.goal)
    const team = teamOf(deps.settings, flags, input)
    const { coordinator, panel, reviewers } = deps.staff()
    const agents = [...new Set([coordinator, ...panel, ...reviewers])]
    step.emit(
      planStarted.create(
        { stream: planStream(plan), run: run.runId, feature },
        {
          plan,
          goal: input.goal,
          mode: input.mode,
          preset: team.preset,
          flags: [...flags],
          risk_flags: [...risk.flags],
          suggestion: risk.suggestion,
          estimates: estimatesOf(deps, input),
          steps: phaseSteps(input.mode, flags),
          agents,
          rehearsal: agents.some((name) => deps.agent(name)?.rehearsal),
          warnings: [...team.warnings],
        },
      ),
    )
    const folder = join(deps.folder, plan)
    return { run: run.runId, plan, feature, folder, facts: await deps.facts(), risk, warnings: team.warnings }
  })
  return openPlan(run, deps, input, ground.run === run.runId ? ground : await openFork(run, deps, ground))
}

/** A plan forked at its first step has the original's input and gets a name of its own. */
async function namesOf(run: Run, { store }: PlanDeps, { plan, feature }: PlanInput) {
  const named = await store.read({ stream: planStream(plan), types: [planStarted.type] })
  if (named.every((event) => event.run === run.runId)) return { plan, feature }
  const own = forkedName(plan, run.runId)
  return { plan: own, feature: own }
}

interface PlanEnd {
  issues: number
  /** RV5: contradictions that stay open. */
  contradictions: string[]
  /** PH6: HIGH and MEDIUM questions that stay open. */
  open_questions: string[]
}

async function finish(plan: Plan, end: PlanEnd, reason?: string): Promise<PlanResult> {
  const { run, input, folder } = plan
  const degraded = [...plan.summaries.values()].some(({ flags }) => flags.includes('degraded'))
  const status = reason === undefined ? 'done' : 'failed'
  const why = reason === undefined ? {} : { reason }
  const about = { status, degraded, ...end, assumptions: plan.assumptions.length, ...why } as const
  await run.append(planFinished.create(eventHeader(plan), about))
  return {
    status,
    plan: input.plan,
    feature: input.feature,
    folder,
    degraded,
    ...end,
    assumptions: plan.assumptions,
    ...why,
  }
}
