/** The inspector: why a message was answered as it was, and the room's figures. A panel, or a sheet when narrow. */
import { IconButton } from '../../ui/button.tsx'
import { Modal } from '../../ui/modal.tsx'
import { narrowScreen, useMedia } from '../../ui/use-media.ts'
import { RoomOverview } from './room-overview.tsx'
import type { InspectorState, InspectorTab } from './use-inspector.ts'
import { WhyPanel } from './why-panel.tsx'

export function Inspector({ inspector }: { inspector: InspectorState }) {
  const narrow = useMedia(narrowScreen)
  if (!inspector.open) return null
  if (inspector.shape === 'beside') {
    return (
      <aside aria-label="Inspector" className="flex w-[336px] shrink-0 flex-col border-l border-line bg-panel">
        <Content inspector={inspector} />
      </aside>
    )
  }
  return (
    <Modal title="Inspector" shape={narrow ? 'bottom' : 'right'} onClose={inspector.close} bare>
      <Content inspector={inspector} />
    </Modal>
  )
}

const tabs: { id: InspectorTab; label: string }[] = [
  { id: 'why', label: 'Why' },
  { id: 'room', label: 'Room' },
]

function Content({ inspector: { tab, setTab, shape, close } }: { inspector: InspectorState }) {
  return (
    <>
      <div className="flex min-h-[53px] items-center gap-1 border-b border-line px-3">
        <div role="tablist" aria-label="Inspector" className="flex flex-1 gap-1">
          {tabs.map(({ id, label }) => (
            <button
              key={id}
              type="button"
              role="tab"
              id={`inspector-tab-${id}`}
              aria-selected={tab === id}
              aria-controls="inspector-panel"
              onClick={() => setTab(id)}
              className="rounded-md px-2.5 py-1 text-small text-ink-2 hover:bg-hover aria-selected:bg-sunken aria-selected:font-medium aria-selected:text-ink"
            >
              {label}
            </button>
          ))}
        </div>
        {shape === 'sheet' ? <IconButton icon="close" label="Close" onClick={close} /> : null}
      </div>
      <div
        id="inspector-panel"
        role="tabpanel"
        aria-labelledby={`inspector-tab-${tab}`}
        className="min-h-0 flex-1 overflow-y-auto"
      >
        {tab === 'why' ? <WhyPanel /> : <RoomOverview />}
      </div>
    </>
  )
}
