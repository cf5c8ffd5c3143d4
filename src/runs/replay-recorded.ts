/** Repeats decisions whose inputs are recorded with them: turns, strategies, agreement, the order of issues, and suspected duplicates. EV2. */
import type { StoredEvent } from '../kernel/events.ts'
import { convergenceMeasured, phaseStarted } from '../plan/events.ts'
import { handoffPosted, replyPosted, sessionEnded, sessionStarted } from '../room/events.ts'
import { verdictOf } from '../rules/convergence/convergence.ts'
import { decideDuplicate } from '../rules/issues/duplicate.ts'
import { rulingOnOrder } from '../rules/issues/issue-order.ts'
import type { FlagSet } from '../rules/plan/feature-flags.ts'
import { chooseStrategy } from '../rules/plan/strategy.ts'
import type { StrategyTable } from '../rules/plan/strategy-table.ts'
import { decideTurn } from '../rules/turns/turn.ts'
import { duplicateSuspected, orderChosen } from '../ship/events.ts'

export interface Repeated {
  was: unknown
  is: unknown
}

/** Feed it the events of a run in order. Null: the event is no such decision, or its inputs were not recorded yet when it was written. */
export function recordedDecisions(): (event: StoredEvent) => Repeated | null {
  const repeatTurn = turns()
  return (event) => repeatTurn(event) ?? repeatOne(event)
}

function repeatOne(event: StoredEvent): Repeated | null {
  if (phaseStarted.is(event) && event.data.chosen_with) {
    const { phase, strategy, override } = event.data
    const { mode, planned, flags, signals, limits } = event.data.chosen_with
    const table = new Map([[phase, { [mode]: planned }]]) as unknown as StrategyTable
    const today = chooseStrategy(phase, mode, new Set(flags) as FlagSet, signals, limits, table)
    return { was: { strategy, override }, is: { strategy: today.strategy, override: today.override } }
  }
  if (convergenceMeasured.is(event) && event.data.limits && event.data.verdict !== null) {
    const { score, positions, verdict, limits, aligned = false } = event.data
    return { was: verdict, is: verdictOf(aligned ? null : score, positions ?? 0, limits) }
  }
  if (orderChosen.is(event) && event.data.eligible && event.data.proposed) {
    const { issue, by, rejected, eligible, proposed } = event.data
    return { was: { issue, by, rejected }, is: rulingOnOrder(eligible, proposed) }
  }
  if (duplicateSuspected.is(event) && event.data.signs) {
    const { issue, evidence, signs } = event.data
    const today = decideDuplicate({ issue, feature: event.feature ?? '', commits: [], ...signs })
    return { was: { suspected: true, evidence }, is: { suspected: today.suspected, evidence: today.evidence } }
  }
  return null
}

/** A turn's reply is the message that was shown with the hand-off that followed it. */
function turns(): (event: StoredEvent) => Repeated | null {
  const sessions = new Map<string, { participants: string[]; max_rounds: number; autopilot: boolean }>()
  const replies = new Map<string, { speaker: string; text: string; round: number }>()
  return (event) => {
    if (sessionStarted.is(event)) sessions.set(event.data.session_id, event.data)
    if (replyPosted.is(event) && event.data.session_id !== undefined)
      replies.set(event.data.session_id, {
        speaker: event.data.agent,
        text: event.data.text,
        round: event.data.round ?? 1,
      })
    if (!handoffPosted.is(event) && !sessionEnded.is(event)) return null
    const { session_id } = event.data
    const session = sessions.get(session_id ?? '')
    const reply = replies.get(session_id ?? '')
    // Autopilot has caps of its own, and a session that was stopped was not ended by its reply.
    if (!session || !reply || session.autopilot) return null
    replies.delete(session_id!)
    const said = handoffPosted.is(event) ? { handoff: { to: event.data.to, task: event.data.task } } : event.data.reply
    if (said === undefined) return null
    const text = 'malformed' in said ? reply.text : JSON.stringify({ message: reply.text, ...said })
    const { next } = decideTurn({ ...session, round: reply.round }, reply.speaker, text)
    const was = handoffPosted.is(event)
      ? { kind: 'turn', speaker: event.data.to, round: event.data.round, task: event.data.task }
      : { kind: 'end', reason: event.data.reason }
    return { was, is: next }
  }
}
