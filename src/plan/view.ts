/** A plan, folded from its events. Browser-safe. */

import { askFinished, askStarted } from '../kernel/ask/ask-events.ts'
import { type Cost, countCost, noCost } from '../kernel/ask/cost.ts'
import type { StoredEvent } from '../kernel/events.ts'
import type { Fold } from '../kernel/fold.ts'
import { isStopped, runFinished, runParked, runRecovered, type WorkStatus } from '../kernel/run-events.ts'
import { type Question, questionAnswered, questionAsked } from '../kernel/runs/question-events.ts'
import type { Mode } from '../rules/plan/mode.ts'
import type { KeyDecision, PhaseSummary } from '../rules/plan/phase-summary.ts'
import { type PhaseId, phaseById, phaseIds } from '../rules/plan/phase-table.ts'
import type { Strategy } from '../rules/plan/strategy-table.ts'
import {
  artefactWritten,
  assumptionMade,
  breakerTripped,
  consistencyChecked,
  contradictionsSettled,
  convergenceMeasured,
  decisionRecorded,
  memberMissing,
  outputReceived,
  panelTallied,
  panelVoted,
  phaseFinished,
  phaseStarted,
  planAmended,
  planFinished,
  planReturned,
  planStarted,
  reviewDecided,
  specifyScored,
} from './events.ts'

export type PlanStatus = WorkStatus
export type PhaseState = 'to-come' | 'working' | 'question' | 'done' | 'degraded' | 'skipped'

type DataOf<Definition extends { create: (...args: never[]) => { data: unknown } }> = ReturnType<
  Definition['create']
>['data']

export interface PhaseView {
  id: PhaseId
  name: string
  state: PhaseState
  /** How often it was started. */
  pass: number
  strategy: Strategy | null
  override?: string
  cast: string[]
  outputs: DataOf<typeof outputReceived>[]
  missing: DataOf<typeof memberMissing>[]
  convergence: DataOf<typeof convergenceMeasured>[]
  votes: DataOf<typeof panelVoted>[]
  tally?: DataOf<typeof panelTallied>
  artefacts: { file: string; bytes: number; artefact_ref: string }[]
  summary?: PhaseSummary
  text?: string
  /** The run it is executed in. */
  run?: string
  /** Over all its passes. */
  cost: Cost
  started?: string
  finished?: string
  /** Passes that were sent back, with their results. */
  earlier: PhaseView[]
}

export interface PlanView {
  id: string
  run: string
  feature: string
  goal: string
  mode: Mode | null
  preset: string
  flags: string[]
  risk_flags: string[]
  suggestion: { mode: Mode; message: string } | null
  estimates: { mode: Mode; calls: number; tokens: number; cost: number | null }[]
  status: PlanStatus
  reason?: string
  degraded: boolean
  rehearsal: boolean
  agents: string[]
  warnings: string[]
  steps: PhaseId[][]
  phases: PhaseView[]
  specify: DataOf<typeof specifyScored>[]
  reviews: DataOf<typeof reviewDecided>[]
  /** RV5: comparisons of the documents; the last one counts. */
  consistency: DataOf<typeof consistencyChecked>[]
  /** RV5: how the contradictions ended that were found. */
  contradictions: ({ phase: PhaseId } & DataOf<typeof contradictionsSettled>['ends'][number])[]
  /** RV4: amend passes of the architect. */
  amendments: Omit<DataOf<typeof planAmended>, 'amended'>[]
  /** `withdrawn`: its phase was sent back; `supersededBy`: a later decision replaces it. */
  decisions: {
    phase: PhaseId
    decision: KeyDecision
    ask?: string
    seq: number
    withdrawn?: true
    supersededBy?: string
  }[]
  assumptions: { phase: PhaseId; question: string; assumption: string }[]
  breakers: DataOf<typeof breakerTripped>[]
  returns: { from: PhaseId; to: PhaseId; rerun: PhaseId[]; reason: string }[]
  questions: Question[]
  issues: number
  cost: Cost
  started?: string
  finished?: string
}

/** A plan as one line of a list. */
export interface PlanLine {
  /** The run. */
  id: string
  plan: string
  goal: string
  status: PlanStatus
  reason?: string
  mode: Mode | null
  degraded: boolean
  rehearsal: boolean
  /** The current phase, and how many are done. */
  at: PhaseId | null
  phases: number
  done: number
  issues: number
  /** How many questions are open. */
  questions: number
  cost: Cost
  started?: string
  finished?: string
}

