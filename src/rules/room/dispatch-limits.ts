/** The thresholds of dispatch, and which rule applies them. SPEC.md § DP3, DP9. */
import { z } from 'zod'

export const dispatchRuleNames = ['measured', 'seed'] as const

export interface DispatchLimits {
  /** `measured` reads the message and what agents say of themselves first; `seed` is the table alone. */
  rule: (typeof dispatchRuleNames)[number]
  /** A larger lead in confidence means the winner answers alone. */
  gap: number
  /** Angles that overlap less than this complement each other. */
  overlap: number
  /** Agents that answer in parallel must be more confident than this. */
  high: number
  /** Below this, confidence counts as low conviction. */
  low: number
  /** Agents that build on another answer must be more confident than this. */
  synthesis: number
  max_responders: number
}

export const defaultDispatchLimits: DispatchLimits = {
  rule: 'measured',
  gap: 0.3,
  overlap: 0.5,
  high: 0.5,
  low: 0.3,
  synthesis: 0.7,
  max_responders: 3,
}

/** The upper bound of `max_responders`, here and in `convene.yaml`. */
export const mostResponders = 100

const share = z.number().min(0).max(1)

/** Missing limits take their defaults; unknown names are an error. */
export const dispatchLimitsSchema = z.strictObject({
  rule: z.enum(dispatchRuleNames).default(defaultDispatchLimits.rule),
  gap: share.default(defaultDispatchLimits.gap),
  overlap: share.default(defaultDispatchLimits.overlap),
  high: share.default(defaultDispatchLimits.high),
  low: share.default(defaultDispatchLimits.low),
  synthesis: share.default(defaultDispatchLimits.synthesis),
  max_responders: z.int().min(1).max(mostResponders).default(defaultDispatchLimits.max_responders),
})

/** The limits of a recorded round. Logs written before there were two rules name none: those rounds were decided by the table. */
export function recordedLimits(limits: Readonly<Record<string, unknown>>): DispatchLimits {
  return dispatchLimitsSchema.safeParse({ rule: 'seed', ...limits }).data ?? { ...defaultDispatchLimits, rule: 'seed' }
}
