/** What the ship floor goes by: limits, and where issues are kept as well. Read once; a restart of the server reloads it. */
import type { ShipSettings } from '../../../../src/ship/ship-settings.ts'
import { getShipSettings } from '../../data/calls/features.ts'
import { live } from '../../data/feed/live.ts'
import { type Settable, watched } from '../../data/watched.ts'

export const shipSettings: Settable<ShipSettings | null> = watched<ShipSettings | null>(null)

export async function readShipSettings(): Promise<void> {
  try {
    shipSettings.set(await getShipSettings())
  } catch {
    // The pages do without: a limit that is not known is not shown.
  }
}

live.listen({ event: () => {}, opened: () => void readShipSettings() })