export function planLine(view: PlanView): PlanLine {
  const { run, id, goal, status, reason, mode, degraded, rehearsal, phases, issues, questions, cost } = view
  const at = phases.find(({ state }) => state === 'question') ?? phases.find(({ state }) => state === 'working')
  return {
    id: run,
    plan: id,
    goal,
    status,
    ...(reason === undefined ? {} : { reason }),
    mode,
    degraded,
    rehearsal,
    at: at?.id ?? null,
    phases: phases.length,
    done: phases.filter(({ state }) => state === 'done' || state === 'degraded' || state === 'skipped').length,
    issues,
    questions: questions.length,
    cost: { ...cost },
    ...(view.started === undefined ? {} : { started: view.started }),
    ...(view.finished === undefined ? {} : { finished: view.finished }),
  }
}

export function planView(run: string): Fold<PlanView> {
  return {
    initial: () => ({
      id: '',
      run,
      feature: '',
      goal: '',
      mode: null,
      preset: '',
      flags: [],
      risk_flags: [],
      suggestion: null,
      estimates: [],
      status: 'running',
      degraded: false,
      rehearsal: false,
      agents: [],
      warnings: [],
      steps: [],
      phases: [],
      specify: [],
      reviews: [],
      consistency: [],
      contradictions: [],
      amendments: [],
      decisions: [],
      assumptions: [],
      breakers: [],
      returns: [],
      questions: [],
      issues: 0,
      cost: noCost(),
    }),
    evolve(view, event) {
      applyToPlan(view, event)
      applyToPhases(view, event)
      return view
    },
  }
}

function applyToPlan(view: PlanView, event: StoredEvent): void {
  if (planStarted.is(event)) {
    const { plan, steps, ...rest } = event.data
    Object.assign(view, rest, { id: plan, steps, feature: event.feature ?? '', started: event.ts })
    view.phases = steps.flat().map(emptyPhase)
  }
  if (planFinished.is(event)) {
    const { status, reason, degraded, issues } = event.data
    Object.assign(view, { status, degraded, issues, finished: event.ts, ...(reason === undefined ? {} : { reason }) })
  }
  if (event.run === view.run) {
    if (runFinished.is(event) && view.status !== 'done') {
      view.status = 'failed'
      view.finished ??= event.ts
      if (event.data.reason !== undefined) view.reason ??= event.data.reason
    }
    if (runParked.is(event)) view.status = isStopped(event.data) ? 'stopped' : 'failed'
    if (runRecovered.is(event) && !view.finished) view.status = 'running'
  }
  if (specifyScored.is(event)) view.specify.push(event.data)
  if (reviewDecided.is(event)) view.reviews.push(event.data)
  if (consistencyChecked.is(event)) view.consistency.push(event.data)
  if (contradictionsSettled.is(event)) {
    const { phase, ends } = event.data
    const others = view.contradictions.filter((one) => one.phase !== phase)
    view.contradictions = [...others, ...ends.map((one) => ({ phase, ...one }))]
  }
  if (planAmended.is(event)) applyAmendment(view, event.data)
  if (decisionRecorded.is(event)) recordDecision(view, { ...event.data, seq: event.seq })
  if (assumptionMade.is(event)) view.assumptions.push(event.data)
  if (breakerTripped.is(event)) view.breakers.push(event.data)
  if (planReturned.is(event)) {
    view.returns.push(event.data)
    const isGone = ({ phase }: { phase: PhaseId }) => event.data.rerun.includes(phase)
    view.amendments = view.amendments.filter((one) => !isGone(one))
    view.consistency = view.consistency.filter((one) => !isGone(one))
    view.contradictions = view.contradictions.filter((one) => !isGone(one))
    for (const one of view.decisions) if (event.data.rerun.includes(one.phase)) one.withdrawn = true
    // A pass that was sent back does not make the plan degraded.
    for (const one of view.phases) if (event.data.rerun.includes(one.id)) one.state = 'to-come'
    view.degraded = view.phases.some(isDegraded)
  }
  if (questionAsked.is(event)) view.questions.push(event.data)
  if (questionAnswered.is(event)) view.questions = view.questions.filter(({ id }) => id !== event.data.id)
  if (askStarted.is(event) || askFinished.is(event)) {
    countCost(view.cost, event)
    // Parallel phases are runs of their own; within one run phases are sequential.
    const phase = view.phases.find(
      ({ run, state }) => run === event.run && (state === 'working' || state === 'question'),
    )
    if (phase) countCost(phase.cost, event)
  }
}

