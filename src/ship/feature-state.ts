/** Where a feature stands, read from its log; and the moves that bring it in line with git and its dependencies. IS, SY. */
import { join } from 'node:path'
import { integrationBranch } from '../build/branches.ts'
import type { EventPlace, NewEvent } from '../kernel/events.ts'
import { foldEvents } from '../kernel/fold.ts'
import type { IssueCommit } from '../rules/git-sync.ts'
import { reconcileWithGit } from '../rules/issue-reconcile.ts'
import { stateAfterStaleLock } from '../rules/issue-retry.ts'
import { reconcileSkipped } from '../rules/issue-skips.ts'
import { type MoveCause, stateAfter } from '../rules/issue-states.ts'
import { elsewhereFound, featureStream, issueMoved, lockReleased } from './events.ts'
import { type FeatureHistory, mainBranchOf, readHistory } from './git-history.ts'
import type { ShipSurroundings } from './surroundings.ts'
import { type FeatureView, featureView, type IssueView } from './view.ts'

export async function readFeature(around: Pick<ShipSurroundings, 'store'>, feature: string): Promise<FeatureView> {
  return foldEvents(featureView(feature), await around.store.read({ feature }))
}

export const placeOf = (feature: string, run?: string): EventPlace => ({
  stream: featureStream(feature),
  feature,
  ...(run === undefined ? {} : { run }),
})

export const lockName = (feature: string, issue: number) => `issue:${feature}#${issue}`

export interface Synced {
  view: FeatureView
  events: NewEvent[]
  /** How many issues git moved. */
  synced: number
}

/** IS4, IS3, IS2: what git says, locks nobody holds any more, and who waits for whom. Writes nothing. */
export async function syncFeature(around: ShipSurroundings, feature: string, run?: string): Promise<Synced> {
  const view = await readFeature(around, feature)
  const place = placeOf(feature, run)
  const events: NewEvent[] = []
  const push = (event: NewEvent | null) => {
    if (!event) return
    events.push(event)
    featureView(feature).evolve(view, { seq: 0, id: '', ts: new Date(0).toISOString(), ...event })
  }
  let synced = 0
  if (around.settings.coordination.auto_sync_from_git) {
    const history = await historyOf(around, feature, view)
    const moves = reconcileWithGit(view.issues, history)
    synced = moves.length
    for (const { number, cause } of moves) {
      const issue = view.issues.find((one) => one.number === number)!
      push(moveEvent(place, issue, cause, found(history, number)))
    }
    push(elsewhereEvent(place, view, history))
  }
  for (const issue of view.issues) for (const event of await interrupted(around, place, feature, issue)) push(event)
  for (const { number, cause, reason } of reconcileSkipped(view.issues)) {
    push(moveEvent(place, view.issues.find((one) => one.number === number)!, cause, { reason }))
  }
  for (const issue of view.issues) push(partsDone(place, view, issue))
  return { view, events, synced }
}

export async function historyOf(around: ShipSurroundings, feature: string, view: FeatureView): Promise<FeatureHistory> {
  const { repository } = await around.workshop()
  const main = view.main || (await mainBranchOf(repository))
  const branches = { main: `refs/heads/${main}`, integration: integrationBranch(feature) }
  return readHistory(repository, feature, branches, join(around.stateFolder, 'cache', `history-${feature}.json`))
}

type More = Partial<Pick<IssueView, 'reason' | 'commit' | 'done_by'>> & { evidence?: IssueView['evidence'] }

/** Null where the move cannot happen from the state the issue is in. */
export function moveEvent(place: EventPlace, issue: IssueView, cause: MoveCause, more: More = {}): NewEvent | null {
  const to = stateAfter(issue.state, cause)
  if (to === null) return null
  const { evidence = [], ...rest } = more
  const data = { issue: issue.number, from: issue.state, to, cause, evidence, ...rest }
  return issueMoved.create(place, data as never)
}

function found(history: FeatureHistory, number: number): More {
  const commit = history.done.find((one) => one.number === number)
  if (!commit?.commit.hash) return {}
  return { commit: commit.commit.hash, done_by: 'commit', evidence: [{ kind: 'commit', detail: describe(commit) }] }
}

export function describe({ commit, by }: IssueCommit): string {
  return `${commit.hash?.slice(0, 10) ?? ''} ${commit.subject} (by its ${by})`
}

function elsewhereEvent(place: EventPlace, view: FeatureView, history: FeatureHistory): NewEvent | null {
  const now = history.elsewhere.flatMap(({ number, commit }) =>
    commit.hash ? [{ issue: number, branch: commit.branch ?? '', commit: commit.hash }] : [],
  )
  const before = view.issues.flatMap(({ number, elsewhere }) => elsewhere.map((one) => ({ issue: number, ...one })))
  const key = (one: { issue: number; branch: string; commit: string }) => `${one.issue} ${one.branch} ${one.commit}`
  const same = now.length === before.length && new Set([...now, ...before].map(key)).size === now.length
  return same ? null : elsewhereFound.create(place, { found: now })
}

/** IS3: nobody works on it any more, and nobody has let it go. */
async function interrupted(
  around: ShipSurroundings,
  place: EventPlace,
  feature: string,
  issue: IssueView,
): Promise<NewEvent[]> {
  if (stateAfterStaleLock(issue.state) === issue.state || issue.session === undefined) return []
  const holder = await around.store.holderOf(lockName(feature, issue.number))
  if (holder !== null) return []
  const move = moveEvent(place, issue, 'interrupted', {
    reason: 'nobody has worked on it for a while; its branch is kept',
  })
  const released = lockReleased.create(place, { issue: issue.number, holder: issue.session, stale: true })
  return move ? [released, move] : []
}

/** A split issue is done when all its parts are. */
function partsDone(place: EventPlace, view: FeatureView, issue: IssueView): NewEvent | null {
  if (issue.state !== 'SPLIT') return null
  const parts = view.issues.filter(({ body }) => body.includes(partMark(issue.number)))
  if (parts.length === 0 || parts.some(({ state }) => state !== 'DONE')) return null
  return moveEvent(place, issue, 'parts_done', { done_by: 'parts' })
}

export const partMark = (whole: number) => `Part of #${whole}.`
