/** Runs a phase as its own run, in parallel with another: takes a snapshot of the plan and returns the finished phase. */
import type { Workflow } from '../../kernel/engine.ts'
import { patientRun } from '../../kernel/runs/patient-run.ts'
import type { PhaseId } from '../../rules/plan/phase-table.ts'
import type { Summary } from '../artefacts.ts'
import type { PlanDeps } from '../deps.ts'
import { planStream } from '../events.ts'
import { type Ground, openPlan, type Plan } from '../plan.ts'
import type { PlanInput } from '../plan-input.ts'
import { type FinishedPhase, runPhase } from './run-phase.ts'

export interface PlanSnapshot {
  input: PlanInput
  ground: Ground
  summaries: [PhaseId, Summary][]
  signals: Plan['signals']
  passes: [PhaseId, number][]
  returns: [PhaseId, number][]
  breakers: [string, { failures: number; escalated: boolean }][]
  clarifications: Plan['clarifications']
}

export type PhaseWorkflow = Workflow<PlanSnapshot & { phase: PhaseId }, FinishedPhase>

export function snapshotPlan(plan: Plan): PlanSnapshot {
  const { input, folder, facts, risk, warnings, signals, clarifications } = plan
  return {
    input,
    ground: { run: plan.run.runId, plan: input.plan, feature: input.feature, folder, facts, risk, warnings },
    summaries: [...plan.summaries],
    signals,
    passes: [...plan.passes],
    returns: [...plan.returns],
    breakers: [...plan.breakers],
    clarifications: [...clarifications],
  }
}

export function phaseWorkflow(deps: PlanDeps): PhaseWorkflow {
  return {
    name: 'plan.phase',
    version: 6,
    async run(started, given) {
      const header = { stream: planStream(given.ground.plan), feature: given.ground.feature }
      const run = patientRun(started, { ...deps, header })
      const plan = openPlan(run, deps, given.input, given.ground)
      plan.summaries = new Map(given.summaries)
      plan.signals = given.signals
      plan.passes = new Map(given.passes)
      plan.returns = new Map(given.returns)
      plan.breakers = new Map(given.breakers)
      plan.clarifications = [...given.clarifications]
      return deps.activity.during(run.runId, () => runPhase(plan, run, given.phase, { isParallel: true }))
    },
  }
}
