/** The state of a feature, and the moves that sync it with git, its locks and its dependencies. IS, SY. */
import { integrationBranch, shortName } from '../build/branches.ts'
import { askStarted } from '../kernel/ask/ask-events.ts'
import { ConveneError } from '../kernel/errors.ts'
import type { EventHeader, NewEvent } from '../kernel/events.ts'
import type { IssueCommit } from '../rules/issues/git-sync.ts'
import { reconcileWithGit, untraced } from '../rules/issues/issue-reconcile.ts'
import { isClaimStale, stateAfterStaleClaim } from '../rules/issues/issue-retry.ts'
import { reconcileSkipped } from '../rules/issues/issue-skips.ts'
import { type MoveCause, stateAfter } from '../rules/issues/issue-states.ts'
import type { Repository } from '../workspace/git/repository.ts'
import type { ShipDeps } from './deps.ts'
import { elsewhereFound, featureStream, issueMoved, lockReleased } from './events.ts'
import { type FeatureHistory, goneCommits, mainBranchOf } from './git-history.ts'
import { type FeatureView, featureView, findIssue, type IssueView, snapshotOf } from './view.ts'

export function readFeature(deps: Pick<ShipDeps, 'views'>, feature: string): Promise<FeatureView> {
  return deps.views.read(feature)
}

export const eventHeader = (feature: string, run?: string): EventHeader => ({
  stream: featureStream(feature),
  feature,
  ...(run === undefined ? {} : { run }),
})

export const claimName = (feature: string, issue: number) => `issue:${feature}#${issue}`

export interface Synced {
  view: FeatureView
  events: NewEvent[]
  /** How many issues git moved. */
  synced: number
}

/**
 * Computes the moves that follow from git (IS4), stale locks (IS3) and dependencies (IS2), without recording them. Skips git
 * for issues in `atWork`: their commit is in git a moment before their run records the end.
 */
export async function syncFeature(
  deps: ShipDeps,
  feature: string,
  run?: string,
  atWork: ReadonlySet<number> = new Set(),
): Promise<Synced> {
  const isFromGit = deps.settings.coordination.auto_sync_from_git
  // Reading git is slow: read the view after it, to include what runs recorded meanwhile.
  const history = isFromGit ? await historyOf(deps, feature, await readFeature(deps, feature)) : null
  const view = snapshotOf(await readFeature(deps, feature))
  const header = eventHeader(feature, run)
  const events: NewEvent[] = []
  const push = (event: NewEvent | null) => {
    if (!event) return
    events.push(event)
    featureView(feature).evolve(view, { seq: 0, id: '', ts: new Date(0).toISOString(), ...event })
  }
  let synced = 0
  if (history) {
    const idle = view.issues.filter(({ number }) => !atWork.has(number))
    const gone = await goneOf(deps, view, untraced(idle, history))
    const moves = reconcileWithGit(idle, history, gone)
    synced = moves.length
    const done = new Map(history.done.map((one) => [one.number, one]))
    for (const { number, cause } of moves) {
      const issue = findIssue(view, number)!
      const lost =
        cause === 'reverted' && gone.has(issue.commit ?? '') ? { reason: whereGone(view, issue, history) } : {}
      push(moveEvent(header, issue, cause, { ...commitEvidence(done.get(number)), ...lost }))
    }
    push(elsewhereEvent(header, view, history))
  }
  for (const issue of view.issues)
    for (const event of await interrupted(deps, header, issue, atWork.has(issue.number))) push(event)
  for (const { number, cause, reason } of reconcileSkipped(view.issues)) {
    push(moveEvent(header, findIssue(view, number)!, cause, { reason }))
  }
  for (const issue of view.issues) push(partsDone(header, view, issue))
  return { view, events, synced }
}

export async function historyOf(deps: ShipDeps, feature: string, view: FeatureView): Promise<FeatureHistory> {
  const { repository } = await deps.workspace()
  return deps.histories.read(repository, feature, await mainOf(repository, view))
}

const mainOf = async (repository: Repository, { main }: FeatureView) => main || (await mainBranchOf(repository))

/** Commits that made an issue DONE and are on no counting branch any more. SY1. */
async function goneOf(deps: ShipDeps, view: FeatureView, issues: readonly { commit: string }[]): Promise<Set<string>> {
  if (issues.length === 0) return new Set()
  const { repository } = await deps.workspace()
  const commits = [...new Set(issues.map(({ commit }) => commit))]
  return goneCommits(repository, view.feature, await mainOf(repository, view), commits)
}

function whereGone({ feature, main }: FeatureView, { commit = '' }: IssueView, { elsewhere }: FeatureHistory): string {
  const branch = elsewhere.find((one) => one.commit.hash === commit)?.commit.branch
  const counting = `${main || 'the main branch'} or ${shortName(integrationBranch(feature))}`
  const now = branch === undefined ? '' : `, only on ${branch}`
  return `its commit ${commit.slice(0, 10)} is no longer on ${counting}${now}`
}

