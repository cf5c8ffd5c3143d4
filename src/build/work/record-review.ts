/** Records why a review sends work back, so that a person who watches sees the reason. */
import type { Exit } from '../../rules/build/exits.ts'
import { reviewReturned } from '../events.ts'
import { eventHeader, type Node, subjectOf } from '../node.ts'
import { reviewReasons } from '../reasons.ts'
import { isExit } from './ask-until-verified.ts'

export async function recordReview(node: Node, exit: Exit): Promise<void> {
  if (!isExit(exit, 'MoreTests') && !isExit(exit, 'Reject')) return
  const about = { ...subjectOf(node), exit: exit.name, reasons: reviewReasons(exit) }
  await node.run.append(reviewReturned.create(eventHeader(node), about))
}
