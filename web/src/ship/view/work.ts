/** What is running for a feature, from the status of its latest run and its ship. Pure. */
import type { FeatureRunReport, FeatureStatus } from '../../../../src/ship/feature/features.ts'
import type { ShipReport } from '../../../../src/ship/ship/ships.ts'
import { rootOf } from '../../data/addresses/ship.ts'

/** The run or ship that is working on the feature, or was stopped. */
export interface Work {
  /** The root run, which is stopped and resumed as a whole. */
  root: string
  status: FeatureStatus
}

const under = (status: FeatureStatus) => status === 'running' || status === 'waiting' || status === 'stopped'

/** A ship continues after its issue loop has ended; a loop may be started by hand after its ship has ended. */
export function workOf(
  report: Pick<FeatureRunReport, 'run' | 'status'> | null,
  ship: Pick<ShipReport, 'run' | 'status'> | null,
): Work | null {
  if (ship && under(ship.status)) return { root: ship.run, status: ship.status }
  if (report && under(report.status)) return { root: rootOf(report.run), status: report.status }
  return null
}
