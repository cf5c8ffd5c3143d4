/** The progress of a ship, from the round in the room to the merge, folded from its events. Browser-safe. */

import { askFinished, askStarted } from '../../kernel/ask/ask-events.ts'
import { type Cost, countCost, noCost } from '../../kernel/ask/cost.ts'
import type { StoredEvent } from '../../kernel/events.ts'
import type { Fold } from '../../kernel/fold.ts'
import { runFinished, runParked, runRecovered } from '../../kernel/run-events.ts'
import { questionAnswered, questionAsked } from '../../kernel/runs/question-events.ts'
import { phaseStarted, planFinished, planStarted } from '../../plan/events.ts'
import { type IssueState, moveCounts } from '../../rules/issues/issue-states.ts'
import { featureGreenlit, issueMoved, issueSplit, shipFinished, shipStarted } from '../events.ts'

export const shipStages = ['talk', 'plan', 'build', 'merge', 'over'] as const
export type ShipStage = (typeof shipStages)[number]

/** The event types the fold reads; a ship writes many others. */
export const shipViewTypes = [
  askStarted,
  askFinished,
  questionAsked,
  questionAnswered,
  runFinished,
  runParked,
  runRecovered,
  planStarted,
  phaseStarted,
  planFinished,
  featureGreenlit,
  issueMoved,
  issueSplit,
  shipStarted,
  shipFinished,
].map(({ type }) => type)

export interface ShipView {
  run: string
  goal: string
  feature: string
  plan: string
  room?: string
  stage: ShipStage
  status: 'running' | 'stopped' | 'done' | 'failed'
  reason?: string
  /** The running phase of the plan. */
  phase?: string
  issues: number[]
  done: number[]
  blocked: number[]
  /** The state of each issue that has moved. */
  states: Record<number, IssueState>
  /** Ids of open questions. */
  questions: string[]
  merge: boolean
  merged?: boolean
  branch: string
  cost: Cost
  started: string
  finished?: string
}

export function shipView(run: string): Fold<ShipView> {
  return {
    initial: () => ({
      run,
      goal: '',
      feature: '',
      plan: '',
      stage: 'talk',
      status: 'running',
      issues: [],
      done: [],
      blocked: [],
      states: {},
      questions: [],
      merge: false,
      branch: '',
      cost: noCost(),
      started: '',
    }),
    evolve(view, event) {
      if (isOfShip(view, event)) apply(view, event)
      return view
    },
  }
}

/** Events of the ship's runs, and every move of its feature's issues. */
export function isOfShip({ run, feature }: Pick<ShipView, 'run' | 'feature'>, event: StoredEvent): boolean {
  if (event.run === run || event.run?.startsWith(`${run}/`)) return true
  return (event.run === undefined || issueMoved.is(event)) && event.feature !== undefined && event.feature === feature
}

function apply(view: ShipView, event: StoredEvent): void {
  if (shipStarted.is(event)) {
    const { goal, feature, plan, room, merge } = event.data
    const place = room === undefined ? {} : { room }
    Object.assign(view, { goal, feature, plan, merge, branch: `convene/${feature}/main`, started: event.ts, ...place })
  } else if (planStarted.is(event)) view.stage = 'plan'
  else if (phaseStarted.is(event)) view.phase = event.data.name
  else if (planFinished.is(event)) {
    delete view.phase
    view.stage = 'build'
  } else if (featureGreenlit.is(event)) know(view, event.data.issues)
  else if (issueSplit.is(event)) {
    know(view, event.data.parts)
    view.issues = view.issues.filter((number) => number !== event.data.issue)
  } else if (issueMoved.is(event)) moved(view, event.data)
  else if (questionAsked.is(event)) view.questions.push(event.data.id)
  else if (questionAnswered.is(event)) view.questions = view.questions.filter((id) => id !== event.data.id)
  else if (askStarted.is(event) || askFinished.is(event)) countCost(view.cost, event)
  else if (shipFinished.is(event)) {
    const { status, reason, merged } = event.data
    end(view, event.ts, status, reason)
    if (merged !== undefined) view.merged = merged
  } else if (event.run === view.run) ownRun(view, event)
}

function ownRun(view: ShipView, event: StoredEvent): void {
  if (runParked.is(event)) Object.assign(view, { status: 'stopped', reason: event.data.reason })
  else if (runRecovered.is(event) && view.status === 'stopped') {
    view.status = 'running'
    delete view.reason
  } else if (runFinished.is(event) && view.stage !== 'over' && event.data.status !== 'done')
    end(view, event.ts, 'failed', event.data.reason)
}

function end(view: ShipView, at: string, status: 'done' | 'failed', reason: string | undefined): void {
  Object.assign(view, { stage: 'over', status, finished: at, questions: [] })
  delete view.phase
  if (reason === undefined) delete view.reason
  else view.reason = reason
}

function know(view: ShipView, issues: readonly { number: number }[]): void {
  view.issues = [...new Set([...view.issues, ...issues.map(({ number }) => number)])].sort((a, b) => a - b)
}

function moved(view: ShipView, move: { issue: number; from: IssueState; to: IssueState }): void {
  const { issue, to } = move
  if (!moveCounts(view.states[issue], move)) return
  view.states = { ...view.states, [issue]: to }
  const without = (list: number[]) => list.filter((number) => number !== issue)
  view.done = to === 'DONE' && view.issues.includes(issue) ? [...without(view.done), issue] : without(view.done)
  view.blocked = to === 'BLOCKED' ? [...without(view.blocked), issue] : without(view.blocked)
  if (view.stage === 'build' || view.stage === 'merge')
    view.stage = view.merge && view.issues.length > 0 && view.done.length === view.issues.length ? 'merge' : 'build'
}
