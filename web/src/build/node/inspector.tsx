/** The panel beside the graph: one node in tabs, or the build as a whole. Full screen when narrow. */
import { type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import type { BuildView } from '../../../../src/build/view.ts'
import { buildAddress } from '../../data/addresses/build.ts'
import { recall, remember } from '../../data/memory.ts'
import { IconButton } from '../../ui/button.tsx'
import { CutName } from '../../ui/cut-name.tsx'
import { Modal } from '../../ui/modal.tsx'
import { narrowScreen, useMedia, wideScreen } from '../../ui/use-media.ts'
import type { ShownStatus } from '../view/labels.ts'
import type { NodeCard } from '../view/node-card.ts'
import { keyOf } from '../view/tree.ts'
import { BuildOverview } from './build-overview.tsx'
import { NodePanel } from './node-panel.tsx'

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
      <BuildAside>
        <BuildOverview view={view} status={status} />
      </BuildAside>
    )
  }
  const content = (actions: ReactNode) =>
    node && card ? (
      <NodePanel
        view={view}
        node={node}
        card={card}
        head={
          <div className="flex items-center gap-1 py-2 pr-2.5 pl-4">
            <h2 className="min-w-0 flex-1 text-title font-semibold">
              {node.path.length > 1 ? (
                <span className="block truncate text-tiny font-normal text-ink-3">
                  {node.path.slice(0, -1).join(' / ')} /
                </span>
              ) : null}
              <CutName name={node.id} />
            </h2>
            {actions}
          </div>
        }
      />
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

export function BuildAside({ children }: { children: ReactNode }) {
  return (
    <aside
      aria-label="Build"
      className="w-[336px] shrink-0 overflow-y-auto border-l border-line bg-panel p-4 *:*:first:mt-0"
    >
      {children}
    </aside>
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
