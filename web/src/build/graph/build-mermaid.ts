/** A build's graph as Mermaid: parts, dependencies and forecast conflicts. Pure. */
import type { MermaidEdge, MermaidGraph } from '../../ui/graph/mermaid.ts'
import type { NodeCard } from '../view/node-card.ts'
import type { GraphEdge } from './graph-edges.ts'

export function buildMermaid(cards: readonly NodeCard[], edges: readonly GraphEdge[]): MermaidGraph {
  return {
    nodes: cards.map(({ key, id, words, tone }) => ({ id: key, label: `${id}\n${words}`, tone })),
    edges: edges.map(edgeOf),
  }
}

function edgeOf(edge: GraphEdge): MermaidEdge {
  const { source: from, target: to } = edge
  switch (edge.kind) {
    case 'part':
      return { from, to }
    case 'dependency':
      return { from, to, label: 'before', dotted: true }
    case 'forecast':
      return { from, to, label: `would conflict in ${edge.files.join(', ')}`, dotted: true }
  }
}
