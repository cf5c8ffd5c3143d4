/** The issues as a dependency graph to pan and zoom. */
import { Controls, useViewport } from '../../ui/graph/viewport.tsx'
import '../../ui/graph/graph.css'
import {
  BaseEdge,
  type Edge,
  type EdgeProps,
  getBezierPath,
  Handle,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  ReactFlowProvider,
  type ReactFlowState,
  useStore,
} from '@xyflow/react'
import { type KeyboardEvent, memo, useMemo, useRef } from 'react'
import { Link } from 'wouter'
import { issueAddress } from '../../data/addresses/ship.ts'
import type { Tone } from '../../ui/chip.tsx'
import { Dot } from '../../ui/chip.tsx'
import { cardSize, shapeOf } from '../../ui/graph/arrange.ts'
import { flowProps } from '../../ui/graph/flow-props.ts'
import { type IssueCard, stateLabel } from '../view/issue-card.ts'
import { type IssueEdge, issueEdges, mostRelevant } from './issue-edges.ts'
import { besideInGraph } from './neighbours.ts'
import { placeIssues } from './place-issues.ts'

interface IssueGraphProps {
  feature: string
  cards: readonly IssueCard[]
  selected: number | null
}

export function IssueGraph(props: IssueGraphProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  )
}

type CardNode = Node<{ feature: string; card: IssueCard; selected: boolean; show(key: string): void }, 'issue'>
type IssueEdgeLine = Edge<{ tie: IssueEdge }, 'tie'>

const nodeTypes = { issue: IssueNode }
const edgeTypes = { tie: EdgeLine }

/** Laying out more takes too long. */
const mostCards = 150

function Canvas({ feature, cards: all, selected }: IssueGraphProps) {
  const cards = mostRelevant(all, mostCards)
  const frame = useRef<HTMLDivElement>(null)
  const toArrange = cards.map(({ number, dependsOn, partOf }) => ({
    key: String(number),
    parent: partOf === null ? null : String(partOf),
    dependsOn: dependsOn.map(String),
  }))
  const shape = shapeOf(toArrange)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the shape tells when they must be placed anew
  const placed = useMemo(() => placeIssues(toArrange), [shape])
  const { fit, show, isTaken } = useViewport(shape, placed, frame)
  const nodes = cards.map((card): CardNode => {
    const { x, y } = placed.get(String(card.number))!
    const data = { feature, card, selected: card.number === selected, show }
    return {
      id: String(card.number),
      type: 'issue',
      position: { x, y },
      ...cardSize,
      data,
      style: { pointerEvents: 'all' },
    }
  })
  const edges = issueEdges(cards).map(
    (tie): IssueEdgeLine => ({
      id: tie.id,
      type: 'tie',
      source: String(tie.from),
      target: String(tie.to),
      data: { tie },
    }),
  )
  const step = (event: KeyboardEvent) => {
    const at = (document.activeElement?.closest('[data-issue]') as HTMLElement | null)?.dataset.issue
    const next = at === undefined ? undefined : besideInGraph(placed, at, event.key)
    if (next === undefined) return
    event.preventDefault()
    frame.current?.querySelector<HTMLElement>(`[data-issue="${next}"]`)?.focus()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <div
      ref={frame}
      role="group"
      aria-label="Issues and their dependencies"
      data-testid="issue-graph"
      onKeyDown={step}
      className="build-graph relative min-h-[360px] flex-1 rounded-[10px] border border-line"
    >
      <div className="absolute inset-0">
        <ReactFlow<CardNode, IssueEdgeLine>
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          {...flowProps}
          preventScrolling={false}
          zoomOnScroll={false}
          onMoveStart={(event) => {
            if (event) isTaken.current = true
          }}
          aria-label="Issue graph"
        />
      </div>
      <Controls onFit={fit} isTaken={isTaken} />
      {cards.length < all.length ? (
        <p className="absolute right-3 bottom-3 rounded-md bg-panel px-2 py-0.5 text-small text-ink-2">
          {cards.length} of {all.length} issues, unfinished first
        </p>
      ) : null}
    </div>
  )
}

const borders: Record<Tone, string> = {
  plain: 'border-line-strong',
  live: 'border-live ring-3 ring-live-soft',
  ok: 'border-ok',
  warn: 'border-warn',
  bad: 'border-bad',
}

/** Below this zoom small text is unreadable: a card shows less, and larger. */
const seenFromAfar = ({ transform }: ReactFlowState) => transform[2] < 0.55

function IssueNode({ data: { feature, card, selected, show } }: NodeProps<CardNode>) {
  const isFar = useStore(seenFromAfar)
  return (
    <>
      <Handle type="target" position={Position.Top} isConnectable={false} />
      <Handle type="source" position={Position.Bottom} isConnectable={false} />
      <NodeBody feature={feature} card={card} selected={selected} show={show} isFar={isFar} />
    </>
  )
}

const NodeBody = memo(
  function NodeBody({ feature, card, selected, show, isFar }: CardNode['data'] & { isFar: boolean }) {
    const { number, title, state, tone, words, agent, evidence, size } = card
    const said = words ?? [stateLabel[state].word, ...evidence.map(({ text }) => text)].join(', ')
    return (
      <Link
        href={issueAddress(feature, number)}
        draggable={false}
        aria-current={selected ? 'true' : undefined}
        data-issue={number}
        data-state={state}
        onFocus={() => show(String(number))}
        className={`flex size-full flex-col rounded-xl border bg-panel px-3.5 py-2.5 aria-[current=true]:outline-2 aria-[current=true]:outline-offset-2 aria-[current=true]:outline-accent ${borders[tone]} ${state === 'SPLIT' ? 'border-dashed' : ''}`}
      >
        {isFar ? (
          <>
            <b className="line-clamp-2 wrap-anywhere text-[25px] leading-tight font-semibold">
              #{number} {title}
            </b>
            <span className="mt-auto truncate text-[19px] leading-tight text-ink-2">{said}</span>
          </>
        ) : (
          <>
            <span className="numbers flex items-center gap-1.5 text-tiny text-ink-3">
              #{number}
              <span className="flex-1" />
              {size}
            </span>
            <b className="line-clamp-2 wrap-anywhere text-[13.5px] leading-snug font-semibold">{title}</b>
            <span className="mt-auto flex min-w-0 items-center gap-2 text-small text-ink-2">
              <Dot tone={tone} />
              <span className="min-w-0 truncate">{said}</span>
              {agent ? <span className="ml-auto shrink-0 text-ink-3">{agent}</span> : null}
            </span>
          </>
        )}
      </Link>
    )
  },
  (before, now) =>
    before.card === now.card &&
    before.selected === now.selected &&
    before.feature === now.feature &&
    before.isFar === now.isFar,
)

function EdgeLine({ data, ...ends }: EdgeProps<IssueEdgeLine>) {
  const { kind, met } = data!.tie
  const [path] = getBezierPath({ ...ends, curvature: 0.3 })
  return <BaseEdge path={path} className={`tie ${met ? 'tie-ok' : ''} ${kind === 'part' ? 'tie-dependency' : ''}`} />
}
