/** Decides what a parent does about a failed child. SPEC.md § GR6. */
import { z } from 'zod'
import { namedUnion } from '../schema/named-union.ts'

const answer = z.looseObject({ reason: z.string().nullish(), criteria: z.array(z.string()).nullish() }).nullable()
type Answer = z.infer<typeof answer>

/** A parent's reply about a failed child. */
export type ChildFailureReply = { Retry: Answer } | { TakeOver: Answer } | { Drop: Answer } | { Escalate: Answer }

export const childFailureSchema = namedUnion(
  { Retry: answer, TakeOver: answer, Drop: answer, Escalate: answer },
  'a failed child is answered with exactly one of these, as {Name: {…}}',
) as z.ZodType<ChildFailureReply>

export interface FailedChild {
  child: string
  /** The child's criteria. */
  criteria: readonly string[]
  /** The parent's criteria that are not dropped, including the child's. */
  parentCriteria: readonly string[]
  /** How often this child has failed, including now. */
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

/** Drops only the named criteria; the parent takes over the rest. */
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
