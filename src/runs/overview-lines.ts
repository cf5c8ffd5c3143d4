/** One line per run: what it is, its status, what it spent. For the overview and the list of all runs. Browser-safe. */
import { buildStarted, nodeStarted } from '../build/events.ts'
import { askFinished, askInterrupted } from '../kernel/ask/ask-events.ts'
import { spendUsage } from '../kernel/ask/cost.ts'
import type { StoredEvent } from '../kernel/events.ts'
import { isStopped, runFinished, runForked, runParked, runRecovered, runStarted } from '../kernel/run-events.ts'
import { phaseStarted, planStarted } from '../plan/events.ts'
import { agentMessageSent, messagePosted, sessionStarted } from '../room/events.ts'
import { featureRunStarted, issueStarted, shipStarted } from '../ship/events.ts'
import { type Spent, spend, spentNothing } from './overview-figures.ts'

export const floors = ['room', 'plan', 'build', 'ship', 'other'] as const
export type Floor = (typeof floors)[number]

export interface RunLine {
  id: string
  parent?: string
  /** The name of its workflow; empty until the log names it. */
  kind: string
  /** A short title from the run's own events. */
  title: string
  feature?: string
  issue?: number
  room?: string
  message?: string
  forked_from?: { run: string; step: number }
  status: string
  reason?: string
  from: number
  /** When it ended or was parked; absent while it runs. */
  to?: number
  /** The run alone, without the runs below it. */
  spent: Spent
}

/** The event types that the list of all runs is folded from. */
export const lineTypes = [
  runStarted,
  runFinished,
  runParked,
  runRecovered,
  runForked,
  askFinished,
  askInterrupted,
  shipStarted,
  planStarted,
  phaseStarted,
  buildStarted,
  nodeStarted,
  featureRunStarted,
  issueStarted,
  messagePosted,
  sessionStarted,
  agentMessageSent,
].map(({ type }) => type)

export function floorOf(kind: string): Floor {
  if (kind.startsWith('feature')) return 'ship'
  return floors.find((floor) => kind.startsWith(floor)) ?? 'other'
}

/** Updates or creates the line of an event's run; returns undefined for an event without a run. */
export function evolveLine(lines: Map<string, RunLine>, event: StoredEvent, at: number): RunLine | undefined {
  if (event.run === undefined) return undefined
  const line = lines.get(event.run) ?? newLine(event.run, at)
  lines.set(event.run, line)
  if (event.feature !== undefined) line.feature ??= event.feature
  if (event.stream.startsWith('room:')) line.room ??= event.stream.slice('room:'.length)
  if (askFinished.is(event)) spend(line.spent, event.data)
  // An interrupted ask is repeated, and counts as an ask then.
  else if (askInterrupted.is(event)) spendUsage(line.spent, event.data.usage)
  else updateStatus(line, event, at)
  return line
}

function newLine(id: string, from: number): RunLine {
  return { id, kind: '', title: '', status: 'running', from, spent: spentNothing() }
}

function updateStatus(line: RunLine, event: StoredEvent, at: number): void {
  if (runStarted.is(event)) {
    line.kind = event.data.workflow
    if (event.data.parent !== undefined) line.parent = event.data.parent
  } else if (runForked.is(event)) line.forked_from = { run: event.data.from, step: event.data.fromStep }
  else if (runFinished.is(event)) end(line, event.data.status, event.data.reason, at)
  else if (runParked.is(event)) {
    end(line, isStopped(event.data) ? 'stopped' : 'needs-attention', event.data.reason, at)
  } else if (runRecovered.is(event)) {
    line.status = 'running'
    delete line.to
    delete line.reason
  } else updateTitle(line, event)
}

function end(line: RunLine, status: string, reason: string | undefined, at: number): void {
  line.status = status
  line.to = at
  if (reason === undefined) delete line.reason
  else line.reason = reason
}

const maxTitle = 140

function updateTitle(line: RunLine, event: StoredEvent): void {
  const title = titleIn(line, event)
  if (title !== undefined && line.title === '') line.title = title.slice(0, maxTitle)
  if (issueStarted.is(event)) line.issue = event.data.issue
  if (messagePosted.is(event)) line.message ??= event.data.message_id
  if (!shipStarted.is(event) || event.data.room === undefined) return
  line.room ??= event.data.room
  if (event.data.message_id !== undefined) line.message ??= event.data.message_id
}

function titleIn({ kind }: RunLine, event: StoredEvent): string | undefined {
  if (shipStarted.is(event) || planStarted.is(event) || sessionStarted.is(event)) return event.data.goal
  if (buildStarted.is(event)) return event.data.spec
  if (nodeStarted.is(event)) return event.data.node
  if (featureRunStarted.is(event)) return event.data.feature
  if (issueStarted.is(event)) return `#${event.data.issue}`
  if (messagePosted.is(event)) return event.data.text
  if (agentMessageSent.is(event)) return `${event.data.from} to ${event.data.to ?? 'all'}`
  if (phaseStarted.is(event) && kind === 'plan.phase') return event.data.name
  return undefined
}
