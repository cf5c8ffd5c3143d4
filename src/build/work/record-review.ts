/** Records why a review sends work back, for the person who watches and for the next review. */
import type { Exit } from '../../rules/build/exits.ts'
import { reviewReturned } from '../events.ts'
import { eventHeader, type Node, subjectOf } from '../node.ts'
import { reviewReasons } from '../reasons.ts'
import { isExit } from './ask-until-verified.ts'

export async function recordReview(node: Node, exit: Exit): Promise<void> {
  if (!isExit(exit, 'MoreTests') && !isExit(exit, 'Reject')) return
  const reasons = reviewReasons(exit)
  node.state.sentBack(reasons)
  const about = { ...subjectOf(node), exit: exit.name, reasons }
  await node.run.append(reviewReturned.create(eventHeader(node), about))
}
