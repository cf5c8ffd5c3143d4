/**
 * A run and all runs below it at a glance: a fold of its events that stays small however long the run is. The server
 * keeps it and hands it out with its `seq`; a page goes on from there. Browser-safe.
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
  waste,
} from './overview-figures.ts'
import { Lanes, mostSpans, type RunLane, type RunSpan, type SpanKind } from './overview-lanes.ts'
import { evolveLine, floorOf, lineTypes, type RunLine } from './overview-lines.ts'

export interface RunOverview {
  run: string
  /** Everything up to here is in it. */
  seq: number
  events: number
  types: Named<number>[]
  /** When the first and the last thing happened; 0 before the first. */
  from: number
  to: number
  /** The run itself, and every run below it, in the order they began. */
  runs: RunLine[]
  lanes: RunLane[]
  /** How many bars a lane has at most, so that the whole stays small. */
  spans_a_lane: number
  agents: Named<Spent>[]
  floors: Named<Spent>[]
  /** What had to be done again, by class. */
  retries: Named<number>[]
  convergence: Convergence[]
  slices: Slices
}

export interface Convergence {
  seq: number
  run: string
  phase: string
  round: number
  /** How alike the words are, and how far conclusions agree. */
  score: number | null
  positions: number | null
  verdict: string | null
}

/** Events in which a rule, a person or an agent decided where things go from there. */
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

/** The view, and what it is found by while it is folded. */
export interface OverviewState {
  view: RunOverview
  lines: Map<string, RunLine>
  lanes: Lanes
  types: Map<string, Named<number>>
}

export function runOverview(run: string): Fold<OverviewState> {
  return { initial: () => openOverview(emptyOverview(run)), evolve }
}

/** A view that came from elsewhere, ready to be folded on. It is changed in place. */
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
    spans_a_lane: mostSpans,
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
  if (!toldTypes.has(event.type)) return state
  const at = Date.parse(event.ts)
  const known = lines.size
  const line = evolveLine(lines, event, at)
  if (line && lines.size > known) view.runs.push(line)
  view.from ||= at
  view.to = Math.max(view.to, at)
  const slice = sliceAt(view.slices, at)
  slice.events += 1
  if (line) stories.get(event.type)?.({ state, event, at, line, slice })
  return state
}

/** So many more events of a type that was not folded: nothing but their number is looked at. */
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

interface Told<Data = unknown> {
  state: OverviewState
  event: StoredEvent<Data>
  at: number
  line: RunLine
  slice: Slice
}

