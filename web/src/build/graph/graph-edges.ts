/**
 * The edges between cards: parts, dependencies and forecast conflicts, and which of them an exit has just travelled.
 */
import type { ForecastView, RouteView } from '../../../../src/build/view.ts'
import type { Tone } from '../../ui/chip.tsx'
import type { NodeCard } from '../view/node-card.ts'
import { keyOf } from '../view/tree.ts'

export type GraphEdge =
  | { id: string; kind: 'part'; source: string; target: string; tone: Tone; lit: Light | null }
  | { id: string; kind: 'dependency'; source: string; target: string; met: boolean }
  | { id: string; kind: 'forecast'; source: string; target: string; files: string[] }

/** An exit that just travelled an edge; `seq` identifies it. */
export interface Light {
  seq: number
  /** `up`: what was merged goes to the parent. */
  way: 'down' | 'up'
}

/** `since`: exits up to this event happened before the page was opened. */
export function edgesOf(
  cards: readonly NodeCard[],
  routes: readonly RouteView[],
  forecasts: readonly ForecastView[],
  since: number,
): GraphEdge[] {
  const lights = lightsOf(routes, since)
  const known = new Map(cards.map((card) => [card.key, card]))
  return [
    ...cards.flatMap((card): GraphEdge[] => {
      if (card.parent === null) return []
      const { key, parent, tone } = card
      return [{ id: `${parent} > ${key}`, kind: 'part', source: parent, target: key, tone, lit: lights(parent, key) }]
    }),
    ...cards.flatMap((card) =>
      card.dependsOn
        .filter((other) => known.has(other))
        .map((other): GraphEdge => {
          const met = known.get(other)!.state === 'merged'
          return { id: `${other} before ${card.key}`, kind: 'dependency', source: other, target: card.key, met }
        }),
    ),
    ...forecastEdges(cards, forecasts),
  ]
}

/** Both siblings forecast the same conflict; draw it once. */
function forecastEdges(cards: readonly NodeCard[], forecasts: readonly ForecastView[]): GraphEdge[] {
  const edges = new Map<string, Extract<GraphEdge, { kind: 'forecast' }>>()
  for (const { node, with: other, files } of forecasts) {
    const [one, two] = siblings(cards, node, other)
    if (!one || !two) continue
    const id = `${one} conflicts with ${two}`
    const known = edges.get(id)
    const all = [...new Set([...(known?.files ?? []), ...files])].sort()
    edges.set(id, { id, kind: 'forecast', source: one, target: two, files: all })
  }
  return [...edges.values()]
}

/** Ids are unique among siblings only; the pair that shares a parent is meant. */
function siblings(cards: readonly NodeCard[], node: string, other: string): (string | undefined)[] {
  for (const card of cards) {
    if (card.id !== node) continue
    const twin = cards.find(({ id, parent }) => id === other && parent === card.parent)
    if (twin) return [card.key, twin.key].sort()
  }
  return []
}

function lightsOf(routes: readonly RouteView[], since: number) {
  const spawned = new Map<string, number>()
  const merged = new Map<string, number>()
  for (const { seq, exit, path } of routes) {
    if (seq <= since) continue
    if (exit === 'InitWork') spawned.set(keyOf(path), seq)
    if (exit === 'MergeComplete') merged.set(keyOf(path), seq)
  }
  return (parent: string, key: string): Light | null => {
    const up = merged.get(key)
    if (up !== undefined) return { seq: up, way: 'up' }
    const down = spawned.get(parent)
    return down === undefined ? null : { seq: down, way: 'down' }
  }
}
