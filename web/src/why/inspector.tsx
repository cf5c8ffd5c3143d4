/** The fourth part of the frame: always answers why, and shows the room's figures. Beside the work, or as a sheet. */
import { IconButton } from '../look/button.tsx'
import { Modal } from '../look/modal.tsx'
import { RoomOverview } from './room-overview.tsx'
import { WhyPanel } from './why-panel.tsx'

export type InspectorTab = 'why' | 'room'

interface InspectorProps {
  wide: boolean
  /** Put away, where it would stand beside the work. */
  hidden: boolean
  narrow: boolean
  open: boolean
  tab: InspectorTab
  onTab(tab: InspectorTab): void
  onClose(): void
}

export function Inspector({ wide, hidden, narrow, open, tab, onTab, onClose }: InspectorProps) {
  if (wide && hidden) return null
  if (wide) {
    return (
      <aside aria-label="Inspector" className="flex w-[336px] shrink-0 flex-col border-l border-line bg-panel">
        <Content tab={tab} onTab={onTab} />
      </aside>
    )
  }
  if (!open) return null
  return (
    <Modal title="Inspector" shape={narrow ? 'bottom' : 'right'} onClose={onClose} bare>
      <Content tab={tab} onTab={onTab} onClose={onClose} />
    </Modal>
  )
}

const tabs: { id: InspectorTab; label: string }[] = [
  { id: 'why', label: 'Why' },
  { id: 'room', label: 'Room' },
]

function Content({ tab, onTab, onClose }: Pick<InspectorProps, 'tab' | 'onTab'> & { onClose?: () => void }) {
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
              onClick={() => onTab(id)}
              className="rounded-md px-2.5 py-1 text-small text-ink-2 hover:bg-hover aria-selected:bg-sunken aria-selected:font-medium aria-selected:text-ink"
            >
              {label}
            </button>
          ))}
        </div>
        {onClose ? <IconButton icon="close" label="Close" onClick={onClose} /> : null}
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