const stories = new Map<string, (told: Told) => void>([
  story(askStarted, ({ state, event: { seq, data }, at, line }) => {
    state.lanes.add(line.id, 'ask', { ...begun(seq, data.kind, at), id: data.ask }, data.agent)
  }),
  story(askFinished, ({ state, event: { seq, data }, at, line, slice }) => {
    const tone = data.failure ? 'bad' : 'ok'
    if (!state.lanes.close(line.id, 'ask', data.ask, { at, tone, last: seq }))
      state.lanes.add(line.id, 'ask', past(seq, data.kind, at - data.milliseconds, at, tone), data.agent)
    spend(named(state.view.agents, data.agent, spentNothing).value, data)
    spend(named(state.view.floors, floorOf(line.kind), spentNothing).value, data)
    slice.calls += 1
    waste(slice, data.usage)
    if (data.failure) count(state.view.retries, `failed ${data.failure.reason}`)
    if (data.tries > 1) count(state.view.retries, 'call repeated', data.tries - 1)
  }),
  story(askInterrupted, ({ state, event: { seq, data }, at, line, slice }) => {
    state.lanes.close(line.id, 'ask', data.ask, { at, tone: 'plain', last: seq })
    waste(named(state.view.agents, data.agent, spentNothing).value, data.usage)
    waste(named(state.view.floors, floorOf(line.kind), spentNothing).value, data.usage)
    waste(slice, data.usage)
    count(state.view.retries, 'call interrupted')
  }),
  story(evidenceRecorded, ({ state, event: { seq, data }, at, line }) => {
    state.lanes.add(line.id, 'command', past(seq, data.purpose, at - data.milliseconds, at, evidenceTone(data)))
  }),
  story(workCommitted, ({ state, event: { seq, data }, at, line }) => {
    state.lanes.add(line.id, 'change', past(seq, `commit ${data.kind}`, at, at, 'plain'))
  }),
  story(rebaseFinished, ({ state, event: { seq, data }, at, line }) => {
    const tone = data.conflicts.length > 0 ? 'warn' : 'plain'
    state.lanes.add(line.id, 'change', past(seq, 'rebase', at, at, tone))
  }),
  story(mergeCompleted, ({ state, event: { seq, data }, at, line, slice }) => {
    state.lanes.add(line.id, 'change', past(seq, `merge into ${data.into}`, at, at, 'ok'))
    slice.merges += 1
  }),
  story(questionAsked, ({ state, event: { seq, data }, at, line }) => {
    const words = data.text.slice(0, 80)
    state.lanes.add(line.id, 'question', { ...begun(seq, words, at), tone: 'warn', id: data.id })
  }),
  story(questionAnswered, ({ state, event: { seq, data }, at, line }) => {
    // Whoever answers may do so in the name of another run of the tree.
    for (const run of new Set([line.id, ...state.lines.keys()]))
      if (state.lanes.close(run, 'question', data.id, { at, tone: 'warn', last: seq })) return
  }),
  story(phaseStarted, ({ state, event: { seq, data }, at, line }) => {
    state.lanes.add(line.id, 'phase', { ...begun(seq, data.name, at), id: data.phase })
  }),
  story(phaseFinished, ({ state, event: { seq, data }, at, line }) => {
    state.lanes.close(line.id, 'phase', data.phase, { at, tone: 'ok', last: seq })
  }),
  story(issueMoved, ({ state, event: { seq, data }, at, line }) => {
    const tone = data.to === 'DONE' ? 'ok' : data.to === 'BLOCKED' ? 'bad' : 'plain'
    state.lanes.add(line.id, 'issue', past(seq, `#${data.issue} ${data.to}`, at, at, tone))
  }),
  story(convergenceMeasured, ({ state, event: { seq, data }, line }) => {
    const { phase, round, score, positions, verdict } = data
    state.view.convergence.push({ seq, run: line.id, phase, round, score, positions, verdict })
  }),
  story(replyRefused, ({ state, event: { data }, line }) => {
    count(state.view.retries, `refused ${data.problems[0]?.rule ?? 'reply'}`)
    const asked = state.lanes.newest(line.id, 'ask', data.kind)
    if (asked && asked.tone !== 'bad') asked.tone = 'warn'
  }),
  story(agentNudged, ({ state }) => count(state.view.retries, 'nudged')),
  story(retryStarted, ({ state }) => count(state.view.retries, 'issue tried again')),
  story(planReturned, ({ state }) => count(state.view.retries, 'plan sent back')),
  story(breakerTripped, ({ state }) => count(state.view.retries, 'breaker tripped')),
  story(runFinished, ({ state, at, line }) => state.lanes.closeAll(line.id, ['ask', 'phase', 'question'], at)),
  story(runParked, ({ state, at, line }) => state.lanes.closeAll(line.id, ['ask'], at)),
])

/** What the fold looks at. All else is counted. */
export const overviewTypes = [...new Set([...stories.keys(), ...lineTypes])]
const toldTypes = new Set(overviewTypes)

function story<Data>(
  definition: EventDefinition<string, Data>,
  tell: (told: Told<Data>) => void,
): [string, (told: Told) => void] {
  return [definition.type, tell as (told: Told) => void]
}

const begun = (seq: number, words: string, at: number): RunSpan => ({ seq, words, from: at, to: null, tone: 'plain' })

function past(seq: number, words: string, from: number, to: number, tone: RunSpan['tone']): RunSpan {
  return { seq, words, from: Math.min(from, to), to, tone }
}

/** Before there is code, red is what is wanted. */
function evidenceTone({ purpose, exit_code, ended }: { purpose: string; exit_code: number; ended: string }) {
  if (ended !== 'exited') return 'bad'
  if (purpose === 'before') return 'plain'
  const passed = exit_code === 0
  return passed === (purpose !== 'red') ? 'ok' : 'bad'
}

/** What stands for a whole lane where it has no agent's name. */
export const laneNames: Record<SpanKind, string> = {
  ask: 'asks',
  phase: 'phases',
  command: 'commands and tests',
  change: 'commits and merges',
  issue: 'issues',
  question: 'waits for you',
}
