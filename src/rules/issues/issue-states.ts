/** The states an issue can be in and what may move it from one to another. SPEC.md § IS. */

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

/** What can happen to an issue. */
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

/** [IS1] What is not in this table cannot happen: a DONE issue knows no `greenlit`, so greenlight can never reset it. */
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

/** Where an issue goes when this happens to it; `null` where it cannot happen. */
export function stateAfter(state: IssueState, cause: MoveCause): IssueState | null {
  return legalMoves[state][cause] ?? null
}

/**
 * [IS1] Whether a recorded move takes effect. Two processes that look at the same moment may both record a move; the
 * second one is stale: the issue is no longer where the move starts. `state` is undefined while nothing is known.
 */
export function moveCounts(state: IssueState | undefined, move: { from: IssueState }): boolean {
  return state === undefined || state === move.from
}

/** Work has not begun or was laid down, so a blocked dependency still stops it. */
export function canBeSkippedForDependency(state: IssueState): boolean {
  return stateAfter(state, 'dependency_blocked') !== null
}
