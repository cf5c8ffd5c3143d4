/** Shows a reviewer the work at a commit: the diff, the criteria, what the tests do and do not notice. VF5. */
import type { AgentMessage } from '../../kernel/agent.ts'
import type { Exit } from '../../rules/build/exits.ts'
import { attemptHistory } from '../../rules/evidence/attempt-history.ts'
import type { OutdatedTest } from '../../rules/evidence/outdated-tests.ts'
import type { Problem } from '../../rules/schema/problem.ts'
import { describeSensitive } from '../../rules/trust/merge-approval.ts'
import { replyRefused } from '../events.ts'
import { eventHeader, type Node, subjectOf } from '../node.ts'
import { reviewReasons } from '../reasons.ts'
import { tryMutations } from '../tests/try-mutations.ts'
import { sensitiveWork } from '../trust/sensitive-work.ts'
import type { Task } from './ask-in-worktree.ts'
import { askUntilVerified, type Exhausted, isExit, type VerifiedReply } from './ask-until-verified.ts'
import { contradiction, readTests, shownAllValues, untraced } from './read-tests.ts'
import { recordReview } from './record-review.ts'
import { unchecked } from './reviewed.ts'

/** How much of a diff a reviewer is shown. */
export const longestDiff = 60_000

export interface ReviewedWork {
  commit: string
  /** Where the code that may be tried out with small changes begins. */
  from: string
  diff: { text: string; cut: boolean }
  /** The names of the tests that passed. */
  passed: readonly string[]
  role: Task<unknown>['role']
  /** The conversation to start from. */
  thread: AgentMessage[]
  /** Tests that were there before and fail in their old version, with the reasons of their author. */
  outdated?: readonly OutdatedTest[]
  /** What else the prompt has to know. */
  values: Record<string, unknown>
}

/** What the reviewer decided; an approval that names a counterexample is already turned into a request for tests. */
export async function askReviewer(node: Node, work: ReviewedWork): Promise<VerifiedReply<void> | Exhausted> {
  const { workspace, state } = node
  const { commit, diff, outdated = [] } = work
  const sensitive = await sensitiveWork(workspace.repository, state.base, commit)
  const tested = await tryMutations(node, { from: work.from, commit })
  const all = await readTests(node, commit)
  const held = await askUntilVerified<void>(node, {
    place: 'tdd:review',
    kind: 'review-impl',
    role: work.role,
    prompt: 'review-impl',
    values: {
      spec: state.spec,
      commit,
      passed: work.passed,
      passedBefore: state.passedBefore.filter((name) => work.passed.includes(name)),
      unnoticed: tested.unnoticed,
      noticed: tested.unnoticed.length === 0 ? tested.noticed : 0,
      untried: tested.noticed + tested.unnoticed.length === 0 ? tested.because : undefined,
      changedTests: all.changed.filter((title) => !outdated.some(({ test }) => test.endsWith(title))),
      kept: state.keep,
      reviewed: state.reviewed(),
      ...state.answersToReview(),
      refused: attemptHistory(state.refused),
      asked: state.asked,
      overruled: state.wasOverruled,
      passedAtOnce: state.passedAtOnce,
      objections: state.objections,
      ...shownAllValues(all),
      diff: diff.text,
      diffCut: diff.cut,
      sensitive: describeSensitive(sensitive),
      examples: all.examples,
      outdated,
      ...work.values,
    },
    thread: work.thread,
    memory: 'tdd',
    from: commit,
    readsOnly: true,
    check: async (_step, exit) => ({ problems: [...untraced(exit, all), ...(await unchecked(node, exit, commit))] }),
  })
  if ('exhausted' in held) return held
  state.answersWereReviewed()
  const exit = (isExit(held.exit, 'Approved') && contradiction(held.exit, all, node.input.spec.targetPath)) || held.exit
  await recordReview(node, exit)
  return { ...held, exit }
}

/** Records that an approval does not count: what it lacks is wanted as tests instead. */
export async function refuseApproval(node: Node, attempt: number, problems: Problem[], refused: Exit<'MoreTests'>) {
  const about = { ...subjectOf(node), kind: 'review-impl', attempt, problems }
  await node.run.append(replyRefused.create(eventHeader(node), about))
  node.state.reviewAsked(reviewReasons(refused), true)
}
