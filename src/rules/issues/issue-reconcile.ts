/** Computes the moves that bring issue states in line with git, and the state after greenlight. SPEC.md § IS. */
import type { GitSync } from './git-sync.ts'
import { type IssueState, type MoveCause, stateAfter } from './issue-states.ts'

/** What made an issue DONE. Only a commit can be reverted. */
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
 * [IS4] The moves, by number; commands report how many there are as synced. `gone` are the commits of `untraced` that are
 * no longer reachable from the branches that count.
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

/** [IS4] Issues DONE by a commit that no message in git names. Messages can be rewritten, so this alone proves nothing. */
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

/** [IS4] The state of a listed issue after greenlight: BACKLOG becomes READY, any other state stays. */
export function greenlitState(known: IssueState | undefined): IssueState {
  if (known === undefined) return 'READY'
  return stateAfter(known, 'greenlit') ?? known
}

/** Without a recorded origin the issue was found in git, because every other kind of evidence is recorded. */
function isDoneByCommit({ state, done_by }: KnownIssue): boolean {
  return state === 'DONE' && (done_by ?? 'commit') === 'commit'
}

function moved({ number, state }: KnownIssue, cause: MoveCause): IssueMove[] {
  const to = stateAfter(state, cause)
  return to === null ? [] : [{ number, from: state, to, cause }]
}
