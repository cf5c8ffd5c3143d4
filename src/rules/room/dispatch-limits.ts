/** The thresholds of dispatch. SPEC.md § DP3. */
import { z } from 'zod'

export interface DispatchLimits {
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
  gap: share.default(defaultDispatchLimits.gap),
  overlap: share.default(defaultDispatchLimits.overlap),
  high: share.default(defaultDispatchLimits.high),
  low: share.default(defaultDispatchLimits.low),
  synthesis: share.default(defaultDispatchLimits.synthesis),
  max_responders: z.int().min(1).max(mostResponders).default(defaultDispatchLimits.max_responders),
})
