/** Estimates a plan in each mode with this project's settings and prices. RK3. */
import { defaultAssumptions, type Estimate, estimateModes } from '../rules/plan/estimate.ts'
import type { PlanDeps } from './deps.ts'
import { switchesIn } from './plan-settings.ts'

export function estimatesFor({ settings, price }: PlanDeps, preset?: string): Estimate[] {
  const { variant } = settings.mpa.deliberation
  return estimateModes({
    preset: preset ?? settings.mpa.preset_suggestion.default,
    flags: switchesIn(settings),
    assumptions: { ...defaultAssumptions, ...(variant ? { variant } : {}) },
    extra: Object.keys(settings.roles_extra),
    ...(price ? { price } : {}),
  })
}
