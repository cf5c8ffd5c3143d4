/** Estimates a plan in each mode with this project's settings and prices. RK3. */
import { defaultAssumptions, type Estimate, estimate, estimateModes } from '../rules/plan/estimate.ts'
import { defaultPreset } from '../rules/plan/preset-table.ts'
import type { PlanSize } from '../rules/plan/size/proportion.ts'
import type { PlanDeps } from './deps.ts'
import type { PlanInput } from './plan-input.ts'
import { switchesIn } from './plan-settings.ts'

export function estimatesFor(deps: PlanDeps, preset?: string): Estimate[] {
  return estimateModes(requestFor(deps, preset))
}

/** What a plan takes whose goal was sized: a small one takes less than its mode. */
export function estimateOf(
  deps: PlanDeps,
  { mode, small }: Pick<PlanSize, 'mode' | 'small'>,
  preset?: string,
): Estimate {
  return estimate(mode, { ...requestFor(deps, teamFor(deps, small, preset)), small })
}

/** The estimates of a plan that starts, its own as it was sized. */
export function estimatesOf(deps: PlanDeps, { mode, small = false, preset }: PlanInput): Estimate[] {
  const own = estimateOf(deps, { mode, small }, preset)
  return estimatesFor(deps, preset).map((one) => (one.mode === mode ? own : one))
}

/** RK4: one agent per phase for a small goal, unless the request or the configuration names a team. */
export function teamFor({ settings }: Pick<PlanDeps, 'settings'>, small: boolean, preset?: string): string | undefined {
  const isAlone = small && settings.mpa.preset_suggestion.default === defaultPreset
  return preset ?? (isAlone ? 'rapid_prototype' : undefined)
}

function requestFor({ settings, price }: PlanDeps, preset?: string) {
  const { variant } = settings.mpa.deliberation
  return {
    preset: preset ?? settings.mpa.preset_suggestion.default,
    flags: switchesIn(settings),
    assumptions: { ...defaultAssumptions, ...(variant ? { variant } : {}) },
    extra: Object.keys(settings.roles_extra),
    ...(price ? { price } : {}),
  }
}
