/** Checks an order of issues that a coordinator proposes: it may only choose among eligible issues. SPEC.md § FA. */
import { z } from 'zod'

/** [FA1] A coordinator's reply to `select-issue`. */
export const selectIssueReply = z.object({ issue: z.int().min(0), reason: z.string() })

export interface OrderRuling {
  /** Null: nothing is eligible. */
  issue: number | null
  by: 'coordinator' | 'rule'
  /** Proposed issues that cannot start. If there is one, the rule decides. */
  rejected: number[]
}

/** [FA1] The first proposed issue if all are eligible; otherwise the rule's choice, which is the first that is. */
export function rulingOnOrder(eligible: readonly number[], proposed: readonly number[]): OrderRuling {
  const known = new Set(eligible)
  const rejected = proposed.filter((number) => !known.has(number))
  const chosen = rejected.length === 0 ? proposed[0] : undefined
  if (chosen !== undefined) return { issue: chosen, by: 'coordinator', rejected }
  return { issue: eligible[0] ?? null, by: 'rule', rejected }
}