type More = Partial<Pick<IssueView, 'reason' | 'commit' | 'done_by' | 'changed'>> & { evidence?: IssueView['evidence'] }

/** Null if the issue's state does not allow the move. */
export function moveEvent(
  header: EventHeader,
  issue: Pick<IssueView, 'number' | 'state'>,
  cause: MoveCause,
  more: More = {},
): NewEvent | null {
  const to = stateAfter(issue.state, cause)
  if (to === null) return null
  const { evidence = [], ...rest } = more
  const data = { issue: issue.number, from: issue.state, to, cause, evidence, ...rest }
  return issueMoved.create(header, data as never)
}

/** What a commit proves about an issue. */
export function commitEvidence(found: IssueCommit | undefined): More {
  if (!found?.commit.hash) return {}
  return { commit: found.commit.hash, done_by: 'commit', evidence: [{ kind: 'commit', detail: describe(found) }] }
}

function describe({ commit, by }: IssueCommit): string {
  return `${commit.hash?.slice(0, 10) ?? ''} ${commit.subject} (by its ${by})`
}

function elsewhereEvent(header: EventHeader, view: FeatureView, history: FeatureHistory): NewEvent | null {
  const now = history.elsewhere.flatMap(({ number, commit }) =>
    commit.hash && findIssue(view, number) ? [{ issue: number, branch: commit.branch ?? '', commit: commit.hash }] : [],
  )
  const before = view.issues.flatMap(({ number, elsewhere }) => elsewhere.map((one) => ({ issue: number, ...one })))
  const key = (one: { issue: number; branch: string; commit: string }) => `${one.issue} ${one.branch} ${one.commit}`
  const same = now.length === before.length && new Set([...now, ...before].map(key)).size === now.length
  return same ? null : elsewhereFound.create(header, { found: now })
}

/** IS1, IS3: interrupts an issue whose run is parked, failed or gone. Without any ask yet it is READY again. */
async function interrupted(
  deps: ShipDeps,
  header: EventHeader,
  issue: IssueView,
  isAtWork: boolean,
): Promise<NewEvent[]> {
  const { session } = issue
  if (stateAfterStaleClaim(issue.state) === issue.state || session === undefined) return []
  const lock = claimName(header.feature!, issue.number)
  const halted = isAtWork ? null : await deps.whyNotRunning(session)
  const ownerAlive = !(await deps.isAbandoned(session))
  const isHeld = (await deps.store.holderOf(lock)) !== null
  if (halted === null && !isClaimStale({ isHeld, ownerAlive })) return []
  // The run takes the lock again when it is resumed.
  if (isHeld) await deps.store.release(lock, session)
  // A run records its end before it releases the lock; that may have happened just now.
  const now = findIssue(await readFeature(deps, header.feature!), issue.number)
  if (now?.state !== issue.state || now.session !== session) return []
  const reason = `${halted ?? whyStale(deps, issue, ownerAlive)}; its branch is kept`
  const move = moveEvent(header, issue, 'interrupted', { reason })
  if (!move) return []
  const released = lockReleased.create(header, { issue: issue.number, holder: session, stale: halted === null })
  const isBegun = (await deps.store.read({ run: session, types: [askStarted.type], limit: 1 })).length > 0
  const back = isBegun ? null : moveEvent(header, { ...issue, state: 'INTERRUPTED' }, 'requeued')
  return back ? [released, move, back] : [released, move]
}

function whyStale({ settings }: ShipDeps, { locked_by }: IssueView, ownerAlive: boolean): string {
  if (!ownerAlive) return 'the process working on it ended unexpectedly'
  if (locked_by === undefined) return 'the work was interrupted'
  return `the run working on it has shown no activity for ${settings.ship.stale_minutes} minutes`
}

/** A split issue is done when all its parts are. */
function partsDone(header: EventHeader, view: FeatureView, issue: IssueView): NewEvent | null {
  if (issue.state !== 'SPLIT') return null
  const { parts = [] } = issue
  if (parts.length === 0 || parts.some((number) => findIssue(view, number)?.state !== 'DONE')) return null
  const evidence = [{ kind: 'parts', detail: `its parts are done: ${parts.map((number) => `#${number}`).join(', ')}` }]
  return moveEvent(header, issue, 'parts_done', { done_by: 'parts', evidence })
}

export function issueIn(view: { feature: string; issues: IssueView[] }, number: number): IssueView {
  const issue = findIssue(view, number)
  if (issue) return issue
  throw new ConveneError('unknown_issue', `feature ${view.feature} has no issue #${number}`, {
    status: 404,
    path: 'issue',
  })
}
