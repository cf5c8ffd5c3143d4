/** What is known of a plan while its run goes through the phases: rebuilt from the journal after a restart. */
import type { Run } from '../kernel/engine.ts'
import type { EventPlace } from '../kernel/events.ts'
import { type Breakers, fail, initialBreakers, succeed } from '../rules/breaker.ts'
import { accumulate } from '../rules/context.ts'
import type { FlagSet } from '../rules/feature-flags.ts'
import { type PhaseId, phaseById } from '../rules/phase-table.ts'
import type { Team } from '../rules/preset.ts'
import type { RiskAdvice } from '../rules/risk.ts'
import type { StrategySignals } from '../rules/strategy.ts'
import { readArtefact, type Summary } from './artefacts.ts'
import { breakerTripped, planStream } from './events.ts'
import type { PlanInput } from './plan-input.ts'
import { breakersIn } from './plan-settings.ts'
import { describeFacts, type ProjectFacts } from './project-facts.ts'
import type { PlanSurroundings } from './surroundings.ts'

export interface Plan {
  readonly run: Run
  readonly around: PlanSurroundings
  readonly input: PlanInput
  /** The files of this plan. */
  readonly folder: string
  readonly facts: ProjectFacts
  readonly risk: RiskAdvice
  team: Team
  /** Finished phases, as their files say. */
  summaries: Map<PhaseId, Summary>
  signals: StrategySignals
  passes: Map<PhaseId, number>
  returns: Map<PhaseId, number>
  breakers: Breakers
  assumptions: string[]
  /** What a person, or the answers file, said. */
  clarifications: { question: string; answer: string }[]
  /** A word of a person to the phase that is done again. */
  guidance?: string
}

/** One phase at work. */
export interface Phase {
  readonly plan: Plan
  readonly run: Run
  readonly id: PhaseId
  readonly pass: number
  readonly flags: FlagSet
  /** The part of the prompt that all calls of the phase have in front. */
  readonly system: string
  /** Flags for the summary, as they come up. */
  noted: string[]
}

export function openPlan(
  run: Run,
  around: PlanSurroundings,
  input: PlanInput,
  ground: { folder: string; facts: ProjectFacts; risk: RiskAdvice; team: Team },
): Plan {
  return {
    run,
    around,
    input,
    ...ground,
    summaries: new Map(),
    signals: { security_keywords: ground.risk.flags.includes('security-critical') ? 2 : 0 },
    passes: new Map(),
    returns: new Map(),
    breakers: initialBreakers(),
    assumptions: [],
    clarifications: [],
  }
}

export function placeOf(plan: Plan, run: Run = plan.run, actor?: string): EventPlace {
  return {
    stream: planStream(plan.input.plan),
    run: run.runId,
    feature: plan.input.feature,
    ...(actor === undefined ? {} : { actor }),
  }
}

export function note(phase: Phase, ...flags: string[]): void {
  phase.noted = [...new Set([...phase.noted, ...flags])]
}

/** CX1, CX4: request and context first, then what the phase reads; the same bytes for every call of the phase. */
export function systemFor(plan: Plan, id: PhaseId, flags: FlagSet): string {
  const { around, input } = plan
  const { decision_propagation } = around.settings.state.context_protocol
  const sources = flags.has('a6_context_protocol') && decision_propagation.enabled ? [...plan.summaries.values()] : []
  const accumulated = accumulate(sources, around.countTokens, decision_propagation.max_accumulated_tokens).text
  const { summaries, artefacts } = phaseById(id).reads
  const material = [
    ...(id === '1' ? [] : [{ title: 'Facts about the project', text: describeFacts(plan.facts) }]),
    ...artefacts.flatMap((file) => {
      const text = readArtefact(plan.folder, file)
      return text === null ? [] : [{ title: file, text: cut(text, 24_000) }]
    }),
    ...summaries.flatMap((phase) => {
      const summary = plan.summaries.get(phase)
      return summary ? [{ title: `What phase ${phase} (${phaseById(phase).name}) found`, text: summary.text }] : []
    }),
  ]
  return around.prompts.render('planner', { request: input.goal, accumulated, material })
}

/** CB1: counts a failure; the one that reaches the limit is told, with what is done instead. */
export async function countFailure(phase: Phase, context: string): Promise<'retry' | 'escalate'> {
  const { plan } = phase
  const { breakers, verdict } = fail(plan.breakers, context, breakersIn(plan.around.settings))
  plan.breakers = breakers
  if (verdict.kind === 'retry') return 'retry'
  if (verdict.kind === 'escalate') {
    const { failures, escalation } = verdict
    const { action, description } = escalation
    note(phase, ...escalation.flags)
    await phase.run.append(breakerTripped.create(placeOf(plan, phase.run), { context, failures, action, description }))
  }
  return 'escalate'
}

export function countSuccess({ plan }: Phase, context: string): void {
  plan.breakers = succeed(plan.breakers, context)
}

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}\n… (cut)`
}
