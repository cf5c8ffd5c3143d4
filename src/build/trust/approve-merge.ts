/** Asks a person once before work that is sensitive or large is merged into their branch. SPEC.md § TR2, TR11. */
import type { Run } from '../../kernel/engine.ts'
import type { EventHeader } from '../../kernel/events.ts'
import { askPerson } from '../../kernel/runs/questions.ts'
import type { RunActivity } from '../../kernel/runs/run-activity.ts'
import type { BuildLimits } from '../../rules/trust/limits.ts'
import { mergeApproval, type SensitivePolicy } from '../../rules/trust/merge-approval.ts'
import { beyondWorkSize } from '../../rules/trust/work-size.ts'
import type { Repository } from '../../workspace/git/repository.ts'
import { sensitiveWork, workSize } from './sensitive-work.ts'

export interface MergeInQuestion {
  /** The commit that the work and the user's branch have in common. */
  from: string
  commit: string
  /** The branch that it would be merged into, or null if HEAD is detached. */
  target: string | null
  header: EventHeader
}

interface Deps {
  activity: RunActivity
  settings: { sensitive: SensitivePolicy; limits: BuildLimits }
}

/** Null if the work may be merged; otherwise why not. */
export async function approveMerge(
  run: Run,
  { activity, settings }: Deps,
  repository: Repository,
  { from, commit, target, header }: MergeInQuestion,
): Promise<{ reason: string; detail: string } | null> {
  // Decided in the step: the settings may be others when the run is resumed.
  const { sensitive, approval } = await run.step('look at what would be merged', async () => {
    const sensitive = await sensitiveWork(repository, from, commit)
    const oversize = beyondWorkSize(await workSize(repository, from, commit), settings.limits)
    return {
      sensitive,
      approval: mergeApproval({ sensitive, oversize }, settings.sensitive, target ?? 'your checkout'),
    }
  })
  if (approval.kind === 'merge') return null
  if (approval.kind === 'refuse') return approval
  const context = {
    rule: sensitive.length > 0 ? 'TR2' : 'TR11',
    sensitive: sensitive.map(({ path }) => path),
    detail: approval.detail,
    commit,
  }
  const answer = await activity.whileWaiting(run.runId, () =>
    askPerson(run, header, { text: approval.text, choices: ['merge', 'refuse'], only_choices: true, context }),
  )
  return answer.choice === 'merge' ? null : { reason: 'merge_refused', detail: 'you refused the merge' }
}
