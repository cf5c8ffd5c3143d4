/** A feature and the state of its issues, folded from its events. */

import { forgeChanged, forgeChangeKinds } from '../forge/events.ts'
import { askFinished, askStarted } from '../kernel/ask/ask-events.ts'
import { type Cost, countCost, noCost } from '../kernel/ask/cost.ts'
import type { StoredEvent } from '../kernel/events.ts'
import type { Fold } from '../kernel/fold.ts'
import { dependOnLastPart } from '../rules/issues/issue-size.ts'
import { type IssueState, moveCounts } from '../rules/issues/issue-states.ts'
import {
  contextInjected,
  duplicateSuspected,
  elsewhereFound,
  failureAnalysed,
  featureGreenlit,
  type IssueDefinition,
  issueDone,
  issueLinked,
  issueMoved,
  issueReviewed,
  issueSchema,
  issueSized,
  issueSplit,
  issueStarted,
  lockReleased,
  lockTaken,
  pullRequestOpened,
  retryStarted,
  summaryWritten,
  verificationFailed,
} from './events.ts'

export interface IssueView extends IssueDefinition {
  state: IssueState
  reason?: string
  /** The commit at its first greenlight; what is in that tree does not show that the issue is done. */
  greenlit_at?: string
  commit?: string
  done_by?: 'commit' | 'tests' | 'person' | 'parts'
  evidence: { kind: string; detail: string }[]
  elsewhere: { branch: string; commit: string }[]
  /** The evidence is too weak to rely on; a person is asked. */
  suspected?: boolean
  /** The state before a dependency was blocked. */
  skipped_from?: IssueState
  /** The run working on it. */
  session?: string
  locked_by?: string
  attempts: number
  failures: { attempt: number; detail: string; tests?: string[] }[]
  analyses: { by: string; diagnosis: string; recommendation: string; reason: string; modified_approach?: string }[]
  summary?: string
  key_files: string[]
  modules: { path: string; symbols: string[]; purpose: string; change: 'created' | 'modified' }[]
  context_ref?: string
  files: string[]
  /** What the last attempt had changed when the issue was given up. */
  changed?: { path: string; change: 'created' | 'modified' | 'deleted' }[]
  /** How many tests passed for it. */
  tests?: number
  started?: string
  finished?: string
  /** A person has reviewed the work. */
  reviewed: boolean
  /** The numbers of the parts it was split into. */
  parts?: number[]
  part_of?: number
  /** Decided: build it whole, not in parts. */
  kept_whole?: boolean
  /** What people did to it on the forge, newest last. */
  notices: IssueNotice[]
}

export const noticeKinds = forgeChangeKinds

export interface IssueNotice {
  ts: string
  change: (typeof noticeKinds)[number]
  by?: string
  label?: string
  text?: string
  url?: string
}

export interface FeatureView {
  feature: string
  main: string
  issues: IssueView[]
  cost: Cost
  pull_request?: { number: number; url: string }
}

const mostNotices = 20

/** The event types the fold reads. */
export const featureViewTypes: string[] = [
  askFinished,
  askStarted,
  contextInjected,
  duplicateSuspected,
  elsewhereFound,
  failureAnalysed,
  featureGreenlit,
  forgeChanged,
  issueDone,
  issueLinked,
  issueMoved,
  issueReviewed,
  issueSized,
  issueSplit,
  issueStarted,
  lockReleased,
  lockTaken,
  pullRequestOpened,
  retryStarted,
  summaryWritten,
  verificationFailed,
].map(({ type }) => type)

export function featureView(feature: string): Fold<FeatureView> {
  return {
    initial: () => ({ feature, main: '', issues: [], cost: noCost() }),
    evolve(view, event) {
      apply(view, event)
      return view
    },
  }
}

/** Binary search: issues are sorted by number, and a feature may have a thousand. */
export function findIssue({ issues }: Pick<FeatureView, 'issues'>, number: number | undefined): IssueView | undefined {
  if (number === undefined) return undefined
  let low = 0
  let high = issues.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = issues[middle]!
    if (found.number === number) return found
    if (found.number < number) low = middle + 1
    else high = middle - 1
  }
  return undefined
}

/** A copy that later events do not change. The fold replaces an issue's lists and never mutates them. */
export function snapshotOf(view: FeatureView): FeatureView {
  return { ...view, cost: { ...view.cost }, issues: view.issues.map((issue) => ({ ...issue })) }
}

/** The definition of an issue, without its progress. */
export function definitionOf(issue: IssueView): IssueDefinition {
  return issueSchema.parse(Object.fromEntries(Object.entries(issue).filter(([key]) => key in issueSchema.shape)))
}

function apply(view: FeatureView, event: StoredEvent): void {
  if (featureGreenlit.is(event)) {
    view.main = event.data.main
    define(view, event.data.issues)
    for (const { number } of event.data.issues) greenlight(findIssue(view, number)!, event.data.head)
    return
  }
  if (askStarted.is(event) || askFinished.is(event)) {
    countCost(view.cost, event)
    return
  }
  if (elsewhereFound.is(event)) {
    const found = Map.groupBy(event.data.found, ({ issue }) => issue)
    for (const issue of view.issues)
      issue.elsewhere = (found.get(issue.number) ?? []).map(({ branch, commit }) => ({ branch, commit }))
    return
  }
  if (pullRequestOpened.is(event)) {
    view.pull_request = { number: event.data.number, url: event.data.url }
    return
  }
  const { issue: number } = event.data as { issue?: number }
  const issue = findIssue(view, forgeChanged.is(event) ? event.data.number : number)
  if (issue) applyToIssue(view, issue, event)
}

