/** How a feature got here: its runs, the history of each issue, and spending over time. A fold of its events. */
import { askFinished, askInterrupted, askStarted } from '../../../../src/kernel/ask/ask-events.ts'
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import type { Fold } from '../../../../src/kernel/fold.ts'
import { type IssueState, moveCounts } from '../../../../src/rules/issues/issue-states.ts'
import {
  failureAnalysed,
  featureRunStarted,
  issueMoved,
  shipFinished,
  shipStarted,
} from '../../../../src/ship/events.ts'
import { issueOfRun, rootOf } from '../../data/addresses/ship.ts'
import { type HistoryEntry, historyEntry } from './issue-history.ts'

export interface AtWork {
  agent: string
  kind: string
  since: string
}

export interface FeatureTimeline {
  /** Oldest first. */
  runs: { id: string; ts: string; smart: boolean; merge: boolean; issue?: number }[]
  ship: { run: string; ts: string; goal: string; mode: string; merge: boolean } | null
  shipEnd: { status: 'done' | 'failed'; reason?: string } | null
  /** The run of the plan that its issues came from. */
  plan: string | null
  /** Where each issue stands that has moved. */
  states: Map<number, IssueState>
  history: Map<number, HistoryEntry[]>
  spending: { root: string; at: number; usd: number | null; tokens: number }[]
  /** When issues became DONE, and which. */
  done: { issue: number; at: number }[]
  /** How often each diagnosis was given for a failed attempt. */
  diagnoses: Map<string, number>
  /** Asks in progress by id, and the issue each is about. */
  asks: Map<string, AtWork & { issue: number }>
  lastSeq: number
}

/** The event types this fold reads; others of the feature belong to its plan or builds. */
export const timelineTypes = [
  'feature.run-started',
  'ship.started',
  'ship.finished',
  'plan.started',
  'issue.moved',
  'issue.split',
  'issue.done',
  'issue.reviewed',
  'issue.sized',
  'tests.written',
  'implementation.completed',
  'verification.failed',
  'retry.started',
  'failure.analysed',
  'order.chosen',
  'lock.taken',
  'lock.released',
  'context.injected',
  'summary.written',
  'ask.started',
  'ask.finished',
  'ask.interrupted',
].join(',')

export const featureTimeline: Fold<FeatureTimeline> = {
  initial: () => ({
    runs: [],
    ship: null,
    shipEnd: null,
    plan: null,
    states: new Map(),
    history: new Map(),
    spending: [],
    done: [],
    diagnoses: new Map(),
    asks: new Map(),
    lastSeq: 0,
  }),
  evolve(timeline, event) {
    timeline.lastSeq = event.seq
    runs(timeline, event)
    asks(timeline, event)
    issues(timeline, event)
    return timeline
  },
}

function runs(timeline: FeatureTimeline, event: StoredEvent): void {
  const { run, ts } = event
  if (run === undefined) return
  if (featureRunStarted.is(event)) {
    const { smart, merge, issue } = event.data
    if (timeline.runs.some(({ id }) => id === run)) return
    timeline.runs.push({ id: run, ts, smart, merge, ...(issue === undefined ? {} : { issue }) })
  }
  if (shipStarted.is(event)) {
    const { goal, mode, merge } = event.data
    timeline.ship = { run, ts, goal, mode, merge }
    timeline.shipEnd = null
  }
  if (shipFinished.is(event)) {
    const { status, reason } = event.data
    timeline.shipEnd = { status, ...(reason === undefined ? {} : { reason }) }
  }
  if (event.type === 'plan.started') timeline.plan = run
}

function asks(timeline: FeatureTimeline, event: StoredEvent): void {
  if (askStarted.is(event)) {
    const issue = issueOfRun(event.run)
    const { ask, agent, kind } = event.data
    if (issue !== null) timeline.asks.set(ask, { agent, kind, issue, since: event.ts })
  }
  // An interrupted ask is repeated, but it has cost something too.
  if (askFinished.is(event) || askInterrupted.is(event)) {
    const { ask, usage } = event.data
    timeline.asks.delete(ask)
    const { usd, inputTokens, outputTokens } = usage
    const root = event.run === undefined ? '' : rootOf(event.run)
    timeline.spending.push({ root, at: Date.parse(event.ts), usd, tokens: inputTokens + outputTokens })
  }
}

function issues(timeline: FeatureTimeline, event: StoredEvent): void {
  const { issue } = event.data as { issue?: unknown }
  if (typeof issue !== 'number') return
  if (issueMoved.is(event)) {
    if (!moveCounts(timeline.states.get(issue), event.data)) return
    timeline.states.set(issue, event.data.to)
    if (event.data.to === 'DONE') timeline.done.push({ issue, at: Date.parse(event.ts) })
    else if (event.data.from === 'DONE') timeline.done = timeline.done.filter((one) => one.issue !== issue)
    // Asks of a run that ended are over.
    if (event.data.to !== 'IN_PROGRESS' && event.data.to !== 'VERIFYING') forgetAsks(timeline, issue)
  }
  if (failureAnalysed.is(event)) {
    const { diagnosis } = event.data
    timeline.diagnoses.set(diagnosis, (timeline.diagnoses.get(diagnosis) ?? 0) + 1)
  }
  const entry = historyEntry(event)
  if (!entry) return
  const known = timeline.history.get(issue)
  if (known) known.push(entry)
  else timeline.history.set(issue, [entry])
}

function forgetAsks(timeline: FeatureTimeline, issue: number): void {
  for (const [ask, about] of timeline.asks) if (about.issue === issue) timeline.asks.delete(ask)
}
