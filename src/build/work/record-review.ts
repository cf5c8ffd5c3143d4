/** Records what a review says, for the person who watches, and why it sends work back, for the next review. */
import type { Exit } from '../../rules/build/exits.ts'
import { reviewApproved, reviewReturned } from '../events.ts'
import { eventHeader, type Node, subjectOf } from '../node.ts'
import { reviewReasons } from '../reasons.ts'
import { isExit } from './ask-until-verified.ts'

export async function recordReview(node: Node, exit: Exit): Promise<void> {
  const isSentBack = isExit(exit, 'MoreTests') || isExit(exit, 'Reject')
  const reasons = isSentBack ? reviewReasons(exit) : []
  node.state.reviewAsked(reasons)
  const about = subjectOf(node)
  if (isSentBack)
    await node.run.append(reviewReturned.create(eventHeader(node), { ...about, exit: exit.name, reasons }))
  if (!isExit(exit, 'Approved')) return
  const { signOff, coverageReport } = exit.payload
  const covered = coverageReport.criteriaWithTests.map(([criterionId, testName]) => ({ criterionId, testName }))
  await node.run.append(reviewApproved.create(eventHeader(node), { ...about, signOff, covered }))
}