function applyToIssue(view: FeatureView, issue: IssueView, event: StoredEvent): void {
  if (issueMoved.is(event)) move(issue, event)
  if (issueSplit.is(event)) split(view, issue, event.data.parts)
  if (issueSized.is(event)) issue.kept_whole = event.data.verdict === 'whole'
  if (issueReviewed.is(event)) issue.reviewed = true
  if (issueLinked.is(event)) issue.github ??= event.data.github
  if (duplicateSuspected.is(event)) suspect(issue, event.data.evidence)
  if (issueStarted.is(event))
    Object.assign(issue, { session: event.data.session, attempts: 1, failures: [], analyses: [], started: event.ts })
  if (retryStarted.is(event)) issue.attempts = event.data.attempt
  if (verificationFailed.is(event)) {
    const { attempt, detail, tests } = event.data
    issue.failures = [...issue.failures, { attempt, detail, ...(tests ? { tests } : {}) }]
  }
  if (failureAnalysed.is(event)) {
    const { by, diagnosis, recommendation, reason, modified_approach } = event.data
    const approach = modified_approach === undefined ? {} : { modified_approach }
    issue.analyses = [...issue.analyses, { by, diagnosis, recommendation, reason, ...approach }]
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
  if (forgeChanged.is(event)) {
    const { change, by, label, comment } = event.data
    const said = comment ? { text: comment.text, ...(comment.url ? { url: comment.url } : {}) } : {}
    const notice = { ts: event.ts, change, ...(by ? { by } : {}), ...(label ? { label } : {}), ...said }
    issue.notices = [...issue.notices, notice].slice(-mostNotices)
  }
}

function move(issue: IssueView, event: StoredEvent): void {
  if (!issueMoved.is(event)) return
  const { from, to, cause, reason, commit, done_by, evidence, changed } = event.data
  if (!moveCounts(issue.state, event.data)) return
  issue.state = to
  if (cause === 'dependency_blocked') issue.skipped_from = from
  else delete issue.skipped_from
  if (reason === undefined) delete issue.reason
  else issue.reason = reason
  if (changed === undefined) delete issue.changed
  else issue.changed = changed
  if (issue.suspected) {
    delete issue.suspected
    issue.evidence = []
  }
  if (to === 'DONE') {
    issue.evidence = evidence
    if (commit !== undefined) issue.commit = commit
    issue.done_by = done_by ?? 'commit'
  } else if (from === 'DONE') {
    delete issue.commit
    delete issue.done_by
    delete issue.finished
    issue.evidence = []
    issue.reviewed = false
  }
}

function suspect(issue: IssueView, evidence: IssueView['evidence']): void {
  const seen = evidence.map(({ detail }) => detail).join('; ')
  issue.suspected = true
  issue.evidence = evidence
  issue.reason = `perhaps implemented already: ${seen}; it waits for your answer: convene questions`
}

/** IS5: issues that depend on the whole now depend on its last part. */
function split(view: FeatureView, whole: IssueView, parts: readonly IssueDefinition[]): void {
  define(view, parts)
  whole.parts = parts.map(({ number }) => number)
  for (const number of whole.parts) {
    const part = findIssue(view, number)!
    part.part_of = whole.number
    greenlight(part, whole.greenlit_at)
  }
  for (const issue of view.issues) issue.depends_on = dependencies(view, issue)
}

function greenlight(issue: IssueView, head: string | undefined): void {
  if (issue.greenlit_at === undefined && head !== undefined) issue.greenlit_at = head
}

/** Greenlighting an issue again updates its definition and keeps its state. */
function define(view: FeatureView, definitions: readonly IssueDefinition[]): void {
  for (const definition of definitions) {
    const known = findIssue(view, definition.number)
    if (known) Object.assign(known, definition, { depends_on: dependencies(view, { ...known, ...definition }) })
  }
  const fresh = definitions.filter(({ number }) => !findIssue(view, number)).map(asNew)
  if (fresh.length === 0) return
  view.issues.push(...fresh)
  view.issues.sort((a, b) => a.number - b.number)
}

function dependencies(view: FeatureView, { number, depends_on }: Pick<IssueView, 'number' | 'depends_on'>): number[] {
  return depends_on.reduce<number[]>((needed, dependency) => {
    const last = findIssue(view, dependency)?.parts?.at(-1)
    return last === undefined || last === number ? needed : dependOnLastPart(needed, dependency, last)
  }, depends_on)
}

function asNew(definition: IssueDefinition): IssueView {
  return {
    ...definition,
    state: 'BACKLOG',
    evidence: [],
    elsewhere: [],
    attempts: 0,
    failures: [],
    analyses: [],
    key_files: [],
    modules: [],
    files: [],
    reviewed: false,
    notices: [],
  }
}
