/** Merges finished work into a branch of the user's, after verifying both sides together. MG2. */
import type { StepContext } from '../../kernel/engine.ts'
import { mergeTrailers } from '../../rules/merge/merge-verdict.ts'
import { type MergeOutcome, mergeIntoTarget } from '../../workspace/merge/merge-into-target.ts'
import type { Verifier } from '../clean-checkout.ts'
import { warningGiven } from '../events.ts'
import { eventHeader } from '../node.ts'
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
export async function mergeVerified(
  who: Verifier,
  step: StepContext,
  { commit, branch, criteria, suites }: FinishedWork,
  target: string | null,
): Promise<MergeOutcome> {
  const { run, workspace, input } = who
  const trailers = mergeTrailers({ run: run.runId, node: input.path.join('/'), spec: input.spec.id, criteria })
  const outcome = await mergeIntoTarget(workspace.repository, {
    commit,
    target,
    message: `Merge ${branch}\n\n${trailers.join('\n')}\n`,
    secretNames: workspace.secretNames,
    recovered: step.recovered,
    verify: (joined) =>
      verifyJoin(who, step, joined, { work: commit, suites }).finally(() => workspace.worktrees.removeRun(run.runId)),
  })
  if (outcome.merged && outcome.withoutHooks) {
    const [shown, more] = [outcome.withoutHooks.slice(0, 5), outcome.withoutHooks.length - 5]
    const changed = `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
    const text = `your git hooks did not run on this merge: the work changes them or what they run (${changed})`
    step.emit(warningGiven.create(eventHeader(who), { text }))
  }
  return outcome
}
