/** What closing or reopening an issue on the forge means for its state here. SPEC.md § GH1. */
import { type IssueState, type MoveCause, stateAfter } from './issue-states.ts'

export type ForgeChange = { change: 'closed'; notPlanned: boolean } | { change: 'reopened' }

export interface ChangedIssue {
  state: IssueState
  done_by?: 'commit' | 'tests' | 'person' | 'parts'
  /** Set while it is skipped for a blocked dependency, and not by a person. */
  skipped_from?: IssueState
}

/** The move that follows, or null. Work in progress continues: its commit makes it DONE. */
export function moveAfterForgeChange(change: ForgeChange, issue: ChangedIssue): MoveCause | null {
  const cause = change.change === 'closed' ? closed(change.notPlanned, issue) : reopened(issue)
  return cause && stateAfter(issue.state, cause) !== null ? cause : null
}

const beingBuilt: ReadonlySet<IssueState> = new Set(['IN_PROGRESS', 'VERIFYING', 'SPLIT'])

function closed(notPlanned: boolean, { state }: ChangedIssue): MoveCause | null {
  if (beingBuilt.has(state)) return null
  return notPlanned ? 'skipped' : 'found_done'
}

/** Undoes what a person did, and nothing else: a commit has to be reverted in git. */
function reopened({ state, done_by, skipped_from }: ChangedIssue): MoveCause | null {
  if (state === 'SKIPPED' && skipped_from === undefined) return 'unblocked'
  return state === 'DONE' && done_by === 'person' ? 'reverted' : null
}
