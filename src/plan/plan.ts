/** The state of a plan while its run executes the phases; rebuilt from the journal after a restart. */
import type { Run, StepContext } from '../kernel/engine.ts'
import type { EventHeader, NewEvent } from '../kernel/events.ts'
import { decisionsInForce } from '../rules/context/context.ts'
import { type Breakers, fail, initialBreakers, succeed } from '../rules/plan/breaker.ts'
import type { FlagSet } from '../rules/plan/feature-flags.ts'
import type { PhaseId } from '../rules/plan/phase-table.ts'
import type { RiskAdvice } from '../rules/plan/risk.ts'
import { type SettledMatter, settledMatters } from '../rules/plan/settled-matters.ts'
import type { StrategySignals } from '../rules/plan/strategy.ts'
import { settlesNothing } from '../rules/plan/words/no-decision.ts'
import type { Summary } from './artefacts.ts'
import type { PlanDeps } from './deps.ts'
import { breakerTripped, planStream } from './events.ts'
import type { PlanInput } from './plan-input.ts'
import { breakerLimits, type PhaseSettings } from './plan-settings.ts'
import type { ProjectFacts } from './project-facts.ts'

/** The basis of a plan, recorded once when it starts. */
export interface Ground {
  /** The run that started it; for a fork, the original's run. */
  run: string
  plan: string
  feature: string
  folder: string
  facts: ProjectFacts
  risk: RiskAdvice
  /** Why the team differs from the requested one. */
  warnings: string[]
}

export interface Clarification {
  phase: PhaseId
  question: string
  /** What it is about, if the question says more than that. */
  about?: string
  answer: string
  /** The question's id if a person was asked, otherwise the ask that raised it. */
  asked?: string
  fromFile?: boolean
  /** Nobody was asked; this is an assumption. */
  assumed?: boolean
  /** The open questions of agents that it answers, by id. */
  resolves?: string[]
  /** The chosen option as a decision of the plan. */
  sentence?: string
  /** The decisions that it overrules, by id. */
  supersedes?: string[]
}

export interface Plan extends Omit<Ground, 'run' | 'plan' | 'feature'> {
  readonly run: Run
  readonly deps: PlanDeps
  readonly input: PlanInput
  /** Summaries of finished phases, as read from their files. */
  summaries: Map<PhaseId, Summary>
  /** The files as this process wrote them; unchanged ones need not be parsed again. */
  written: Map<PhaseId, string>
  /** Findings of research that select later strategies. */
  signals: StrategySignals
  passes: Map<PhaseId, number>
  returns: Map<PhaseId, number>
  breakers: Breakers
  assumptions: string[]
  /** Answers of a person or the answers file that later phases use. */
  clarifications: Clarification[]
  /** Questions that the person left to the agents: never asked again. */
  left: Pick<Clarification, 'phase' | 'question' | 'about'>[]
  /** How often the answers file repeated a phase. */
  rounds: Map<string, number>
  /** Why the next phase is repeated. */
  guidance?: string
}

/** One running phase. */
export interface Phase {
  readonly plan: Plan
  readonly run: Run
  readonly id: PhaseId
  readonly pass: number
  readonly settings: PhaseSettings
  readonly flags: FlagSet
  /** The system prompt shared by all calls of the phase, unless the phase changes what the plan says. */
  system: string
  /** Reads the documents again, with what this phase has decided so far. */
  renew(own: Partial<Pick<Summary, 'key_decisions' | 'risks_identified' | 'closed_questions'>>): void
  /** Another phase runs at the same time; if this one fails, it runs again alone. */
  readonly isParallel: boolean
  /** Flags for the summary, as they come up. */
  summaryFlags: string[]
  /** Source files that agents of this phase have read. */
  readonly filesRead: Set<string>
}

export function openPlan(run: Run, deps: PlanDeps, input: PlanInput, ground: Ground): Plan {
  return {
    deps,
    input: { ...input, plan: ground.plan, feature: ground.feature },
    folder: ground.folder,
    facts: ground.facts,
    risk: ground.risk,
    warnings: ground.warnings,
    run,
    summaries: new Map(),
    written: new Map(),
    signals: {},
    passes: new Map(),
    returns: new Map(),
    breakers: initialBreakers(),
    assumptions: [],
    clarifications: [],
    left: [],
    rounds: new Map(),
  }
}

