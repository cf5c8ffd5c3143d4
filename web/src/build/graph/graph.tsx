/** The build as a graph to pan and zoom. It keeps everything in view until someone moves it. */
import '../../ui/graph/graph.css'
import { ReactFlow, ReactFlowProvider } from '@xyflow/react'
import { type KeyboardEvent, useMemo, useRef } from 'react'
import type { BuildView } from '../../../../src/build/view.ts'
import { arrange, cardSize, type Placed, shapeOf } from '../../ui/graph/arrange.ts'
import { flowProps } from '../../ui/graph/flow-props.ts'
import { MermaidExport } from '../../ui/graph/mermaid-export.tsx'
import { Controls, useViewport } from '../../ui/graph/viewport.tsx'
import type { NodeCard } from '../view/node-card.ts'
import { neighbour } from '../view/tree.ts'
import { buildMermaid } from './build-mermaid.ts'
import { type CardNode, GraphCard, GraphPageContext } from './graph-card.tsx'
import { edgesOf, type GraphEdge } from './graph-edges.ts'
import { GraphLine, type Line } from './graph-line.tsx'

const nodeTypes = { card: GraphCard }
const edgeTypes = { tie: GraphLine }

interface BuildGraphProps {
  view: BuildView
  cards: readonly NodeCard[]
  revision: number
  since: number
  selected: string | null
}

export function BuildGraph(props: BuildGraphProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  )
}

function Canvas({ view, cards, revision, since, selected }: BuildGraphProps) {
  const shape = shapeOf(cards)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the shape tells when they must be placed anew
  const placed = useMemo(() => arrange(cards), [shape])
  const nodes = useNodes(cards, placed, selected)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the view is changed in place, its revision tells when
  const edges = useMemo(() => edgesOf(cards, view.routes, view.forecasts, since), [cards, revision, since])
  const lines = useLines(edges, placed)
  const frame = useRef<HTMLDivElement>(null)
  const { fit, show, isTaken } = useViewport(shape, placed, frame)

  const step = (key: string, event: KeyboardEvent) => {
    const next = neighbour(cards, key, event.key)
    if (next === undefined) return
    event.preventDefault()
    frame.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(next)}"]`)?.focus()
  }
  return (
    <GraphPageContext value={{ build: view.id, since, step, show }}>
      <div ref={frame} data-testid="graph" className="build-graph relative size-full">
        <ReactFlow<CardNode, Line>
          nodes={nodes}
          edges={lines}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          {...flowProps}
          onMoveStart={(event) => {
            if (event) isTaken.current = true
          }}
          aria-label="Build graph"
        />
        <Controls onFit={fit} isTaken={isTaken}>
          <MermaidExport graph={() => buildMermaid(cards, edges)} name={view.spec} />
        </Controls>
      </div>
    </GraphPageContext>
  )
}

/** The same object for as long as nothing about a node changes: only those that do are drawn again. */
function useNodes(cards: readonly NodeCard[], placed: Map<string, Placed>, selected: string | null): CardNode[] {
  const before = useRef(new Map<string, CardNode>())
  return useMemo(() => {
    const nodes = cards.map((card): CardNode => {
      const { x, y } = placed.get(card.key)!
      const isSelected = card.key === selected
      const old = before.current.get(card.key)
      if (
        old &&
        old.data.card === card &&
        old.data.selected === isSelected &&
        old.position.x === x &&
        old.position.y === y
      )
        return old
      const data = { card, selected: isSelected }
      return { id: card.key, type: 'card', position: { x, y }, ...cardSize, data, style: { pointerEvents: 'all' } }
    })
    before.current = new Map(nodes.map((node) => [node.id, node]))
    return nodes
  }, [cards, placed, selected])
}

function useLines(edges: readonly GraphEdge[], placed: Map<string, Placed>): Line[] {
  return useMemo(
    () =>
      edges.map((edge) => {
        const fromSide = edge.kind === 'part' && placed.get(edge.target)?.fromSide === true
        const targetHandle = edge.kind === 'forecast' ? 'below' : fromSide ? 'side' : 'in'
        const { id, source, target } = edge
        return { id, type: 'tie', source, target, sourceHandle: 'out', targetHandle, data: { edge, fromSide } }
      }),
    [edges, placed],
  )
}
