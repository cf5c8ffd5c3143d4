/** A phase as a run of its own, beside another: it is given the plan as it stands, and gives back what it added. */
import type { Workflow } from '../kernel/engine.ts'
import type { PhaseId } from '../rules/phase-table.ts'
import type { Team } from '../rules/preset.ts'
import type { RiskAdvice } from '../rules/risk.ts'
import type { StrategySignals } from '../rules/strategy.ts'
import type { Summary } from './artefacts.ts'
import { openPlan, type Plan } from './plan.ts'
import type { PlanInput } from './plan-input.ts'
import type { ProjectFacts } from './project-facts.ts'
import { type FinishedPhase, runPhase } from './run-phase.ts'
import type { PlanSurroundings } from './surroundings.ts'

export interface FrozenPlan {
  input: PlanInput
  ground: { folder: string; facts: ProjectFacts; risk: RiskAdvice; team: Team }
  summaries: [PhaseId, Summary][]
  signals: StrategySignals
  passes: [PhaseId, number][]
  returns: [PhaseId, number][]
  clarifications: Plan['clarifications']
  assumptions: string[]
  guidance?: string
}

export type PhaseRunResult = FinishedPhase & Pick<Plan, 'assumptions' | 'clarifications'>
export type PhaseRuns = Workflow<FrozenPlan & { phase: PhaseId }, PhaseRunResult>

export function frozen(plan: Plan): FrozenPlan {
  const { input, folder, facts, risk, team, signals, clarifications, assumptions, guidance } = plan
  return {
    input,
    ground: { folder, facts, risk, team },
    summaries: [...plan.summaries],
    signals,
    passes: [...plan.passes],
    returns: [...plan.returns],
    clarifications: [...clarifications],
    assumptions: [...assumptions],
    ...(guidance === undefined ? {} : { guidance }),
  }
}

export function phaseWorkflow(around: PlanSurroundings): PhaseRuns {
  return {
    name: 'plan.phase',
    version: 1,
    async run(run, given) {
      around.attendance.arrive(run.runId)
      try {
        const plan = openPlan(run, around, given.input, given.ground)
        plan.summaries = new Map(given.summaries)
        plan.signals = given.signals
        plan.passes = new Map(given.passes)
        plan.returns = new Map(given.returns)
        plan.clarifications = [...given.clarifications]
        plan.assumptions = [...given.assumptions]
        if (given.guidance !== undefined) plan.guidance = given.guidance
        const finished = await runPhase(plan, run, given.phase)
        return {
          ...finished,
          assumptions: plan.assumptions.slice(given.assumptions.length),
          clarifications: plan.clarifications.slice(given.clarifications.length),
        }
      } finally {
        around.attendance.leave(run.runId)
      }
    },
  }
}
