/** A node in the graph: a link that arrow keys can move on from. */
import { Handle, type Node, type NodeProps, Position, type ReactFlowState, useStore } from '@xyflow/react'
import { createContext, type KeyboardEvent, memo, useContext } from 'react'
import { Link } from 'wouter'
import { nodeAddress } from '../../data/addresses/build.ts'
import { CutName } from '../../ui/cut-name.tsx'
import type { NodeCard } from '../view/node-card.ts'
import { CardBody } from './card-body.tsx'
import { pieceTone } from './progress-bar.tsx'

export type CardNode = Node<{ card: NodeCard; selected: boolean }, 'card'>

export interface GraphPage {
  build: string
  since: number
  /** Leads to the card that an arrow key points to. */
  step(key: string, event: KeyboardEvent): void
  /** A card that has the focus must be seen. */
  show(key: string): void
}

export const GraphPageContext = createContext<GraphPage | null>(null)

const borders: Record<NodeCard['state'], string> = {
  idle: 'border-line border-dashed',
  working: 'border-live ring-3 ring-live-soft',
  checking: 'border-live',
  waiting: 'border-line-strong border-dashed',
  question: 'border-warn ring-3 ring-warn-soft',
  merged: 'border-ok',
  failed: 'border-bad',
  halted: 'border-line-strong border-dashed',
  planned: 'border-line border-dashed bg-bg! text-ink-2',
}

/** Below this zoom small text is unreadable: a card shows less, and larger. */
const seenFromAfar = ({ transform }: ReactFlowState) => transform[2] < 0.55

const grounds = { plain: '', live: 'text-live', ok: 'text-ok', warn: 'text-warn', bad: 'text-bad' } as const

function FarBody({ card }: { card: NodeCard }) {
  return (
    <span className="flex h-full min-w-0 flex-col justify-center gap-1">
      <b className="text-[25px] leading-tight font-semibold">
        <CutName name={card.id} />
      </b>
      <span className={`truncate text-[19px] leading-tight ${grounds[card.tone]}`}>{card.words}</span>
      <span aria-hidden="true" className="mt-1.5 flex gap-1">
        {card.progress.segments.map(({ place, state }) => (
          <span key={place} className={`h-2.5 flex-1 rounded-full ${pieceTone(state, card.state)}`} />
        ))}
      </span>
    </span>
  )
}

export const GraphCard = memo(function GraphCard({ data: { card, selected } }: NodeProps<CardNode>) {
  const page = useContext(GraphPageContext)!
  const isFar = useStore(seenFromAfar)
  return (
    <>
      <Handle id="in" type="target" position={Position.Top} isConnectable={false} />
      <Handle id="side" type="target" position={Position.Left} isConnectable={false} />
      <Handle id="below" type="target" position={Position.Bottom} isConnectable={false} />
      <Handle id="out" type="source" position={Position.Bottom} isConnectable={false} />
      <Link
        href={nodeAddress(page.build, card.key)}
        draggable={false}
        aria-current={selected ? 'true' : undefined}
        data-testid="node-card"
        data-node={card.key}
        data-state={card.state}
        onKeyDown={(event: KeyboardEvent) => page.step(card.key, event)}
        onFocus={() => page.show(card.key)}
        className={`block size-full rounded-xl border bg-panel px-3.5 pt-2.5 pb-2 transition-[border-color,box-shadow] aria-[current=true]:outline-2 aria-[current=true]:outline-offset-2 aria-[current=true]:outline-accent ${borders[card.state]}`}
      >
        {isFar ? <FarBody card={card} /> : <CardBody card={card} since={page.since} />}
      </Link>
    </>
  )
})
