/** Records why a review sends work back, for the person who watches and for the next review. */
import type { Exit } from '../../rules/build/exits.ts'
import { reviewReturned } from '../events.ts'
import { eventHeader, type Node, subjectOf } from '../node.ts'
import { reviewReasons } from '../reasons.ts'
import { isExit } from './ask-until-verified.ts'

export async function recordReview(node: Node, exit: Exit): Promise<void> {
  const isSentBack = isExit(exit, 'MoreTests') || isExit(exit, 'Reject')
  const reasons = isSentBack ? reviewReasons(exit) : []
  node.state.reviewAsked(reasons)
  if (!isSentBack) return
  const about = { ...subjectOf(node), exit: exit.name, reasons }
  await node.run.append(reviewReturned.create(eventHeader(node), about))
}
