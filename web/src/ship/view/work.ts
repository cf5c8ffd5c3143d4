/** What is under way for a feature, out of how its latest run and its ship stand. Pure. */
import type { FeatureRunReport, FeatureStatus } from '../../../../src/ship/feature/features.ts'
import type { ShipReport } from '../../../../src/ship/ship/ships.ts'
import { rootOf } from '../../data/addresses/ship.ts'

/** What is at work on the feature, or was stopped at it. */
export interface Work {
  /** What is stopped and resumed: the whole tree. */
  root: string
  status: FeatureStatus
}

const under = (status: FeatureStatus) => status === 'running' || status === 'waiting' || status === 'stopped'

/** A ship goes on after the loop below it has ended; a loop may be started by hand after its ship has. */
export function workOf(
  report: Pick<FeatureRunReport, 'run' | 'status'> | null,
  ship: Pick<ShipReport, 'run' | 'status'> | null,
): Work | null {
  if (ship && under(ship.status)) return { root: ship.run, status: ship.status }
  if (report && under(report.status)) return { root: rootOf(report.run), status: report.status }
  return null
}
