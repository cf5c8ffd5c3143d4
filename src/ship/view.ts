/** What a feature looks like: its issues and how far they are; a fold of its events. */
import { askFinished, askStarted } from '../kernel/ask-events.ts'
import type { StoredEvent } from '../kernel/events.ts'
import type { Fold } from '../kernel/fold.ts'
import type { IssueState } from '../rules/issue-states.ts'
import {
  contextInjected,
  elsewhereFound,
  failureAnalysed,
  featureGreenlit,
  type IssueDefinition,
  issueDone,
  issueMoved,
  issueSplit,
  issueStarted,
  lockReleased,
  lockTaken,
  retryStarted,
  summaryWritten,
  verificationFailed,
} from './events.ts'

export interface IssueView extends IssueDefinition {
  state: IssueState
  reason?: string
  commit?: string
  done_by?: 'commit' | 'tests' | 'person' | 'parts'
  evidence: { kind: string; detail: string }[]
  elsewhere: { branch: string; commit: string }[]
  /** The state it was in before a dependency was blocked. */
  skipped_from?: IssueState
  /** The run that works on it. */
  session?: string
  locked_by?: string
  attempts: number
  failures: { attempt: number; detail: string }[]
  analyses: { by: string; diagnosis: string; recommendation: string; reason: string }[]
  summary?: string
  key_files: string[]
  modules: { path: string; symbols: string[]; purpose: string; change: 'created' | 'modified' }[]
  context_ref?: string
  files: string[]
  /** How many tests ran and passed for it. */
  tests?: number
  started?: string
  finished?: string
}

export interface FeatureView {
  feature: string
  main: string
  issues: IssueView[]
  cost: { calls: number; tokens: number; usd: number | null }
}

export function featureView(feature: string): Fold<FeatureView> {
  return {
    initial: () => ({ feature, main: '', issues: [], cost: { calls: 0, tokens: 0, usd: 0 } }),
    evolve(view, event) {
      apply(view, event)
      return view
    },
  }
}

function apply(view: FeatureView, event: StoredEvent): void {
  if (featureGreenlit.is(event)) {
    view.main = event.data.main
    for (const definition of event.data.issues) define(view, definition)
    return
  }
  if (askStarted.is(event)) view.cost.calls++
  if (askFinished.is(event)) {
    const { inputTokens, outputTokens, usd } = event.data.usage
    view.cost.tokens += inputTokens + outputTokens
    view.cost.usd = view.cost.usd === null || usd === null ? null : view.cost.usd + usd
  }
  if (elsewhereFound.is(event)) {
    for (const issue of view.issues) {
      const found = event.data.found.filter((one) => one.issue === issue.number)
      issue.elsewhere = found.map(({ branch, commit }) => ({ branch, commit }))
    }
    return
  }
  const { issue: number } = event.data as { issue?: number }
  const issue = view.issues.find((one) => one.number === number)
  if (!issue) return
  if (issueMoved.is(event)) move(issue, event)
  if (issueSplit.is(event)) for (const part of event.data.parts) define(view, part)
  if (issueStarted.is(event))
    Object.assign(issue, { session: event.data.session, attempts: 1, failures: [], started: event.ts })
  if (retryStarted.is(event)) issue.attempts = event.data.attempt
  if (verificationFailed.is(event)) issue.failures.push({ attempt: event.data.attempt, detail: event.data.detail })
  if (failureAnalysed.is(event)) {
    const { by, diagnosis, recommendation, reason } = event.data
    issue.analyses.push({ by, diagnosis, recommendation, reason })
  }
  if (lockTaken.is(event)) issue.locked_by = event.data.holder
  if (lockReleased.is(event)) delete issue.locked_by
  if (contextInjected.is(event)) issue.context_ref = event.data.context_ref
  if (summaryWritten.is(event)) {
    const { summary, key_files, modules } = event.data
    Object.assign(issue, { summary, key_files, modules })
  }
  if (issueDone.is(event)) {
    const { commit, files, tests } = event.data
    Object.assign(issue, { commit, files, finished: event.ts, ...(tests === undefined ? {} : { tests }) })
  }
}

function move(issue: IssueView, event: StoredEvent): void {
  if (!issueMoved.is(event)) return
  const { from, to, reason, commit, done_by, evidence } = event.data
  issue.state = to
  if (to === 'SKIPPED') issue.skipped_from = from
  else delete issue.skipped_from
  if (reason === undefined) delete issue.reason
  else issue.reason = reason
  if (to === 'DONE') {
    issue.evidence = evidence
    if (commit !== undefined) issue.commit = commit
    issue.done_by = done_by ?? 'commit'
  } else if (from === 'DONE') {
    delete issue.commit
    delete issue.done_by
    issue.evidence = []
  }
}

/** A definition that is greenlit again is brought up to date; where it stands stays. */
function define(view: FeatureView, definition: IssueDefinition): void {
  const known = view.issues.find(({ number }) => number === definition.number)
  if (known) {
    Object.assign(known, definition)
    return
  }
  const fresh = { state: 'BACKLOG' as const, evidence: [], elsewhere: [], attempts: 0, failures: [], analyses: [] }
  view.issues.push({ ...definition, ...fresh, key_files: [], modules: [], files: [] })
  view.issues.sort((a, b) => a.number - b.number)
}
