/** Takes every decision of a run again, from what the log says it was made of, and says where one would differ today. EV2. */
import { exitRouted } from '../build/events.ts'
import type { StoredEvent } from '../kernel/events.ts'
import type { Store } from '../kernel/store.ts'
import { panelTallied, panelVoted, reviewDecided, specifyScored } from '../plan/events.ts'
import { roundResolved } from '../room/events.ts'
import {
  type Counts,
  countExit,
  defaultGraphLimits,
  type GraphLimits,
  nextStep,
  noCounts,
} from '../rules/build/graph.ts'
import type { ExitName, Place } from '../rules/build/graph-table.ts'
import { stateAfter } from '../rules/issues/issue-states.ts'
import { tallyPanel } from '../rules/plan/phase.ts'
import { phaseById } from '../rules/plan/phase-table.ts'
import { review } from '../rules/plan/review.ts'
import { dispatch } from '../rules/room/dispatch.ts'
import { issueMoved } from '../ship/events.ts'

export interface Difference {
  seq: number
  type: string
  was: unknown
  is: unknown
}

export interface Replayed {
  run: string
  /** How many decisions were taken again. */
  decisions: number
  differences: Difference[]
}

export async function replayRun(store: Store, run: string, caps: GraphLimits = defaultGraphLimits): Promise<Replayed> {
  const events = await store.read({ run })
  const differences: Difference[] = []
  let decisions = 0
  const counts = new Map<string, Counts>()
  const votes = new Map<string, StoredEvent[]>()
  const compare = (event: StoredEvent, was: unknown, is: unknown) => {
    decisions++
    if (JSON.stringify(was) !== JSON.stringify(is)) differences.push({ seq: event.seq, type: event.type, was, is })
  }
  for (const event of events) {
    if (roundResolved.is(event)) {
      const { proposals, limits, mode, rule, winner, responders, override } = event.data
      const names = Object.keys(proposals)
      // Named, small talk, or overruled by a person: no proposals were weighed.
      if (names.length === 0 || override) continue
      const again = dispatch(proposals, names, limits as never)
      compare(
        event,
        { mode, rule, winner, responders },
        { mode: again.mode, rule: again.rule, winner: again.winner, responders: again.responders },
      )
    }
    if (exitRouted.is(event)) {
      const { path, from, exit, to, action, capped } = event.data
      const key = path.join('/')
      const place = from as Place
      const [node, mode] = place.split(':') as ['scaffold', 'review' | undefined]
      // A retry without a try left was written down as what it became.
      const said = capped === 'attempts' && from === 'impl' ? 'RequestRetry' : (exit as ExitName)
      const counted = countExit(counts.get(key) ?? noCounts, place, said)
      counts.set(key, counted)
      const attempt = capped === 'attempts' ? caps.attempts : undefined
      const again = nextStep(
        { node, mode, exit: said, children: to.includes('children'), counts: counted, ...(attempt ? { attempt } : {}) },
        caps,
      )
      const next = again.next.map((target) => (target.mode ? `${target.node}:${target.mode}` : target.node))
      compare(
        event,
        { exit, to, action, capped },
        { exit: again.exit, to: next, action: again.action, capped: again.capped },
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
      const again = review([...sure, ...advisory] as never, iteration, degraded)
      compare(event, { outcome }, { outcome: again.outcome })
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
      const again = tallyPanel(phaseById(event.data.phase).panel, [...latest.values()])
      compare(event, { level: event.data.level }, { level: again.kind === 'scored' ? again.level : null })
    }
    if (issueMoved.is(event)) {
      const { from, to, cause } = event.data
      compare(event, to, stateAfter(from, cause))
    }
  }
  return { run, decisions, differences }
}
