/** The thresholds and weights of convergence. SPEC.md § CV2, CV3, CV5. */
import { z } from 'zod'

export interface ConvergenceLimits {
  /** The lexical score is high from here. */
  threshold_high: number
  threshold_low: number
  agreement_weight: number
  stability_weight: number
  /** The same thresholds for positions. */
  positions_high: number
  positions_low: number
  /** Whether positions count in proportion to their confidence. */
  weigh_confidence: boolean
}

export const defaultConvergenceLimits: ConvergenceLimits = {
  threshold_high: 0.7,
  threshold_low: 0.4,
  agreement_weight: 0.6,
  stability_weight: 0.4,
  positions_high: 0.7,
  positions_low: 0.4,
  weigh_confidence: false,
}

const share = z.number().min(0).max(1)

/** Missing limits take their defaults; unknown names are an error. */
export const convergenceLimitsSchema = z.strictObject({
  threshold_high: share.default(defaultConvergenceLimits.threshold_high),
  threshold_low: share.default(defaultConvergenceLimits.threshold_low),
  agreement_weight: share.default(defaultConvergenceLimits.agreement_weight),
  stability_weight: share.default(defaultConvergenceLimits.stability_weight),
  positions_high: share.default(defaultConvergenceLimits.positions_high),
  positions_low: share.default(defaultConvergenceLimits.positions_low),
  weigh_confidence: z.boolean().default(defaultConvergenceLimits.weigh_confidence),
})
