/** Writes an issue's single comment on the forge. GH2. */
import { type IssueReference, renderComment } from '../../forge/comments.ts'
import type { StoredEvent } from '../../kernel/events.ts'
import { issueMoved, retryStarted, summaryWritten } from '../events.ts'
import { type FeatureView, findIssue, type IssueView } from '../view.ts'

/** Undefined if the comment stays as it is. */
export function commentFor(
  view: FeatureView,
  issue: IssueView,
  event: StoredEvent,
  retries: number,
): string | undefined {
  const about = { feature: view.feature, number: issue.number }
  if (retryStarted.is(event)) {
    const reason = issue.failures.at(-1)?.detail.split('\n')[0]
    const retry = { ...about, kind: 'retry' as const, retry: event.data.attempt - 1, of: retries }
    return renderComment({ ...retry, ...(reason === undefined ? {} : { reason }) })
  }
  // The purpose of each file is only known now.
  if (summaryWritten.is(event)) return issue.state === 'DONE' ? done(view, issue) : undefined
  if (!issueMoved.is(event)) return undefined
  const { to, cause, reason = 'it could not be built' } = event.data
  switch (to) {
    case 'DONE':
      return done(view, issue)
    case 'BLOCKED':
    case 'MANUAL_REQUIRED':
      return blocked(view, issue, reason)
    case 'SKIPPED':
      if (cause === 'dependency_blocked') {
        const named = [...reason.matchAll(/#(\d+)/g)].map(([, number]) => Number(number))
        return renderComment({ ...about, kind: 'waiting', reason, named: references(view, named) })
      }
      return blocked(view, issue, reason)
    case 'SPLIT':
      return renderComment({ ...about, kind: 'split', parts: issue.parts ?? [] })
    case 'READY':
      if (cause === 'requeued') return undefined
      if (cause !== 'greenlit') return renderComment({ ...about, kind: 'unblocked' })
      return renderComment({
        ...about,
        kind: 'greenlit',
        criteria: issue.acceptance_criteria.length,
        waitsFor: references(view, issue.depends_on),
      })
    default:
      return undefined
  }
}

function done(view: FeatureView, issue: IssueView): string {
  const waiting = view.issues.filter(({ depends_on, state }) => depends_on.includes(issue.number) && state === 'READY')
  const isFree = ({ depends_on }: IssueView) => depends_on.every((number) => findIssue(view, number)?.state === 'DONE')
  const unblocked = references(
    view,
    waiting.filter(isFree).map(({ number }) => number),
  )
  const tests = issue.tests === undefined ? {} : { tests: { passed: issue.tests, total: issue.tests } }
  const about = { feature: view.feature, number: issue.number }
  return renderComment({
    ...about,
    kind: 'done',
    commit: issue.commit ?? '',
    files: filesOf(issue),
    unblocked,
    ...tests,
  })
}

function blocked(view: FeatureView, issue: IssueView, reason: string): string {
  const output = issue.failures.at(-1)?.detail.replace(worktreePaths, '')
  return renderComment({
    feature: view.feature,
    number: issue.number,
    kind: 'blocked',
    reason,
    files: issue.changed ?? [],
    dependsOn: references(view, issue.depends_on),
    ...(output === undefined ? {} : { output }),
  })
}

/** Paths of this machine are not published. */
const worktreePaths = /(?:file:\/\/)?\/[^\s'"()]*-[0-9a-f]{12}\/[^\s/'"()]*-[0-9a-f]{12}\/\d+\//g

function filesOf(issue: IssueView): { path: string; purpose?: string; change?: 'created' | 'modified' }[] {
  const modules = new Map(issue.modules.map((module) => [module.path, module]))
  return issue.files.map((path) => {
    const module = modules.get(path)
    return { path, ...(module ? { purpose: module.purpose, change: module.change } : {}) }
  })
}

function references(view: FeatureView, numbers: readonly number[]): IssueReference[] {
  return numbers.map((number) => {
    const github = findIssue(view, number)?.github
    return { number, ...(github === undefined ? {} : { github }) }
  })
}
