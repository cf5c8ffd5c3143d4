/** Where the lines are drawn when it is decided who answers. SPEC.md § DP3. */
import { z } from 'zod'

export interface DispatchLimits {
  /** A lead larger than this wins alone. */
  gap: number
  /** Angles that share less than this complement each other. */
  overlap: number
  /** Who answers beside another must be surer than this. */
  high: number
  /** Below this nobody has conviction. */
  low: number
  /** Who builds on another's answer must be surer than this. */
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

/** The largest `max_responders` that anyone may set. */
export const mostResponders = 100

const share = z.number().min(0).max(1)

/** Limits that are left out have their defaults; names that are no limit are an error. */
export const dispatchLimitsSchema = z.strictObject({
  gap: share.default(defaultDispatchLimits.gap),
  overlap: share.default(defaultDispatchLimits.overlap),
  high: share.default(defaultDispatchLimits.high),
  low: share.default(defaultDispatchLimits.low),
  synthesis: share.default(defaultDispatchLimits.synthesis),
  max_responders: z.int().min(1).max(mostResponders).default(defaultDispatchLimits.max_responders),
})
