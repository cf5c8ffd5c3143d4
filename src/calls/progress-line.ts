/** One line for each event that a waiting caller wants to see. */
import { evidenceRecorded, mergeCompleted, nodeStarted } from '../build/events.ts'
import { askStarted } from '../kernel/ask/ask-events.ts'
import type { StoredEvent } from '../kernel/events.ts'
import { questionAsked } from '../kernel/runs/question-events.ts'
import { phaseStarted } from '../plan/events.ts'
import { replyPosted, roundResolved } from '../room/events.ts'
import { issueDone, issueStarted } from '../ship/events.ts'

/** Null for events that say nothing new to a caller. */
export function progressLine(event: StoredEvent): string | null {
  if (roundResolved.is(event)) return `${event.data.responders.join(' and ')} will answer: ${event.data.reason}`
  if (replyPosted.is(event)) return `${event.data.agent} answered`
  if (askStarted.is(event)) {
    const { agent, kind, node } = event.data
    return `${agent}: ${kind}${node === undefined ? '' : ` (${node})`}`
  }
  if (phaseStarted.is(event)) return `phase ${event.data.phase}: ${event.data.name}`
  if (nodeStarted.is(event)) return `building ${event.data.node}`
  if (evidenceRecorded.is(event)) return `${event.data.command}: exit code ${event.data.exit_code}`
  if (mergeCompleted.is(event)) return `merged ${event.data.node}`
  if (issueStarted.is(event)) return `issue #${event.data.issue} started`
  if (issueDone.is(event)) return `issue #${event.data.issue} done`
  if (questionAsked.is(event)) return `question: ${event.data.text}`
  return null
}
