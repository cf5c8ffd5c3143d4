/** Checks an order of issues that a coordinator proposes: it may only choose among eligible issues. SPEC.md § FA. */
import { z } from 'zod'
import { defaultIssueLimits, eligibleIssues, type Issue, type IssueLimits } from './issue.ts'

/** [FA1] A coordinator's reply to `select-issue`. */
export const selectIssueReply = z.object({ issue: z.int().min(0), reason: z.string() })

export interface OrderRuling {
  next: number | null
  by: 'coordinator' | 'rule'
  /** Proposed issues that cannot start. If there is one, the rule decides. */
  rejected: number[]
}

/** [FA1] The first proposed issue if all are eligible; otherwise the rule's choice. */
export function rulingOnOrder(
  issues: readonly Issue[],
  proposed: readonly number[],
  limits: IssueLimits = defaultIssueLimits,
): OrderRuling {
  const eligible = eligibleIssues(issues, limits).map((issue) => issue.number)
  const known = new Set(eligible)
  const rejected = proposed.filter((number) => !known.has(number))
  const chosen = rejected.length === 0 ? proposed[0] : undefined
  if (chosen !== undefined) return { next: chosen, by: 'coordinator', rejected }
  return { next: eligible[0] ?? null, by: 'rule', rejected }
}
