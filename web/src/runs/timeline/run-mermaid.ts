/** The runs of a tree as a graph, for Mermaid. */
import type { RunOverview } from '../../../../src/runs/overview.ts'
import { duration, spending } from '../../ui/format.ts'
import type { MermaidGraph } from '../../ui/graph/mermaid.ts'
import { kindLabel, shortRun, statusLabel } from '../view/labels.ts'
import { costOf, flatten, treeOf } from '../view/run-tree.ts'

export function runGraph(view: RunOverview, now: number): MermaidGraph {
  const nodes = flatten(treeOf(view.runs))
  return {
    direction: 'LR',
    nodes: nodes.map((node) => {
      const { id, title, kind, status, from, to } = node.run
      const { word, tone } = statusLabel(status)
      const cost = costOf(node, ({ spent }) => spent)
      const took = duration((to ?? now) - from)
      return { id, label: `${title || shortRun(id)}\n${kindLabel(kind)}, ${word}\n${took}, ${spending(cost)}`, tone }
    }),
    edges: nodes.flatMap(({ run: { id, parent } }) => (parent === undefined ? [] : [{ from: parent, to: id }])),
  }
}
