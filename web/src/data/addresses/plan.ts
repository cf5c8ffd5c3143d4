/** Addresses of plans and phases. A plan is named by its run; a ship's plan has a slash in its name. */
export const planAddress = (run: string, view?: PlanPlace) =>
  `/plans/${encodeURIComponent(run)}${view === undefined ? '' : `/${view}`}`

export type PlanPlace = 'decisions' | 'issues' | `phases/${string}`

export const phaseAddress = (run: string, phase: string) => planAddress(run, `phases/${encodeURIComponent(phase)}`)

/** The plan that a run is, or works for: `plan-…`, `ship-…/plan`, and each of their phases. */
export function planRunOf(run: string): string | null {
  return /^(plan-[^/]+|(?:[^/]+\/)+plan)(?:\/|$)/.exec(run)?.[1] ?? null
}
