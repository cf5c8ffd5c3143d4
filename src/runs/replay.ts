/** Repeats every decision of a run from its recorded inputs, and reports those that would differ today. EV2. */
import type { z } from 'zod'
import { buildStarted, exitRouted } from '../build/events.ts'
import type { StoredEvent } from '../kernel/events.ts'
import type { Store } from '../kernel/store.ts'
import { panelTallied, panelVoted, reviewDecided, specifyScored } from '../plan/events.ts'
import { messagePosted, roundResolved } from '../room/events.ts'
import {
  type Counts,
  countExit,
  defaultGraphLimits,
  type GraphLimits,
  nextStep,
  noCounts,
} from '../rules/build/graph.ts'
import type { ExitName, GraphPlace } from '../rules/build/graph-table.ts'
import { stateAfter } from '../rules/issues/issue-states.ts'
import { tallyPanel } from '../rules/plan/phase.ts'
import { phaseById } from '../rules/plan/phase-table.ts'
import { review } from '../rules/plan/review.ts'
import { askedFor, dispatch } from '../rules/room/dispatch.ts'
import { type DispatchDecision, isWordingRule } from '../rules/room/dispatch-decision.ts'
import { recordedLimits } from '../rules/room/dispatch-limits.ts'
import { issueMoved } from '../ship/events.ts'
import { recordedDecisions } from './replay-recorded.ts'

export interface Difference {
  seq: number
  type: string
  was: unknown
  is: unknown
}

export interface Replayed {
  run: string
  /** How many decisions were repeated. */
  decisions: number
  differences: Difference[]
}

/** Undefined where dispatch did not decide: agents mentioned by name, small talk, one agent in the room. */
function redispatch(
  round: z.infer<typeof roundResolved.schema>,
  message: string | undefined,
): DispatchDecision | undefined {
  const names = Object.keys(round.proposals)
  const limits = recordedLimits(round.limits)
  if (names.length > 0) return dispatch(round.proposals, names, limits)
  if (message === undefined || !isWordingRule(round.rule)) return undefined
  return askedFor(
    {
      message,
      spoke: round.spoke,
      judged: round.judged,
      collaborated: round.collaborated,
      attached: round.attached,
    },
    [],
    round.agents ?? [],
    limits,
  )
}

/** `fallback`: the caps of runs that were recorded without theirs. */
export async function replayRun(
  store: Store,
  run: string,
  fallback: GraphLimits = defaultGraphLimits,
): Promise<Replayed> {
  const events = await store.read({ run })
  const repeat = recordedDecisions()
  let caps = fallback
  const differences: Difference[] = []
  let decisions = 0
  const counts = new Map<string, Counts>()
  const votes = new Map<string, StoredEvent[]>()
  const said = new Map<string, string>()
  const compare = (event: StoredEvent, was: unknown, is: unknown) => {
    decisions++
    if (JSON.stringify(was) !== JSON.stringify(is)) differences.push({ seq: event.seq, type: event.type, was, is })
  }
  for (const event of events) {
    const repeated = repeat(event)
    if (repeated) compare(event, repeated.was, repeated.is)
    if (buildStarted.is(event)) caps = { ...fallback, ...event.data.caps }
    if (messagePosted.is(event)) said.set(event.data.message_id, event.data.text)
    if (roundResolved.is(event)) {
      const { mode, rule, winner, responders, override, message_id } = event.data
      const message = said.get(message_id)
      const today = override ? undefined : redispatch(event.data, message)
      if (!today) continue
      compare(
        event,
        { mode, rule, winner, responders },
        { mode: today.mode, rule: today.rule, winner: today.winner, responders: today.responders },
      )
    }
    if (exitRouted.is(event)) {
      const { path, from, exit, to, action, capped } = event.data
      const key = path.join('/')
      const place = from as GraphPlace
      const [node, mode] = place.split(':') as ['scaffold', 'review' | undefined]
      // On the last attempt, RequestRetry counts as Stuck, and the log holds the result.
      const exitName = capped === 'attempts' && from === 'impl' ? 'RequestRetry' : (exit as ExitName)
      const counted = countExit(counts.get(key) ?? noCounts, place, exitName)
      counts.set(key, counted)
      const attempt = capped === 'attempts' ? caps.attempts : undefined
      const today = nextStep(
        {
          node,
          mode,
          exit: exitName,
          children: to.includes('children'),
          counts: counted,
          ...(attempt ? { attempt } : {}),
        },
        caps,
      )
      const next = today.next.map((target) => (target.mode ? `${target.node}:${target.mode}` : target.node))
      compare(
        event,
        { exit, to, action, capped },
        { exit: today.exit, to: next, action: today.action, capped: today.capped },
      )
    }
    if (specifyScored.is(event)) {
      const { scores, score, passed, threshold } = event.data
      const total = Object.values(scores).reduce((sum, points) => sum + points, 0)
      compare(event, { score, passed }, { score: total, passed: total >= threshold })
    }
    if (reviewDecided.is(event) && event.data.overridden.length === 0) {
      const { blocking, carried, noted, advisory, iteration, degraded, outcome } = event.data
      const sure = [...blocking, ...carried, ...noted]
      const today = review([...sure, ...advisory] as never, iteration, degraded)
      compare(event, { outcome }, { outcome: today.outcome })
    }
    if (panelVoted.is(event)) votes.set(event.data.phase, [...(votes.get(event.data.phase) ?? []), event])
    if (panelTallied.is(event)) {
      const latest = new Map(
        (votes.get(event.data.phase) ?? []).map((vote) => [
          (vote.data as { member: string }).member,
          vote.data as { member: string; points: number; outOf: number },
        ]),
      )
      votes.delete(event.data.phase)
      const today = tallyPanel(phaseById(event.data.phase).panel, [...latest.values()])
      compare(event, { level: event.data.level }, { level: today.kind === 'scored' ? today.level : null })
    }
    if (issueMoved.is(event)) {
      const { from, to, cause } = event.data
      compare(event, to, stateAfter(from, cause))
    }
  }
  return { run, decisions, differences }
}
