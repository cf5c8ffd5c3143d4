/** A floor: the list of its work beside the open page, and the keys that move through the list. */
import type { ReactNode } from 'react'
import { useKeys } from '../keyboard/use-keys.ts'
import { narrowScreen, useMedia } from '../use-media.ts'

interface FloorFrameProps {
  /** What the list is called. */
  label: string
  list: ReactNode
  /** The ids in the list, in its order. */
  ids: readonly string[]
  open: string | null
  onOpen(id: string): void
  onCreate(): void
  children: ReactNode
}

export function FloorFrame({ label, list, ids, open, onOpen, onCreate, children }: FloorFrameProps) {
  const narrow = useMedia(narrowScreen)
  const step = (by: number) => {
    const at = open === null ? -1 : ids.indexOf(open)
    const next = ids[Math.min(ids.length - 1, Math.max(0, at + by))]
    if (next !== undefined && next !== open) onOpen(next)
  }
  useKeys({
    n: onCreate,
    j: () => step(1),
    k: () => step(-1),
    'Alt+ArrowDown': () => step(1),
    'Alt+ArrowUp': () => step(-1),
  })
  return (
    <>
      {narrow ? null : (
        <section aria-label={label} className="flex w-58 shrink-0 flex-col border-r border-line max-[900px]:w-48">
          {list}
        </section>
      )}
      <div className="flex min-h-0 min-w-0 flex-1">{children}</div>
    </>
  )
}
