/**
 * The overview of a run and all runs below it: a fold that stays small however long the run is. The server caches it
 * and sends it with its `seq`; a page continues folding from there. Browser-safe.
 */
import {
  agentNudged,
  evidenceRecorded,
  mergeCompleted,
  rebaseFinished,
  replyRefused,
  workCommitted,
} from '../build/events.ts'
import { askFinished, askInterrupted, askStarted } from '../kernel/ask/ask-events.ts'
import { spendUsage } from '../kernel/ask/cost.ts'
import type { EventDefinition, StoredEvent } from '../kernel/events.ts'
import type { Fold } from '../kernel/fold.ts'
import { runFinished, runParked } from '../kernel/run-events.ts'
import { questionAnswered, questionAsked } from '../kernel/runs/question-events.ts'
import { breakerTripped, convergenceMeasured, phaseFinished, phaseStarted, planReturned } from '../plan/events.ts'
import { issueMoved, retryStarted } from '../ship/events.ts'
import {
  count,
  type Named,
  named,
  noSlices,
  type Slice,
  type Slices,
  type Spent,
  sliceAt,
  spend,
  spentNothing,
} from './overview-figures.ts'
import { Lanes, maxSpans, type RunLane, type RunSpan, type SpanKind } from './overview-lanes.ts'
import { evolveLine, floorOf, lineTypes, type RunLine } from './overview-lines.ts'

export interface RunOverview {
  run: string
  /** The last event included. */
  seq: number
  events: number
  types: Named<number>[]
  /** The times of the first and the last event; 0 before the first. */
  from: number
  to: number
  /** The run itself and every run below it, in the order they started. */
  runs: RunLine[]
  lanes: RunLane[]
  /** The most spans per lane, so that the overview stays small. */
  spans_a_lane: number
  agents: Named<Spent>[]
  floors: Named<Spent>[]
  /** What had to be repeated, by reason. */
  retries: Named<number>[]
  convergence: Convergence[]
  slices: Slices
}

export interface Convergence {
  seq: number
  run: string
  phase: string
  round: number
  /** How similar the texts are, and how far the conclusions agree. */
  score: number | null
  positions: number | null
  verdict: string | null
}

/** Events in which a rule, a person or an agent made a decision. */
export const decisionTypes = [
  'round.resolved',
  'session.ended',
  'thread.capped',
  'plan.started',
  'phase.started',
  'specify.scored',
  'convergence.measured',
  'panel.tallied',
  'review.decided',
  'consistency.checked',
  'contradictions.settled',
  'plan.amended',
  'decision.recorded',
  'plan.returned',
  'breaker.tripped',
  'build.started',
  'exit.routed',
  'reply.refused',
  'child.judged',
  'child.failed',
  'issue.moved',
  'issue.sized',
  'issue.split',
  'order.chosen',
  'failure.analysed',
  'question.answered',
  'budget.exhausted',
] as const

/** The view, with indexes into it for folding. */
export interface OverviewState {
  view: RunOverview
  lines: Map<string, RunLine>
  lanes: Lanes
  types: Map<string, Named<number>>
}

export function runOverview(run: string): Fold<OverviewState> {
  return { initial: () => openOverview(emptyOverview(run)), evolve }
}

/** Prepares a view for further folding. Changes it in place. */
export function openOverview(view: RunOverview): OverviewState {
  return {
    view,
    lines: new Map(view.runs.map((line) => [line.id, line])),
    lanes: new Lanes(view.lanes, view),
    types: new Map(view.types.map((each) => [each.name, each])),
  }
}

function emptyOverview(run: string): RunOverview {
  return {
    run,
    seq: 0,
    events: 0,
    types: [],
    from: 0,
    to: 0,
    runs: [],
    lanes: [],
    spans_a_lane: maxSpans,
    agents: [],
    floors: [],
    retries: [],
    convergence: [],
    slices: noSlices(),
  }
}

function evolve(state: OverviewState, event: StoredEvent): OverviewState {
  const { view, lines } = state
  countEvents(state, event.type, 1)
  view.seq = event.seq
  if (!foldedTypes.has(event.type)) return state
  const at = Date.parse(event.ts)
  const known = lines.size
  const line = evolveLine(lines, event, at)
  if (line && lines.size > known) view.runs.push(line)
  view.from ||= at
  view.to = Math.max(view.to, at)
  const slice = sliceAt(view.slices, at)
  slice.events += 1
  if (line) handlers.get(event.type)?.({ state, event, at, line, slice })
  return state
}

/** Counts events of a type without folding them. */
export function countEvents({ view, types }: OverviewState, name: string, by: number): void {
  view.events += by
  const known = types.get(name)
  if (known) known.value += by
  else
    types.set(
      name,
      named(view.types, name, () => by),
    )
}

interface HandlerInput<Data = unknown> {
  state: OverviewState
  event: StoredEvent<Data>
  at: number
  line: RunLine
  slice: Slice
}

