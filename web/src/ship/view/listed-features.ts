/** The lines of the feature list: each feature with its ship. Pure. */
import type { FeatureLine, ShipLine } from '../../data/calls/features.ts'

export interface ListedFeature extends FeatureLine {
  ship?: ShipLine
}

/** Active first, then unfinished, then by name. A ship that is still planning counts as a feature. */
export function joined(known: readonly FeatureLine[], ships: readonly ShipLine[]): ListedFeature[] {
  const latest = new Map(ships.filter(({ feature }) => feature !== '').map((ship) => [ship.feature, ship]))
  const lines: ListedFeature[] = known.map((line) => {
    const ship = latest.get(line.feature)
    return ship ? { ...line, ship } : line
  })
  const named = new Set(known.map(({ feature }) => feature))
  for (const [feature, ship] of latest)
    if (!named.has(feature)) lines.push({ feature, issues: 0, done: 0, blocked: 0, ship })
  return lines.toSorted((a, b) => rank(a) - rank(b) || a.feature.localeCompare(b.feature))
}

function rank(line: ListedFeature): number {
  if (isAtWork(line)) return 0
  return line.issues === 0 || line.done < line.issues ? 1 : 2
}

export const isAtWork = ({ run, ship }: ListedFeature) => run !== undefined || ship?.status === 'running'

/** How a feature stands, in a word. */
export function lineLabel(line: ListedFeature): { word: string; tone: 'live' | 'ok' | 'bad' | 'plain' } {
  if (isAtWork(line))
    return line.issues === 0 ? { word: 'planning', tone: 'live' } : { word: 'in progress', tone: 'live' }
  if (line.blocked > 0) return { word: `${line.blocked} blocked`, tone: 'bad' }
  if (line.issues > 0 && line.done === line.issues) return { word: 'done', tone: 'ok' }
  if (line.issues === 0)
    return line.ship?.status === 'failed' ? { word: 'failed', tone: 'bad' } : { word: 'planned', tone: 'plain' }
  return { word: 'ready to run', tone: 'plain' }
}