function applyAmendment(view: PlanView, { amended, ...amendment }: DataOf<typeof planAmended>): void {
  // A point that the person decided since reads as it was decided.
  const again = new Set(amendment.points.map(({ text }) => text))
  for (const one of view.amendments)
    if (one.phase === amendment.phase) one.points = one.points.filter(({ text }) => !again.has(text))
  view.amendments.push(amendment)
  for (const { phase: id, summary, text } of amended) {
    const phase = view.phases.find((one) => one.id === id)
    if (phase) Object.assign(phase, { summary, text })
  }
}

function recordDecision(view: PlanView, recorded: PlanView['decisions'][number]): void {
  const replaced = recorded.decision.supersedes ?? []
  for (const one of view.decisions) if (replaced.includes(one.decision.id)) one.supersededBy = recorded.decision.id
  view.decisions.push(recorded)
}

function applyToPhases(view: PlanView, event: StoredEvent): void {
  const { phase: about } = event.data as { phase?: PhaseId }
  const asked = questionAsked.is(event) ? (event.data.context.phase as PhaseId | undefined) : undefined
  // A flag that was turned on meanwhile adds a phase.
  if (phaseStarted.is(event) && !view.phases.some(({ id }) => id === about)) {
    view.phases.push(emptyPhase(event.data.phase))
    view.phases.sort((a, b) => phaseIds.indexOf(a.id) - phaseIds.indexOf(b.id))
  }
  const phase = view.phases.find(({ id }) => id === (asked ?? about))
  if (questionAnswered.is(event)) goOn(view)
  if (!phase) return
  if (phaseStarted.is(event)) {
    const { name, pass, strategy, override, cast } = event.data
    const { earlier, cost } = phase
    view.phases[view.phases.indexOf(phase)] = {
      ...emptyPhase(phase.id),
      ...{ name, pass, strategy, cast, cost, state: 'working', started: event.ts },
      ...(event.run === undefined ? {} : { run: event.run }),
      ...(override === undefined ? {} : { override }),
      earlier: phase.pass > 0 ? [...earlier, { ...phase, earlier: [] }] : earlier,
    }
  }
  if (questionAsked.is(event)) phase.state = 'question'
  if (outputReceived.is(event)) phase.outputs.push(event.data)
  if (memberMissing.is(event)) {
    phase.missing.push(event.data)
    view.degraded = true
  }
  if (convergenceMeasured.is(event)) phase.convergence.push(event.data)
  if (panelVoted.is(event)) phase.votes.push(event.data)
  if (panelTallied.is(event)) phase.tally = event.data
  if (artefactWritten.is(event)) {
    const { file, bytes, artefact_ref } = event.data
    phase.artefacts = [...phase.artefacts.filter((one) => one.file !== file), { file, bytes, artefact_ref }]
  }
  if (phaseFinished.is(event)) {
    const { summary, text } = event.data
    phase.state = endOf(summary)
    Object.assign(phase, { summary, text, finished: event.ts })
    // A member that answered a retry is not missing any more.
    view.degraded = view.phases.some(isDegraded)
  }
}

/** A phase may have several open questions, even after it has ended. */
function goOn({ phases, questions }: PlanView): void {
  for (const phase of phases) {
    if (phase.state !== 'question' || questions.some(({ context }) => context.phase === phase.id)) continue
    phase.state = phase.finished !== undefined && phase.summary ? endOf(phase.summary) : 'working'
  }
}

function isDegraded({ state, summary, missing }: PhaseView): boolean {
  if (state === 'to-come') return false
  return summary ? summary.flags.includes('degraded') : missing.length > 0
}

function endOf({ status, flags }: PhaseSummary): PhaseState {
  if (status === 'skipped') return 'skipped'
  return flags.includes('degraded') ? 'degraded' : 'done'
}

function emptyPhase(id: PhaseId): PhaseView {
  return {
    id,
    name: phaseById(id).name,
    state: 'to-come',
    pass: 0,
    strategy: null,
    cast: [],
    outputs: [],
    missing: [],
    convergence: [],
    votes: [],
    artefacts: [],
    cost: noCost(),
    earlier: [],
  }
}