const handlers = new Map<string, (input: HandlerInput) => void>([
  handler(askStarted, ({ state, event: { seq, data }, at, line }) => {
    state.lanes.add(line.id, 'ask', { ...openSpan(seq, data.kind, at), id: data.ask }, data.agent)
  }),
  handler(askFinished, ({ state, event: { seq, data }, at, line, slice }) => {
    const tone = data.failure ? 'bad' : 'ok'
    if (!state.lanes.close(line.id, 'ask', data.ask, { at, tone, last: seq }))
      state.lanes.add(line.id, 'ask', closedSpan(seq, data.kind, at - data.milliseconds, at, tone), data.agent)
    spend(named(state.view.agents, data.agent, spentNothing).value, data)
    spend(named(state.view.floors, floorOf(line.kind), spentNothing).value, data)
    spendUsage(slice, data.usage)
    if (data.failure) count(state.view.retries, `failed ${data.failure.reason}`)
    if (data.tries > 1) count(state.view.retries, 'call repeated', data.tries - 1)
  }),
  handler(askInterrupted, ({ state, event: { seq, data }, at, line, slice }) => {
    state.lanes.close(line.id, 'ask', data.ask, { at, tone: 'plain', last: seq })
    spendUsage(named(state.view.agents, data.agent, spentNothing).value, data.usage)
    spendUsage(named(state.view.floors, floorOf(line.kind), spentNothing).value, data.usage)
    spendUsage(slice, data.usage)
    count(state.view.retries, 'call interrupted')
  }),
  handler(evidenceRecorded, ({ state, event: { seq, data }, at, line }) => {
    state.lanes.add(line.id, 'command', closedSpan(seq, data.purpose, at - data.milliseconds, at, evidenceTone(data)))
  }),
  handler(workCommitted, ({ state, event: { seq, data }, at, line }) => {
    state.lanes.add(line.id, 'change', closedSpan(seq, `commit ${data.kind}`, at, at, 'plain'))
  }),
  handler(rebaseFinished, ({ state, event: { seq, data }, at, line }) => {
    const tone = data.conflicts.length > 0 ? 'warn' : 'plain'
    state.lanes.add(line.id, 'change', closedSpan(seq, 'rebase', at, at, tone))
  }),
  handler(mergeCompleted, ({ state, event: { seq, data }, at, line, slice }) => {
    state.lanes.add(line.id, 'change', closedSpan(seq, `merge into ${data.into}`, at, at, 'ok'))
    slice.merges += 1
  }),
  handler(questionAsked, ({ state, event: { seq, data }, at, line }) => {
    const words = data.text.slice(0, 80)
    state.lanes.add(line.id, 'question', { ...openSpan(seq, words, at), tone: 'warn', id: data.id })
  }),
  handler(questionAnswered, ({ state, event: { seq, data }, at, line }) => {
    // The answer may come from another run of the tree.
    for (const run of new Set([line.id, ...state.lines.keys()]))
      if (state.lanes.close(run, 'question', data.id, { at, tone: 'warn', last: seq })) return
  }),
  handler(phaseStarted, ({ state, event: { seq, data }, at, line }) => {
    state.lanes.add(line.id, 'phase', { ...openSpan(seq, data.name, at), id: data.phase })
  }),
  handler(phaseFinished, ({ state, event: { seq, data }, at, line }) => {
    state.lanes.close(line.id, 'phase', data.phase, { at, tone: 'ok', last: seq })
  }),
  handler(issueMoved, ({ state, event: { seq, data }, at, line }) => {
    const tone = data.to === 'DONE' ? 'ok' : data.to === 'BLOCKED' ? 'bad' : 'plain'
    state.lanes.add(line.id, 'issue', closedSpan(seq, `#${data.issue} ${data.to}`, at, at, tone))
  }),
  handler(convergenceMeasured, ({ state, event: { seq, data }, line }) => {
    const { phase, round, score, positions, verdict } = data
    state.view.convergence.push({ seq, run: line.id, phase, round, score, positions, verdict })
  }),
  handler(replyRefused, ({ state, event: { data }, line }) => {
    count(state.view.retries, `refused ${data.problems[0]?.rule ?? 'reply'}`)
    const ask = state.lanes.newest(line.id, 'ask', data.kind)
    if (ask && ask.tone !== 'bad') ask.tone = 'warn'
  }),
  handler(agentNudged, ({ state }) => count(state.view.retries, 'nudged')),
  handler(retryStarted, ({ state }) => count(state.view.retries, 'issue tried again')),
  handler(planReturned, ({ state }) => count(state.view.retries, 'plan sent back')),
  handler(breakerTripped, ({ state }) => count(state.view.retries, 'breaker tripped')),
  handler(runFinished, ({ state, at, line }) => state.lanes.closeAll(line.id, ['ask', 'phase', 'question'], at)),
  handler(runParked, ({ state, at, line }) => state.lanes.closeAll(line.id, ['ask'], at)),
])

/** The types that the fold reads. All others are only counted. */
export const overviewTypes = [...new Set([...handlers.keys(), ...lineTypes])]
const foldedTypes = new Set(overviewTypes)

function handler<Data>(
  definition: EventDefinition<string, Data>,
  handle: (input: HandlerInput<Data>) => void,
): [string, (input: HandlerInput) => void] {
  return [definition.type, handle as (input: HandlerInput) => void]
}

const openSpan = (seq: number, words: string, at: number): RunSpan => ({
  seq,
  words,
  from: at,
  to: null,
  tone: 'plain',
})

function closedSpan(seq: number, words: string, from: number, to: number, tone: RunSpan['tone']): RunSpan {
  return { seq, words, from: Math.min(from, to), to, tone }
}

/** Before there is code, failing tests are the goal. */
function evidenceTone({ purpose, exit_code, ended }: { purpose: string; exit_code: number; ended: string }) {
  if (ended !== 'exited') return 'bad'
  if (purpose === 'before') return 'plain'
  const passed = exit_code === 0
  return passed === (purpose !== 'red') ? 'ok' : 'bad'
}

/** The title of a lane without an agent. */
export const laneNames: Record<SpanKind, string> = {
  ask: 'asks',
  phase: 'phases',
  command: 'commands and tests',
  change: 'commits and merges',
  issue: 'issues',
  question: 'waits for you',
}