export function eventHeader(plan: Plan, run: Run = plan.run, actor?: string): EventHeader {
  return {
    stream: planStream(plan.input.plan),
    run: run.runId,
    feature: plan.input.feature,
    ...(actor === undefined ? {} : { actor }),
  }
}

/**
 * Records events without waiting until they are on disk. The next effect that is visible outside, an ask or a question,
 * starts with a later write that is awaited, so the order holds.
 */
export async function emit(run: Run, ...events: NewEvent[]): Promise<void> {
  const write = (step: StepContext) => {
    for (const event of events) step.emit(event)
  }
  await run.step('tell', write, { ahead: true })
}

export function addFlags(phase: Phase, ...flags: string[]): void {
  phase.summaryFlags = [...new Set([...phase.summaryFlags, ...flags])]
}

/** ST3: signals from the current summaries, which people may have edited, and from research. */
export function signalsOf({ signals, summaries, clarifications }: Plan): StrategySignals {
  const { specify_score } = summaries.get('3') ?? {}
  // An assumption does not answer a question.
  const assumed = latestAnswers(clarifications).filter((one) => one.phase === '3' && one.assumed).length
  return {
    ...signals,
    ...(summaries.has('2') ? { open_questions: openQuestions(summaries) + assumed } : {}),
    ...(specify_score === null || specify_score === undefined ? {} : { specify_score }),
  }
}

/** CV7, RV4: what needs no further question: what the person has spoken on, and the HIGH decisions. */
export function settledIn({ clarifications, left, summaries }: Plan): SettledMatter[] {
  const said = clarifications.filter((one) => !one.assumed && !isLeft(one))
  const open = [...clarifications.filter(isLeft), ...left]
  const spoken = [...said, ...open.map(({ question, about }) => ({ question, ...(about ? { about } : {}) }))]
  return settledMatters(
    spoken,
    [...summaries.values()].flatMap(({ key_decisions }) => key_decisions),
  )
}

/** CX2: an answer that settles nothing, unless it is an option that the agents worded as a decision. */
export function isLeft({ answer, sentence, assumed }: Pick<Clarification, 'answer' | 'sentence' | 'assumed'>): boolean {
  return !assumed && !sentence && settlesNothing(answer)
}

/** Keeps the last answer to a question that was asked again. */
export function latestAnswers(clarifications: readonly Clarification[]): Clarification[] {
  const latest = new Map<string, Clarification>()
  for (const one of clarifications) {
    const key = `${one.phase} ${one.question.replace(/\s+/g, ' ').trim().toLowerCase()}`
    latest.delete(key)
    latest.set(key, one)
  }
  return [...latest.values()]
}

function openQuestions(summaries: ReadonlyMap<PhaseId, Summary>): number {
  const all = [...summaries.values()]
  const { resolved } = decisionsInForce(all)
  const asked = new Set(all.flatMap(({ open_questions }) => open_questions.map(({ id }) => id)))
  return [...asked].filter((id) => !resolved.has(id)).length
}

/** CB1: counts a failure; when the breaker trips, emits what happens instead. */
export async function countFailure(phase: Phase, context: string): Promise<'retry' | 'escalate'> {
  const { plan } = phase
  const { breakers, verdict } = fail(plan.breakers, context, breakerLimits(phase.settings))
  plan.breakers = breakers
  if (verdict.kind === 'retry') return 'retry'
  if (verdict.kind === 'escalate') {
    const { failures, escalation } = verdict
    const { action, description } = escalation
    addFlags(phase, ...escalation.flags)
    await emit(
      phase.run,
      breakerTripped.create(eventHeader(plan, phase.run), { context, failures, action, description }),
    )
  }
  return 'escalate'
}

export function countSuccess({ plan, settings }: Phase, context: string): void {
  const { keepsCounting } = settings.breakers
  if (keepsCounting === 'all' || keepsCounting.includes(context)) return
  plan.breakers = succeed(plan.breakers, context)
}
