/** Decides what a parent does about a child that failed. The failure is data: it ends the child, not the parent. SPEC.md § GR6. */
import { z } from 'zod'
import { namedUnion } from '../schema/named-union.ts'

const answer = z.looseObject({ reason: z.string().nullish(), criteria: z.array(z.string()).nullish() }).nullable()
type Answer = z.infer<typeof answer>

/** What a parent may answer when it is told that a child failed. */
export type ChildFailureReply = { Retry: Answer } | { TakeOver: Answer } | { Drop: Answer } | { Escalate: Answer }

export const childFailureSchema = namedUnion(
  { Retry: answer, TakeOver: answer, Drop: answer, Escalate: answer },
  'a failed child is answered with exactly one of these, as {Name: {…}}',
) as z.ZodType<ChildFailureReply>

export interface FailedChild {
  child: string
  /** The criteria it was given. */
  criteria: readonly string[]
  /** Those of its parent, the child's among them, that are not dropped. */
  parentCriteria: readonly string[]
  /** How often this child has failed, this time included. */
  failures: number
}

export type ChildFailureDecision =
  | { action: 'retry'; child: string }
  | { action: 'take-over'; criteria: string[] }
  | { action: 'drop'; dropped: string[]; takenOver: string[] }
  | { action: 'escalate'; why: string }

export const defaultChildFailureLimits = { failures: 3 }

export function childFailure(
  failed: FailedChild,
  reply: ChildFailureReply | undefined,
  limits = defaultChildFailureLimits,
): ChildFailureDecision {
  if (reply === undefined) return escalate(`${failed.child} failed and its parent did not deal with it`)
  if ('Retry' in reply) {
    if (failed.failures >= limits.failures) return escalate(`${failed.child} has failed ${failed.failures} times`)
    return { action: 'retry', child: failed.child }
  }
  if ('TakeOver' in reply) return { action: 'take-over', criteria: [...failed.criteria] }
  if ('Drop' in reply) return drop(failed, reply.Drop?.criteria ?? failed.criteria)
  return escalate(reply.Escalate?.reason || `the parent of ${failed.child} asks for help`)
}

/** Only what is named is dropped; the rest of the child's criteria falls to the parent, so that none is lost unseen. */
function drop(failed: FailedChild, named: readonly string[]): ChildFailureDecision {
  const dropped = failed.criteria.filter((id) => named.includes(id))
  if (dropped.length === 0) return escalate(`none of the criteria to drop is one of ${failed.child}`)
  const left = failed.parentCriteria.filter((id) => !dropped.includes(id))
  if (left.length === 0) return escalate(`without ${dropped.join(', ')} nothing would be left to build`)
  return { action: 'drop', dropped, takenOver: failed.criteria.filter((id) => !dropped.includes(id)) }
}

function escalate(why: string): ChildFailureDecision {
  return { action: 'escalate', why }
}
