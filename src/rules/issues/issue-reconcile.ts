/** Brings what is known about issues in line with git, and admits listed issues. Returns moves, makes none. SPEC.md § IS. */
import type { GitSync } from './git-sync.ts'
import { type IssueState, type MoveCause, stateAfter } from './issue-states.ts'

/** What made an issue DONE. Only a commit can be reverted; tests that passed and a person's word stay. */
export type DoneBy = 'commit' | 'tests' | 'person' | 'parts'

export interface KnownIssue {
  number: number
  state: IssueState
  done_by?: DoneBy
  /** The commit it was DONE by. */
  commit?: string
}

export interface IssueMove {
  number: number
  from: IssueState
  to: IssueState
  cause: MoveCause
}

/**
 * [IS4] The moves git asks for, by number; how many there are is what a command reports as synced. `gone` are the commits
 * of `untraced` that no branch that counts leads to any more.
 */
export function reconcileWithGit(
  issues: readonly KnownIssue[],
  git: Pick<GitSync, 'done' | 'reverted'>,
  gone: ReadonlySet<string> = new Set(),
): IssueMove[] {
  const done = new Set(git.done.map(({ number }) => number))
  const reverted = new Set(git.reverted)
  const lost = new Set(untraced(issues, git).flatMap(({ number, commit }) => (gone.has(commit) ? [number] : [])))
  return issues
    .flatMap((issue) => {
      if (done.has(issue.number)) return moved(issue, 'found_done')
      const isUndone = lost.has(issue.number) || (reverted.has(issue.number) && isDoneByCommit(issue))
      return isUndone ? moved(issue, 'reverted') : []
    })
    .sort((a, b) => a.number - b.number)
}

/** [IS4] DONE by a commit, and no message in git speaks of it: that says nothing yet, for messages are edited. */
export function untraced(
  issues: readonly KnownIssue[],
  { done, reverted }: Pick<GitSync, 'done' | 'reverted'>,
): { number: number; commit: string }[] {
  const traced = new Set([...done.map(({ number }) => number), ...reverted])
  return issues.flatMap((issue) => {
    const { number, commit } = issue
    return commit === undefined || traced.has(number) || !isDoneByCommit(issue) ? [] : [{ number, commit }]
  })
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
