/** One node in tabs. */
import type { ReactNode } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { BuildView, NodeView } from '../../../../src/build/view.ts'
import { nodeAddress } from '../../data/addresses/build.ts'
import type { NodeCard } from '../view/node-card.ts'
import { AttemptsTab } from './attempts-tab.tsx'
import { ChangesTab } from './changes-tab.tsx'
import { EvidenceTab } from './evidence-tab.tsx'
import { MergeTab } from './merge-tab.tsx'
import { OverviewTab } from './overview-tab.tsx'

const tabs = [
  { id: 'overview', label: 'Overview' },
  { id: 'attempts', label: 'Attempts' },
  { id: 'evidence', label: 'Evidence' },
  { id: 'changes', label: 'Changes' },
  { id: 'merge', label: 'Merge' },
] as const

interface NodePanelProps {
  view: BuildView
  node: NodeView
  card: NodeCard
  /** Above the tabs. */
  head?: ReactNode
  /** Below the overview, which then shows everything about the node at once. */
  children?: ReactNode
}

export function NodePanel({ view, node, card, head, children }: NodePanelProps) {
  const [, navigate] = useLocation()
  const wanted = new URLSearchParams(useSearch()).get('tab')
  const isWhole = children !== undefined
  const offered = tabs.filter(({ id }) => !(isWhole && id === 'changes'))
  const tab = offered.find(({ id }) => id === wanted)?.id ?? 'overview'
  const counts: Record<string, number> = {
    attempts: node.asks.length,
    evidence: node.evidence.length,
    changes: node.commits.length,
  }
  return (
    <div
      data-testid="node-inspector"
      data-node={card.key}
      data-state={card.state}
      className="flex min-h-0 flex-1 flex-col"
    >
      {head}
      <div
        role="tablist"
        aria-label="Node"
        className="flex gap-0.5 overflow-x-auto border-b border-line px-2.5 pb-2 max-[430px]:gap-0 max-[430px]:px-1.5"
      >
        {offered.map(({ id, label }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`node-tab-${id}`}
            aria-selected={tab === id}
            aria-controls="node-panel"
            onClick={() =>
              navigate(nodeAddress(view.id, card.key, id === 'overview' ? undefined : id), { replace: true })
            }
            className="flex shrink-0 items-center gap-1 rounded-md px-2 py-1 text-small max-[430px]:px-1.5 text-ink-2 hover:bg-hover aria-selected:bg-sunken aria-selected:font-medium aria-selected:text-ink"
          >
            {label}
            {counts[id] ? <span className="numbers text-tiny text-ink-3">{counts[id]}</span> : null}
          </button>
        ))}
      </div>
      <div
        id="node-panel"
        role="tabpanel"
        tabIndex={-1}
        aria-labelledby={`node-tab-${tab}`}
        className={`min-h-0 flex-1 overflow-y-auto p-4 outline-none ${isWhole ? 'md:px-5' : ''}`}
      >
        {tab === 'overview' ? (
          <>
            <OverviewTab view={view} node={node} card={card} alone={isWhole} />
            {children}
          </>
        ) : null}
        {tab === 'attempts' ? <AttemptsTab view={view} node={node} /> : null}
        {tab === 'evidence' ? <EvidenceTab node={node} /> : null}
        {tab === 'changes' ? <ChangesTab build={view.id} node={node} /> : null}
        {tab === 'merge' ? <MergeTab build={view.id} node={node} /> : null}
      </div>
    </div>
  )
}
