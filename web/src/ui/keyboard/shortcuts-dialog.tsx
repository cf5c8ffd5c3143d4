/** The keyboard shortcuts. */
import { Modal } from '../modal.tsx'
import { keys } from './keys.ts'

export function ShortcutsDialog({ onClose }: { onClose(): void }) {
  return (
    <Modal title="Keyboard shortcuts" onClose={onClose}>
      <dl className="space-y-2 p-4">
        {keys.map(({ keys: names, does }) => (
          <div key={does} className="flex items-baseline gap-3">
            <dt className="flex w-44 shrink-0 flex-wrap gap-1">
              {names.map((name) => (
                <kbd key={name} className="rounded-md border border-line-strong bg-sunken px-1.5 py-px text-small">
                  {name}
                </kbd>
              ))}
            </dt>
            <dd className="text-ink-2">{does}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
