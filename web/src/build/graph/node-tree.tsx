/** The build as nested lists: on narrow screens, for screen readers, and beside the graph. */
import { Link } from 'wouter'
import { nodeAddress } from '../../data/addresses/build.ts'
import { Dot } from '../../ui/chip.tsx'
import { CutName } from '../../ui/cut-name.tsx'
import type { NodeCard } from '../view/node-card.ts'
import { type Branch, treeOf } from '../view/tree.ts'
import { CardBody } from './card-body.tsx'

interface NodeTreeProps {
  build: string
  cards: readonly NodeCard[]
  selected: string | null
  since: number
  /** One line a node. */
  compact?: boolean
  onChosen?: (() => void) | undefined
}

export function NodeTree(props: NodeTreeProps) {
  return (
    <nav aria-label="Nodes" data-testid={props.compact ? 'node-tree' : 'node-list'}>
      <Level {...props} branches={treeOf(props.cards)} depth={0} />
    </nav>
  )
}

function Level({ branches, depth, ...props }: NodeTreeProps & { branches: Branch<NodeCard>[]; depth: number }) {
  const indent = depth === 0 ? '' : props.compact ? 'ml-3.5' : 'ml-3 border-l border-line pl-3'
  return (
    <ul className={`${indent} ${props.compact ? '' : 'space-y-2'}`}>
      {branches.map(({ node, children }) => (
        <li key={node.key} className={props.compact ? '' : 'space-y-2'}>
          {props.compact ? <Line {...props} card={node} /> : <Row {...props} card={node} />}
          {children.length > 0 ? <Level {...props} branches={children} depth={depth + 1} /> : null}
        </li>
      ))}
    </ul>
  )
}

type OneProps = NodeTreeProps & { card: NodeCard }

function Line({ build, card, selected, onChosen }: OneProps) {
  return (
    <Link
      href={nodeAddress(build, card.key)}
      onClick={onChosen}
      aria-current={card.key === selected ? 'true' : undefined}
      className="flex items-center gap-2 rounded-[7px] px-2 py-[6px] text-ink-2 hover:bg-hover aria-[current=true]:bg-accent-soft aria-[current=true]:text-ink"
    >
      <Dot tone={card.tone} />
      <CutName name={card.id} className="font-medium" />
      <span className="ml-auto max-w-[55%] shrink-0 truncate text-tiny text-ink-3">{shortLabel(card)}</span>
    </Link>
  )
}

function Row({ build, card, selected, since }: OneProps) {
  return (
    <Link
      href={nodeAddress(build, card.key)}
      data-testid="node-row"
      data-node={card.key}
      data-state={card.state}
      aria-current={card.key === selected ? 'true' : undefined}
      className="block rounded-[10px] border border-line bg-panel px-3.5 py-2.5 hover:border-line-strong aria-[current=true]:border-accent"
    >
      <CardBody card={card} since={since} />
    </Link>
  )
}

const short: Record<NodeCard['state'], string | undefined> = {
  idle: 'begins',
  working: undefined,
  checking: 'checks',
  waiting: 'waits',
  question: 'needs your answer',
  merged: 'merged',
  failed: 'failed',
  halted: 'not finished',
  planned: 'later',
}

function shortLabel(card: NodeCard): string {
  return short[card.state] ?? card.progress.segments.find(({ state }) => state === 'here')?.place ?? 'works'
}
