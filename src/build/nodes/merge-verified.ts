/** Merges finished work into a branch of the user's, after verifying both sides together. MG2. */
import type { StepContext } from '../../kernel/engine.ts'
import { mergeTrailers } from '../../rules/merge/merge-verdict.ts'
import { type MergeOutcome, mergeIntoTarget } from '../../workspace/merge/merge-into-target.ts'
import type { Verifier } from '../clean-checkout.ts'
import { verifyJoin } from './verify-join.ts'

export interface FinishedWork {
  commit: string
  /** The branch it is on, by its short name. */
  branch: string
  criteria: readonly string[]
  /** The contract suites that the work brings. */
  suites: readonly string[]
}

/** `target` is a branch's name, or null if HEAD is detached. */
export function mergeVerified(
  who: Verifier,
  step: StepContext,
  { commit, branch, criteria, suites }: FinishedWork,
  target: string | null,
): Promise<MergeOutcome> {
  const { run, workspace, input } = who
  const trailers = mergeTrailers({ run: run.runId, node: input.path.join('/'), spec: input.spec.id, criteria })
  return mergeIntoTarget(workspace.repository, {
    commit,
    target,
    message: `Merge ${branch}\n\n${trailers.join('\n')}\n`,
    recovered: step.recovered,
    verify: (joined) =>
      verifyJoin(who, step, joined, { work: commit, suites }).finally(() => workspace.worktrees.removeRun(run.runId)),
  })
}
