/** The page of a run's work on its own floor. */
import type { RunLine } from '../../../../src/runs/overview-lines.ts'
import { buildAddress, buildRunOf } from '../../data/addresses/build.ts'
import { planAddress, planRunOf } from '../../data/addresses/plan.ts'
import { featureAddress, issueAddress } from '../../data/addresses/ship.ts'

type LinkableRun = Pick<RunLine, 'id' | 'kind' | 'feature' | 'room' | 'message' | 'issue'>

/** Null: it has no page of its own. */
export function floorPlace({
  id,
  kind,
  feature,
  issue,
  room,
  message,
}: LinkableRun): { label: string; href: string } | null {
  if (kind.startsWith('room.') && room !== undefined) {
    const at = message === undefined ? '' : `/messages/${encodeURIComponent(message)}`
    return { label: 'Open the room', href: `/rooms/${encodeURIComponent(room)}${at}` }
  }
  const plan = kind.startsWith('plan') ? planRunOf(id) : null
  if (plan) return { label: 'Open the plan', href: planAddress(plan) }
  const build = kind.startsWith('build') ? buildRunOf(id) : null
  if (build) return { label: 'Open the build', href: buildAddress(build) }
  if (feature === undefined || !/^(ship|feature)\b/.test(kind)) return null
  if (issue !== undefined) return { label: 'Open the issue', href: issueAddress(feature, issue) }
  return { label: 'Open the feature', href: featureAddress(feature) }
}
