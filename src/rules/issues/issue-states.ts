/** The states of an issue and the moves between them. SPEC.md § IS. */

export const issueStates = [
  'BACKLOG',
  'READY',
  'IN_PROGRESS',
  'INTERRUPTED',
  'VERIFYING',
  'DONE',
  'BLOCKED',
  'SKIPPED',
  'SPLIT',
  'MANUAL_REQUIRED',
] as const
export type IssueState = (typeof issueStates)[number]

/** Why an issue moves. */
export const moveCauses = [
  'greenlit',
  'shelved',
  'started',
  'implemented',
  'verification_failed',
  'verified',
  'retries_spent',
  'interrupted',
  'requeued',
  'found_done',
  'parts_done',
  'reverted',
  'unblocked',
  'dependency_blocked',
  'dependency_unblocked',
  'skipped',
  'split',
  'handed_over',
] as const
export type MoveCause = (typeof moveCauses)[number]

type Moves = Readonly<Partial<Record<MoveCause, IssueState>>>

/** [IS1] Other moves are impossible. DONE has no `greenlit`, so greenlight can never reset a finished issue. */
export const legalMoves: Readonly<Record<IssueState, Moves>> = {
  BACKLOG: {
    greenlit: 'READY',
    found_done: 'DONE',
    dependency_blocked: 'SKIPPED',
    skipped: 'SKIPPED',
    split: 'SPLIT',
    handed_over: 'MANUAL_REQUIRED',
  },
  READY: {
    started: 'IN_PROGRESS',
    shelved: 'BACKLOG',
    found_done: 'DONE',
    dependency_blocked: 'SKIPPED',
    skipped: 'SKIPPED',
    split: 'SPLIT',
    handed_over: 'MANUAL_REQUIRED',
  },
  IN_PROGRESS: {
    implemented: 'VERIFYING',
    interrupted: 'INTERRUPTED',
    retries_spent: 'BLOCKED',
    found_done: 'DONE',
    skipped: 'SKIPPED',
    handed_over: 'MANUAL_REQUIRED',
  },
  INTERRUPTED: {
    started: 'IN_PROGRESS',
    requeued: 'READY',
    shelved: 'BACKLOG',
    found_done: 'DONE',
    dependency_blocked: 'SKIPPED',
    skipped: 'SKIPPED',
    split: 'SPLIT',
    handed_over: 'MANUAL_REQUIRED',
  },
  VERIFYING: {
    verified: 'DONE',
    verification_failed: 'IN_PROGRESS',
    interrupted: 'INTERRUPTED',
    retries_spent: 'BLOCKED',
    found_done: 'DONE',
    skipped: 'SKIPPED',
    handed_over: 'MANUAL_REQUIRED',
  },
  DONE: { reverted: 'READY' },
  BLOCKED: {
    unblocked: 'READY',
    shelved: 'BACKLOG',
    found_done: 'DONE',
    skipped: 'SKIPPED',
    split: 'SPLIT',
    handed_over: 'MANUAL_REQUIRED',
  },
  SKIPPED: {
    unblocked: 'READY',
    dependency_unblocked: 'READY',
    shelved: 'BACKLOG',
    found_done: 'DONE',
    handed_over: 'MANUAL_REQUIRED',
  },
  SPLIT: { parts_done: 'DONE', found_done: 'DONE' },
  MANUAL_REQUIRED: {
    unblocked: 'READY',
    shelved: 'BACKLOG',
    found_done: 'DONE',
    skipped: 'SKIPPED',
    split: 'SPLIT',
  },
}

/** The state after a move; `null` if the move is not allowed. */
export function stateAfter(state: IssueState, cause: MoveCause): IssueState | null {
  return legalMoves[state][cause] ?? null
}

/**
 * [IS1] Whether a recorded move takes effect. Two processes may record the same move at once; the second one is
 * stale, because the issue is no longer in the state it starts from. `state` is undefined if it is not known yet.
 */
export function moveCounts(state: IssueState | undefined, move: { from: IssueState }): boolean {
  return state === undefined || state === move.from
}

/** True while nobody works on the issue. */
export function canBeSkippedForDependency(state: IssueState): boolean {
  return stateAfter(state, 'dependency_blocked') !== null
}
