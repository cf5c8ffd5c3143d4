/** Brings what is known about issues in line with git, and admits listed issues. Returns moves, makes none. SPEC.md § IS. */
import type { GitSync } from './git-sync.ts'
import { type IssueState, type MoveCause, stateAfter } from './issue-states.ts'

/** What made an issue DONE. Only a commit can be reverted; tests that passed and a person's word stay. */
export type DoneBy = 'commit' | 'tests' | 'person' | 'parts'

export interface KnownIssue {
  number: number
  state: IssueState
  done_by?: DoneBy
}

export interface IssueMove {
  number: number
  from: IssueState
  to: IssueState
  cause: MoveCause
}

/** [IS4] The moves git asks for, by number; how many there are is what a command reports as synced. */
export function reconcileWithGit(issues: readonly KnownIssue[], git: Pick<GitSync, 'done' | 'reverted'>): IssueMove[] {
  const done = new Set(git.done.map(({ number }) => number))
  const reverted = new Set(git.reverted)
  return issues
    .flatMap((issue) => {
      if (done.has(issue.number)) return moved(issue, 'found_done')
      return reverted.has(issue.number) && isDoneByCommit(issue) ? moved(issue, 'reverted') : []
    })
    .sort((a, b) => a.number - b.number)
}

/** [IS4] The state of a listed issue after greenlight: a new or waiting one is READY, any other keeps what it has. */
export function greenlitState(known: IssueState | undefined): IssueState {
  if (known === undefined) return 'READY'
  return stateAfter(known, 'greenlit') ?? known
}

/** An issue whose origin nobody noted was found in git: evidence of any other kind is always recorded. */
function isDoneByCommit({ state, done_by }: KnownIssue): boolean {
  return state === 'DONE' && (done_by ?? 'commit') === 'commit'
}

function moved({ number, state }: KnownIssue, cause: MoveCause): IssueMove[] {
  const to = stateAfter(state, cause)
  return to === null ? [] : [{ number, from: state, to, cause }]
}
