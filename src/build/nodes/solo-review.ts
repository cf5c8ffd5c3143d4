/** Reviews what one agent built alone: another role looks at diff, criteria and tests before the work is merged. VF5. */
import { type BackEdgeReason, backEdgeReason, refusedApproval } from '../../rules/build/back-edge.ts'
import type { Exit } from '../../rules/build/exits.ts'
import type { OutdatedTest } from '../../rules/evidence/outdated-tests.ts'
import type { Problem } from '../../rules/schema/problem.ts'
import type { Node } from '../node.ts'
import { askReviewer, longestDiff, refuseApproval } from '../work/ask-reviewer.ts'
import { isExit } from '../work/ask-until-verified.ts'

export interface SoloWork {
  commit: string
  /** The names of the tests it wrote, if the runner names them. */
  tests: readonly string[]
  /** Tests that were there before and fail in their old version, with the reasons of their author. */
  outdated: readonly OutdatedTest[]
}

export type SoloReview =
  | { kind: 'approved' }
  | { kind: 'sent-back'; exit: Exit<'MoreTests'>; reason: BackEdgeReason }
  | { kind: 'rejected'; exit: Exit<'Reject'> }
  | { kind: 'exhausted'; problems: Problem[] }

export async function reviewSolo(node: Node, { commit, tests, outdated }: SoloWork): Promise<SoloReview> {
  const { workspace, state } = node
  const held = await askReviewer(node, {
    commit,
    from: state.base,
    diff: await workspace.repository.diff(state.base, commit, { maxCharacters: longestDiff }),
    passed: [...new Set(tests)],
    role: 'reviewer',
    thread: [],
    outdated,
    values: {},
  })
  if ('exhausted' in held) return { kind: 'exhausted', problems: held.exhausted }
  const { exit } = held
  if (isExit(exit, 'Reject')) return { kind: 'rejected', exit }
  if (isExit(exit, 'MoreTests')) return sentBack(exit)
  const missing = isExit(exit, 'Approved') ? exit.payload.coverageReport.criteriaMissing : []
  if (missing.length === 0) return { kind: 'approved' }
  const problems = missing.map((id) => ({ rule: 'VF5', message: `the approval itself names ${id} as untested` }))
  const refused = refusedApproval(problems, node.input.spec.testPath)
  await refuseApproval(node, held.attempt, problems, refused)
  return sentBack(refused)
}

function sentBack(exit: Exit<'MoreTests'>): SoloReview {
  return { kind: 'sent-back', exit, reason: backEdgeReason(exit)! }
}
