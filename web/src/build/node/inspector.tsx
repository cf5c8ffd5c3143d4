/** The panel beside the graph: one node in tabs, or the build as a whole. Full screen when narrow. */
import { type ReactNode, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { BuildView, NodeView } from '../../../../src/build/view.ts'
import { buildAddress, nodeAddress } from '../../data/addresses/build.ts'
import { recall, remember } from '../../data/memory.ts'
import { IconButton } from '../../ui/button.tsx'
import { Modal } from '../../ui/modal.tsx'
import { narrowScreen, useMedia, wideScreen } from '../../ui/use-media.ts'
import type { ShownStatus } from '../view/labels.ts'
import type { NodeCard } from '../view/node-card.ts'
import { keyOf } from '../view/tree.ts'
import { AttemptsTab } from './attempts-tab.tsx'
import { BuildOverview } from './build-overview.tsx'
import { ChangesTab } from './changes-tab.tsx'
import { EvidenceTab } from './evidence-tab.tsx'
import { MergeTab } from './merge-tab.tsx'
import { OverviewTab } from './overview-tab.tsx'

interface BuildInspectorProps {
  view: BuildView
  cards: readonly NodeCard[]
  /** The key of the node; null: the build. */
  node: string | null
  status: ShownStatus
}

export function BuildInspector({ view, cards, node: key, status }: BuildInspectorProps) {
  const wide = useMedia(wideScreen)
  const narrow = useMedia(narrowScreen)
  const [, navigate] = useLocation()
  const [broad, setBroad] = useState(() => recall<boolean>('build-inspector-broad') === true)
  const node = view.nodes.find(({ path }) => keyOf(path) === key)
  const card = cards.find((each) => each.key === key)
  const close = () => navigate(buildAddress(view.id))
  if (key === null) {
    if (!wide) return null
    return (
      <aside aria-label="Build" className="flex w-[336px] shrink-0 flex-col border-l border-line bg-panel">
        <BuildOverview view={view} status={status} />
      </aside>
    )
  }
  const content = (actions: ReactNode) =>
    node && card ? (
      <NodePanel view={view} node={node} card={card} actions={actions} />
    ) : (
      <NoSuchNode planned={card} close={close} />
    )
  if (wide) {
    const widen = () => {
      remember('build-inspector-broad', !broad || undefined)
      setBroad(!broad)
    }
    return (
      <aside
        aria-label={`Node ${key}`}
        className={`flex shrink-0 flex-col border-l border-line bg-panel ${broad ? 'w-[min(56%,900px)]' : 'w-[420px]'}`}
      >
        {content(
          <>
            <IconButton icon="wide" label={broad ? 'Narrower' : 'Wider'} aria-pressed={broad} onClick={widen} />
            <IconButton icon="close" label="Close" onClick={close} />
          </>,
        )}
      </aside>
    )
  }
  return (
    <Modal title={`Node ${key}`} shape={narrow ? 'full' : 'right'} onClose={close} bare>
      {content(<IconButton icon="close" label="Close" onClick={close} />)}
    </Modal>
  )
}

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
  actions: ReactNode
}

function NodePanel({ view, node, card, actions }: NodePanelProps) {
  const [, navigate] = useLocation()
  const wanted = new URLSearchParams(useSearch()).get('tab')
  const tab = tabs.find(({ id }) => id === wanted)?.id ?? 'overview'
  const counts: Record<string, number> = {
    attempts: node.asks.length,
    evidence: node.evidence.length,
    changes: node.commits.length,
  }
  return (
    <div data-testid="node-inspector" data-node={card.key} className="flex min-h-0 flex-1 flex-col">
      <div className="flex items-center gap-1 py-2 pr-2.5 pl-4">
        <h2 className="min-w-0 flex-1 truncate text-title font-semibold">
          {node.path.length > 1 ? (
            <span className="font-normal text-ink-3">{node.path.slice(0, -1).join(' / ')} / </span>
          ) : null}
          {node.id}
        </h2>
        {actions}
      </div>
      <div
        role="tablist"
        aria-label="Node"
        className="flex gap-0.5 overflow-x-auto border-b border-line px-2.5 pb-2 max-[430px]:gap-0 max-[430px]:px-1.5"
      >
        {tabs.map(({ id, label }) => (
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
        className="min-h-0 flex-1 overflow-y-auto p-4 outline-none"
      >
        {tab === 'overview' ? <OverviewTab view={view} node={node} card={card} /> : null}
        {tab === 'attempts' ? <AttemptsTab view={view} node={node} /> : null}
        {tab === 'evidence' ? <EvidenceTab node={node} /> : null}
        {tab === 'changes' ? <ChangesTab build={view.id} node={node} /> : null}
        {tab === 'merge' ? <MergeTab build={view.id} node={node} /> : null}
      </div>
    </div>
  )
}

function NoSuchNode({ planned, close }: { planned: NodeCard | undefined; close(): void }) {
  return (
    <div className="flex items-start gap-2 p-4">
      <p className="flex-1 text-ink-2">
        {planned ? `${planned.id} has not started: ${planned.words}.` : 'Node not found.'}
      </p>
      <IconButton icon="close" label="Close" onClick={close} />
    </div>
  )
}
