/** One edge of the graph, lit while an exit travels along it. */
import { BaseEdge, type Edge, EdgeLabelRenderer, type EdgeProps, getBezierPath } from '@xyflow/react'
import { plural } from '../../ui/format.ts'
import type { GraphEdge } from './graph-edges.ts'

export type Line = Edge<{ edge: GraphEdge; fromSide: boolean }, 'tie'>

export function GraphLine({ data, ...ends }: EdgeProps<Line>) {
  const { edge, fromSide } = data!
  if (edge.kind === 'forecast') return <Forecast edge={edge} {...ends} />
  const [path] = fromSide ? gutterPath(ends) : getBezierPath({ ...ends, curvature: 0.3 })
  if (edge.kind === 'dependency')
    return <BaseEdge path={path} className={`tie tie-dependency ${edge.met ? 'tie-ok' : ''}`} />
  const length = Math.abs(ends.targetX - ends.sourceX) + Math.abs(ends.targetY - ends.sourceY)
  return (
    <>
      <BaseEdge path={path} className={`tie tie-${edge.tone}`} />
      {edge.lit ? (
        <path
          key={edge.lit.seq}
          d={path}
          className={`tie-light ${edge.lit.way === 'up' ? 'tie-light-up' : ''}`}
          style={{ '--length': `${Math.round(length)}px` } as React.CSSProperties}
        />
      ) : null}
    </>
  )
}

type Ends = Pick<EdgeProps, 'sourceX' | 'sourceY' | 'targetX' | 'targetY'>

/** Down beside the column and in from the left, so that no line runs behind another card. */
function gutterPath({ sourceX, sourceY, targetX, targetY }: Ends): [string] {
  const lane = targetX - 14
  const turn = sourceY + 30
  const bend = 8
  const side = Math.sign(lane - sourceX) || 1
  if (Math.abs(lane - sourceX) < 2 * bend) {
    const sway = `C${sourceX} ${turn} ${lane} ${turn} ${lane} ${turn + bend}`
    return [
      `M${sourceX} ${sourceY} ${sway} V${targetY - bend} Q${lane} ${targetY} ${lane + bend} ${targetY} H${targetX}`,
    ]
  }
  return [
    `M${sourceX} ${sourceY} V${turn - bend} Q${sourceX} ${turn} ${sourceX + side * bend} ${turn} ` +
      `H${lane - side * bend} Q${lane} ${turn} ${lane} ${turn + bend} V${targetY - bend} Q${lane} ${targetY} ${lane + bend} ${targetY} H${targetX}`,
  ]
}

const sag = 52

function Forecast({
  edge,
  sourceX,
  sourceY,
  targetX,
  targetY,
}: Ends & { edge: Extract<GraphEdge, { kind: 'forecast' }> }) {
  const low = Math.max(sourceY, targetY) + sag
  const path = `M${sourceX} ${sourceY} C${sourceX} ${low} ${targetX} ${low} ${targetX} ${targetY}`
  const x = (sourceX + targetX) / 2
  const y = 0.125 * (sourceY + targetY) + 0.75 * low
  const words = `${edge.source.split('/').at(-1)} and ${edge.target.split('/').at(-1)} would conflict in ${edge.files.join(', ')}`
  return (
    <>
      <BaseEdge path={path} className="tie tie-forecast" interactionWidth={0} />
      <EdgeLabelRenderer>
        <div
          data-testid="forecast"
          className="nopan group absolute"
          style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)`, pointerEvents: 'all', zIndex: 5 }}
        >
          <button
            type="button"
            aria-label={words}
            className="rounded-full border border-warn bg-warn-soft px-2 py-px text-tiny font-medium text-warn"
          >
            conflict in {plural(edge.files.length, 'file')}
          </button>
          <span
            aria-hidden="true"
            className="absolute top-full left-1/2 mt-1 hidden w-max max-w-80 -translate-x-1/2 rounded-lg border border-line bg-panel px-2.5 py-1.5 text-left text-small shadow-lift group-focus-within:block group-hover:block"
          >
            <span className="block text-ink-2">Merging both as they are would conflict in:</span>
            {edge.files.map((file) => (
              <span key={file} className="numbers block wrap-anywhere">
                {file}
              </span>
            ))}
          </span>
        </div>
      </EdgeLabelRenderer>
    </>
  )
}
