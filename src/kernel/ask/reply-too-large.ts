/** Thrown inside a call whose reply exceeds a limit (TR5). Another attempt would most probably end the same way. */
import { beyondReplyLimit, type ReplyMeasure } from '../../rules/trust/reply-limits.ts'

export class ReplyTooLarge extends Error {
  constructor(why: string) {
    super(why)
    this.name = 'ReplyTooLarge'
  }
}

/** Adds up what a reply consists of; throws once it is too much. */
export function replyMeter(measure: ReplyMeasure): (amount: number) => void {
  let sum = 0
  return (amount) => {
    sum += amount
    const why = beyondReplyLimit(measure, sum)
    if (why) throw new ReplyTooLarge(why)
  }
}
