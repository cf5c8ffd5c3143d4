/** An issue's events as history entries, with the rule behind each. */
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import type { IssueState, MoveCause } from '../../../../src/rules/issues/issue-states.ts'
import {
  contextInjected,
  failureAnalysed,
  implementationCompleted,
  issueDone,
  issueMoved,
  issueReviewed,
  issueSized,
  issueSplit,
  lockReleased,
  lockTaken,
  orderChosen,
  retryStarted,
  summaryWritten,
  testsWritten,
  verificationFailed,
} from '../../../../src/ship/events.ts'
import type { Tone } from '../../ui/chip.tsx'
import { count, plural } from '../../ui/format.ts'
import { diagnosisLabel, recommendationLabel } from './labels.ts'

export interface HistoryEntry {
  seq: number
  ts: string
  tone: Tone
  title: string
  detail?: string
  rule?: string
}

/** Null: not shown in the history. */
export function historyEntry(event: StoredEvent): HistoryEntry | null {
  const said = wordsFor(event)
  return said ? { seq: event.seq, ts: event.ts, ...said } : null
}

type Said = Omit<HistoryEntry, 'seq' | 'ts'>

function wordsFor(event: StoredEvent): Said | null {
  if (issueMoved.is(event)) return moved(event.data)
  if (testsWritten.is(event)) return { tone: 'plain', title: `${plural(event.data.count, 'test')} written` }
  if (implementationCompleted.is(event)) return { tone: 'plain', title: 'The code is written' }
  if (verificationFailed.is(event)) {
    const { attempt, failures, detail } = event.data
    const what = failures > 0 ? plural(failures, 'problem') : 'it did not pass'
    return { tone: 'bad', title: `Attempt ${attempt} failed: ${what}`, detail, rule: 'FA2' }
  }
  if (retryStarted.is(event)) return { tone: 'live', title: `Attempt ${event.data.attempt} started`, rule: 'IS1' }
  if (failureAnalysed.is(event)) {
    const { by, diagnosis, recommendation, reason, modified_approach, why } = event.data
    const who = by === 'coordinator' ? `Coordinator${why ? `, ${why}` : ''}` : 'Analysis'
    const detail = modified_approach ? `${reason}\nNext try: ${modified_approach}` : reason
    return {
      tone: 'warn',
      title: `${who}: ${diagnosisLabel(diagnosis)}; ${recommendationLabel(recommendation)}`,
      detail,
      rule: by === 'coordinator' ? 'FA1' : 'FA2',
    }
  }
  if (orderChosen.is(event)) {
    const { by, reason } = event.data
    const title = by === 'coordinator' ? 'Chosen next by the coordinator' : 'Chosen next by rule'
    return { tone: 'plain', title, detail: reason, rule: by === 'coordinator' ? 'FA1' : 'IS2' }
  }
  if (lockTaken.is(event)) return { tone: 'plain', title: 'Claimed: no other run can work on it', rule: 'DU2' }
  if (lockReleased.is(event))
    return event.data.stale
      ? { tone: 'warn', title: 'Claim released: no heartbeat', rule: 'IS3' }
      : { tone: 'plain', title: 'Claim released', rule: 'DU2' }
  if (contextInjected.is(event)) {
    const { tokens, omitted } = event.data
    const left = omitted.length > 0 ? { detail: `Left out for length: ${omitted.join(', ')}` } : {}
    return { tone: 'plain', title: `Context assembled: ${count(tokens)} tokens`, rule: 'CX3', ...left }
  }
  if (summaryWritten.is(event)) {
    const { by, summary } = event.data
    return { tone: 'plain', title: by === 'agent' ? 'Summarised' : 'Summarised by rule', detail: summary, rule: 'FA3' }
  }
  if (issueSplit.is(event)) {
    const parts = event.data.parts.map(({ number }) => `#${number}`).join(', ')
    return { tone: 'plain', title: `Too large for one attempt: split into ${parts}`, rule: 'IS5' }
  }
  if (issueDone.is(event)) {
    const { commit, tests } = event.data
    const seen = tests === undefined ? '' : `, ${plural(tests, 'test')} green`
    return { tone: 'ok', title: `Merged as ${commit.slice(0, 7)}${seen}` }
  }
  if (issueSized.is(event)) {
    const { verdict, by, reason } = event.data
    const what = verdict === 'whole' ? 'to build it whole' : 'to split it'
    const who = by === 'coordinator' ? 'the coordinator' : 'the rule'
    return { tone: 'plain', title: `Large issue: ${who} decided ${what}`, detail: reason, rule: 'IS5' }
  }
  if (issueReviewed.is(event)) return { tone: 'ok', title: 'Reviewed by a person' }
  return null
}

interface Move {
  to: IssueState
  cause: MoveCause
  reason?: string | undefined
  done_by?: string | undefined
  evidence: readonly { kind: string; detail: string }[]
}

function moved({ to, cause, reason, done_by, evidence }: Move): Said {
  const { title, rule } = cause === 'found_done' ? foundDone(done_by) : causes[cause]
  const detail = [reason, ...evidence.map((one) => one.detail)].filter(Boolean).join('\n')
  return { tone: tones[to] ?? 'plain', title, ...(detail ? { detail } : {}), ...(rule ? { rule } : {}) }
}

function foundDone(by: string | undefined): { title: string; rule: string } {
  if (by === 'person') return { title: 'Marked done by a person', rule: 'DU1' }
  if (by === 'tests') return { title: 'Its tests already pass: done', rule: 'DU1' }
  return { title: 'Found done in git', rule: 'SY1' }
}

const causes: Record<MoveCause, { title: string; rule?: string }> = {
  greenlit: { title: 'Greenlit: it may be worked on', rule: 'IS1' },
  shelved: { title: 'Put back for later' },
  started: { title: 'Work started' },
  implemented: { title: 'Built; being verified' },
  verification_failed: { title: 'Verification failed: back to work' },
  verified: { title: 'Verified: done' },
  retries_spent: { title: 'No attempts left: blocked', rule: 'IS1' },
  interrupted: { title: 'Interrupted; its branch is kept', rule: 'IS3' },
  requeued: { title: 'Back in the queue' },
  found_done: { title: 'Found done', rule: 'SY1' },
  parts_done: { title: 'All its parts are done', rule: 'IS5' },
  reverted: { title: 'Its commit was reverted: ready again', rule: 'SY1' },
  unblocked: { title: 'Unblocked by a person', rule: 'IS1' },
  dependency_blocked: { title: 'Skipped: a dependency is blocked', rule: 'IS1' },
  dependency_unblocked: { title: 'Unblocked: its dependency is available again', rule: 'IS1' },
  skipped: { title: 'Skipped' },
  split: { title: 'Continues in parts', rule: 'IS5' },
  handed_over: { title: 'Left for a person' },
}

const tones: Partial<Record<IssueState, Tone>> = {
  IN_PROGRESS: 'live',
  VERIFYING: 'live',
  DONE: 'ok',
  BLOCKED: 'bad',
  SKIPPED: 'warn',
  INTERRUPTED: 'warn',
  MANUAL_REQUIRED: 'warn',
}
