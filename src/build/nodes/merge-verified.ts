/** Merges finished work into a branch of the user's, after verifying both sides together. MG2. */
import type { StepContext } from '../../kernel/engine.ts'
import { mergeTrailers } from '../../rules/merge/merge-verdict.ts'
import { howToSettle } from '../../rules/merge/settle-conflict.ts'
import { type MergeOutcome, mergeIntoTarget } from '../../workspace/merge/merge-into-target.ts'
import type { Verifier } from '../clean-checkout.ts'
import { warningGiven } from '../events.ts'
import { eventHeader } from '../node.ts'
import { verifyJoin } from './verify-join.ts'

export interface FinishedWork {
  /** What Convene put on the branch last, and verified. */
  commit: string
  /** The branch it is on, by its short name. */
  branch: string
  criteria: readonly string[]
  /** The contract suites that the work brings. */
  suites: readonly string[]
  /** The command that tries the merge again. */
  again: string
}

/**
 * What a person committed on top of the work is merged with it: so they settle a conflict (MG4). `target` is a branch's name,
 * or null if HEAD is detached.
 */
export async function mergeVerified(
  who: Verifier,
  step: StepContext,
  { commit: work, branch, criteria, suites, again }: FinishedWork,
  target: string | null,
): Promise<MergeOutcome> {
  const { run, workspace, input } = who
  const { repository } = workspace
  const tip = await repository.resolve(`refs/heads/${branch}`)
  const commit = tip !== null && (await repository.isAncestor(work, tip)) ? tip : work
  const trailers = mergeTrailers({ run: run.runId, node: input.path.join('/'), spec: input.spec.id, criteria })
  const outcome = await mergeIntoTarget(repository, {
    commit,
    isUnverified: commit !== work,
    target,
    message: `Merge ${branch}\n\n${trailers.join('\n')}\n`,
    secretNames: workspace.secretNames,
    recovered: step.recovered,
    verify: (joined) =>
      verifyJoin(who, step, joined, { work, suites }).finally(() => workspace.worktrees.removeRun(run.runId)),
  })
  if (outcome.merged && outcome.withoutHooks) {
    const [shown, more] = [outcome.withoutHooks.slice(0, 5), outcome.withoutHooks.length - 5]
    const changed = `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
    const text = `your git hooks did not run on this merge: the work changes them or what they run (${changed})`
    step.emit(warningGiven.create(eventHeader(who), { text }))
  }
  if (outcome.merged || outcome.reason !== 'conflict' || target === null) return outcome
  return { ...outcome, detail: `${outcome.detail}; ${howToSettle({ branch, target, again })}` }
}
