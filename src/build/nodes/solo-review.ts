/** Reviews what one agent built alone: another role looks at diff, criteria and tests before the work is merged. VF5. */
import { type BackEdgeReason, backEdgeReason, refusedApproval } from '../../rules/build/back-edge.ts'
import type { Exit } from '../../rules/build/exits.ts'
import { attemptHistory } from '../../rules/evidence/attempt-history.ts'
import type { Problem } from '../../rules/schema/problem.ts'
import { describeSensitive } from '../../rules/trust/merge-approval.ts'
import { replyRefused } from '../events.ts'
import { eventHeader, type Node, subjectOf } from '../node.ts'
import { reviewReasons } from '../reasons.ts'
import { sensitiveWork } from '../trust/sensitive-work.ts'
import { allValuesOf, contradiction, shownAllValues, untraced } from '../work/all-values.ts'
import { askUntilVerified, isExit } from '../work/ask-until-verified.ts'
import { recordReview } from '../work/record-review.ts'
import { unchecked } from '../work/reviewed.ts'
import { tryMutations } from '../work/try-mutations.ts'

const longestDiff = 60_000

export interface SoloWork {
  commit: string
  /** The names of the tests it wrote, if the runner names them. */
  tests: readonly string[]
}

export type SoloReview =
  | { kind: 'approved' }
  | { kind: 'sent-back'; exit: Exit<'MoreTests'>; reason: BackEdgeReason }
  | { kind: 'rejected'; exit: Exit<'Reject'> }
  | { kind: 'exhausted'; problems: Problem[] }

export async function reviewSolo(node: Node, { commit, tests }: SoloWork): Promise<SoloReview> {
  const { workspace, run, state } = node
  const { text, cut } = await workspace.repository.diff(state.base, commit, { maxCharacters: longestDiff })
  const sensitive = describeSensitive(await sensitiveWork(workspace.repository, state.base, commit))
  const unnoticed = await tryMutations(node, { from: state.base, commit })
  const all = await allValuesOf(node, commit)
  const reviewed = state.reviewed()
  const held = await askUntilVerified<void>(node, {
    place: 'tdd:review',
    kind: 'review-impl',
    role: 'reviewer',
    prompt: 'review-impl',
    values: {
      spec: state.spec,
      commit,
      passed: tests,
      unnoticed,
      kept: state.keep,
      reviewed,
      ...state.answersToReview(),
      refused: attemptHistory(state.refused),
      alone: true,
      asked: state.asked,
      ...shownAllValues(all),
      diff: text,
      diffCut: cut,
      sensitive,
    },
    thread: [{ role: 'system', content: node.input.system }],
    memory: 'tdd',
    from: commit,
    readsOnly: true,
    check: async (_step, exit) => ({ problems: [...untraced(exit, all), ...unchecked(exit, reviewed)] }),
  })
  if ('exhausted' in held) return { kind: 'exhausted', problems: held.exhausted }
  state.answersWereReviewed()
  const { exit } = held
  const contradicted = isExit(exit, 'Approved') ? contradiction(exit, all, node.input.spec.targetPath) : null
  await recordReview(node, contradicted ?? exit)
  if (isExit(exit, 'Reject')) return { kind: 'rejected', exit }
  if (isExit(exit, 'MoreTests')) return sentBack(exit)
  if (contradicted) return sentBack(contradicted)
  const missing = isExit(exit, 'Approved') ? exit.payload.coverageReport.criteriaMissing : []
  if (missing.length === 0) return { kind: 'approved' }
  const problems = missing.map((id) => ({ rule: 'VF5', message: `the approval itself names ${id} as untested` }))
  const about = { ...subjectOf(node), kind: 'review-impl', attempt: held.attempt, problems }
  await run.append(replyRefused.create(eventHeader(node), about))
  const refused = refusedApproval(problems, node.input.spec.testPath)
  state.sentBack(reviewReasons(refused))
  return sentBack(refused)
}

function sentBack(exit: Exit<'MoreTests'>): SoloReview {
  return { kind: 'sent-back', exit, reason: backEdgeReason(exit)! }
}
