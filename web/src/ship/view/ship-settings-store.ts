/** The settings of the ship floor, read once: limits and the tracker. */
import type { ShipSettings } from '../../../../src/ship/ship-settings.ts'
import { getShipSettings } from '../../data/calls/features.ts'
import { live } from '../../data/feed/live.ts'
import { type Settable, watched } from '../../data/watched.ts'

export const shipSettings: Settable<ShipSettings | null> = watched<ShipSettings | null>(null)

export async function readShipSettings(): Promise<void> {
  try {
    shipSettings.set(await getShipSettings())
  } catch {
    // Pages work without it: unknown limits are not shown.
  }
}

live.listen({ event: () => {}, opened: () => void readShipSettings() })
